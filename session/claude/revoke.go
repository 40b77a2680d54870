package claude

import "parley/session"

var _ session.RuleRevoker = (*conversation)(nil)

// RevokeRule drops a rule of the session.
func (c *conversation) RevokeRule(r session.Rule) {
	c.asks.Revoke(r.Text)
}
