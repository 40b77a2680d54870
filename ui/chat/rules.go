package chat

import (
	"parley/session/permission"
	"parley/ui/rules"
)

// rulesChat returns what rules are listed for.
func (m *Model) rulesChat() rules.Chat {
	meta := m.current.meta()
	c := rules.Chat{Dir: m.current.dir(), Dirs: meta.Dirs, Mode: m.current.mode(), Grants: permission.Grants(m.conv.Transcript()),
		Environ: m.opts.Env, Home: m.look.Home}
	if s := m.current.value().Session; s != nil {
		c.Revoke = s.RevokeRule
	}
	return c
}
