package rules

import (
	"fmt"

	"parley/session"
	"parley/session/permission"
)

// KeepRule keeps the rules of an answer, all or none, that lasts longer than its session; see [session.RuleKeeper].
func (s *Store) KeepRule(dir string, ask *session.PermissionAsk, a session.Answer) error {
	origin := permission.FromProject
	if a.Scope == session.ScopeGlobal {
		origin = permission.FromGlobal
	}
	granted := permission.GrantedBy(ask, a, a.Scope)
	if len(granted) == 0 {
		text := ""
		if a.Rule != nil {
			text = a.Rule.Text
		}
		return &session.Error{Op: opAdd, Kind: session.KindInvalid, Err: fmt.Errorf("%q is not a rule", text)}
	}
	return s.Add(dir, origin, granted...)
}
