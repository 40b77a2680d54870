package permission

import "parley/session"

// Grant is a rule for the session with the ask whose answer granted it.
type Grant struct {
	Rule Rule
	Ask  session.AskID
}

// Grants returns the rules that the answers in a transcript granted for the session and that were not revoked, in order, with
// the time of the answer. It reads the rules of older versions too, and leaves out those that it does not understand.
func Grants(t *session.Transcript) []Grant {
	var all []Grant
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			ask, ok := e.(*session.Ask)
			if !ok || !ask.Settled || ask.Permission == nil || t.Revoked[session.Revocation{Ask: ask.Ask}] {
				continue
			}
			for _, r := range GrantedBy(ask.Permission, ask.Settlement.Answer, session.ScopeSession) {
				if r.Since = ask.Settlement.At; !t.Revoked[session.Revocation{Ask: ask.Ask, Rule: r.String()}] {
					all = append(all, Grant{r, ask.Ask})
				}
			}
		}
	}
	return all
}
