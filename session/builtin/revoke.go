package builtin

import (
	"slices"

	"parley/session"
	"parley/session/permission"
)

var _ session.RuleRevoker = (*conversation)(nil)

// RevokeRule drops a rule of the session.
func (c *conversation) RevokeRule(r session.Rule) { c.asks.revoke(r.Text) }

// revoke drops the rules with a text.
func (b *askBook) revoke(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules = slices.DeleteFunc(slices.Clone(b.rules), func(r permission.Rule) bool { return r.String() == text })
}
