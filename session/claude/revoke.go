package claude

import (
	"slices"

	"parley/session"
	"parley/session/permission"
)

var _ session.RuleRevoker = (*conversation)(nil)

// RevokeRule drops a rule of the session.
func (c *conversation) RevokeRule(r session.Rule) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.rules = slices.DeleteFunc(slices.Clone(c.rules), func(has permission.Rule) bool { return has.String() == r.Text })
}
