package chat

import (
	"parley/session/permission"
	"parley/ui/rules"
)

// rulesChat returns what rules are listed for.
func (c *commands) rulesChat() rules.Chat {
	meta := c.current.meta()
	of := rules.Chat{Dir: c.current.dir(), Dirs: meta.Dirs, Mode: c.current.mode(), Grants: permission.Grants(c.conv.Transcript()),
		Environ: c.opts.Env, Home: c.look.Home}
	if s := c.current.value().Session; s != nil {
		of.Revoke = s.RevokeRule
	}
	return of
}
