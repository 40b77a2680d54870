package live

import (
	"slices"
	"strings"

	"parley/session"
)

// lasts reports whether an answer holds longer than its session and parley keeps its rule: one that allows, for the project or
// everywhere, without a rule that the agent's own runtime keeps.
func lasts(ask *session.PermissionAsk, a session.Answer) bool {
	if ask == nil || a.Decision != session.Allow || a.Scope != session.ScopeProject && a.Scope != session.ScopeGlobal {
		return false
	}
	r := ruleOf(ask, a)
	return r == nil || r.Destination == ""
}

// ruleOf returns the rule of an answer: the chosen one, else the first that was offered, nil if none was.
func ruleOf(ask *session.PermissionAsk, a session.Answer) *session.Rule {
	if a.Rule == nil && len(ask.Rules) > 0 {
		return &ask.Rules[0]
	}
	return a.Rule
}

// inScope returns an answer that holds for no longer than its rule may, if parley keeps that.
func inScope(ask *session.PermissionAsk, a session.Answer) session.Answer {
	if ask == nil || a.Decision != session.Allow || a.Scope == session.ScopeOnce || a.Scope == "" {
		return a
	}
	if r := ruleOf(ask, a); r != nil && r.Destination == "" && !slices.Contains(r.Lasts(), a.Scope) {
		lasts := r.Lasts()
		a.Scope = lasts[len(lasts)-1]
	}
	return a
}

// keep keeps the rule of an answer, and then passes the answer to the conversation, so that the agent finds the rule. If the
// rule cannot be kept, the answer counts for the session, and a notice says why. It takes the lock.
func (r *runtime) keep(a *openAsk, conv session.Conversation, dir string) {
	answer, failed := a.answer, ""
	answer.Rule = ruleOf(a.asked.Permission, answer) // the journal names it
	switch {
	case answer.Rule == nil:
		answer.Scope = session.ScopeOnce
	case r.d.Rules == nil:
		answer.Scope = session.ScopeSession
	default:
		if err := r.d.Rules.KeepRule(dir, a.asked.Permission, answer); err != nil {
			answer.Scope = session.ScopeSession
			what := "Couldn't save the rule; it applies to this session only. "
			if strings.Contains(answer.Rule.Text, "\n") {
				what = "Couldn't save the rules; they apply to this session only. "
			}
			failed = what + session.ProblemOf(err, r.d.Now()).What
		}
	}
	r.state.Lock()
	a.answer = answer
	r.state.Unlock()
	err := conv.Answer(a.asked.Ask, answer)
	if err != nil && session.KindOf(err) != session.KindNotFound {
		failed = "The answer did not reach the agent. " + session.ProblemOf(err, r.d.Now()).What
	}
	r.answered(a, err)
	if failed == "" {
		return
	}
	r.state.Lock()
	defer r.state.Unlock()
	if !r.state.closed {
		r.state.publish(r.state.notice(session.Warning, failed))
	}
}

// RevokeRule takes back a rule that the answers to some asks granted for the session, now and when the session is resumed. An
// error of kind [session.KindUnsupported] says that it holds in the open conversation, and [session.KindInvalid] that the
// session is closed.
func (s *local) RevokeRule(rule session.Rule, asks []session.AskID) error {
	const op = "revoke the rule"
	s.state.Lock()
	if s.state.closed {
		s.state.Unlock()
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: errClosed}
	}
	for _, id := range asks {
		s.state.publish(session.RuleRevoked{Head: s.state.head(""), Ask: id, Rule: rule.Text})
	}
	s.storage.saveSoon()
	conv := s.runtime.conv
	s.state.Unlock()
	if conv == nil {
		return nil
	}
	r, can := conv.(session.RuleRevoker)
	if !can {
		return fail(op, session.KindUnsupported, "the agent keeps the rule until the session is opened again")
	}
	r.RevokeRule(rule)
	return nil
}

// revoke drops a rule in the open conversation, if it can. It takes the lock.
func (r *runtime) revoke(rule session.Rule) {
	r.state.Lock()
	conv := r.conv
	r.state.Unlock()
	if c, can := conv.(session.RuleRevoker); can {
		c.RevokeRule(rule)
	}
}
