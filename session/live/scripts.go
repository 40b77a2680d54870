package live

import (
	"context"
	"slices"
	"strings"

	"parley/session"
)

// scripts are the rules of answers that hold while the agent changes no file, and the tracker of files that the agent gets: what
// may change a file ends the rules before it runs. The session's lock guards granted.
type scripts struct {
	session.FileTracker
	state   *state
	granted []scriptGrant
	// revoke drops a rule in the open conversation; it is called without a lock.
	revoke func(session.Rule)
}

var _ session.FileTracker = (*scripts)(nil)

// scriptGrant is a rule with the ask whose answer granted it, and the line that it allows.
type scriptGrant struct {
	ask  session.AskID
	rule session.Rule
	line string
}

// grantOf returns what an answer granted, false if it granted no rule for a script.
func grantOf(id session.AskID, p *session.PermissionAsk, a session.Answer) (scriptGrant, bool) {
	if p == nil || a.Decision != session.Allow || a.Scope != session.ScopeSession {
		return scriptGrant{}, false
	}
	rule := ruleOf(p, a)
	if rule == nil || len(rule.Unchanged) == 0 {
		return scriptGrant{}, false
	}
	return scriptGrant{id, *rule, strings.TrimSpace(p.Command)}, true
}

// restore takes the rules of a transcript that were not revoked. It takes the lock.
func (s *scripts) restore(t *session.Transcript) {
	s.state.Lock()
	defer s.state.Unlock()
	s.granted = nil
	if t == nil {
		return
	}
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			a, ok := e.(*session.Ask)
			if !ok || !a.Settled || t.Revoked[session.Revocation{Ask: a.Ask}] {
				continue
			}
			if g, ok := grantOf(a.Ask, a.Permission, a.Settlement.Answer); ok && !t.Revoked[session.Revocation{Ask: a.Ask, Rule: g.rule.Text}] {
				s.granted = append(s.granted, g)
			}
		}
	}
}

// settled takes the rule of an answer. The lock is held.
func (s *scripts) settled(a *openAsk, answer session.Answer) {
	if g, ok := grantOf(a.asked.Ask, a.asked.Permission, answer); ok {
		s.granted = append(s.granted, g)
	}
}

// Before ends the rules, but for one that allows just this line, and has the tracker keep what the call may change.
func (s *scripts) Before(ctx context.Context, c session.FileCall) {
	line := strings.TrimSpace(c.Command)
	s.state.Lock()
	var ended []scriptGrant
	s.granted = slices.DeleteFunc(s.granted, func(g scriptGrant) bool {
		if ends := line == "" || g.line != line; ends {
			ended = append(ended, g)
			return true
		}
		return false
	})
	dirs := slices.Clone(s.state.meta.Dirs)
	for _, g := range ended {
		if !s.state.closed {
			s.state.publish(session.RuleRevoked{Head: s.state.head(""), Ask: g.ask, Rule: g.rule.Text})
		}
	}
	s.state.Unlock()
	for _, g := range ended {
		s.revoke(g.rule)
	}
	if f, can := s.FileTracker.(dirFollower); can {
		f.Follow(dirs)
	}
	s.FileTracker.Before(ctx, c)
}

// dirFollower is a tracker that looks into the further directories of the session as they are before a call. Follow returns at once.
type dirFollower interface{ Follow(dirs []string) }

// untracked stands for the tracker of an agent whose files are not tracked.
type untracked struct{}

func (untracked) Before(context.Context, session.FileCall) {}
func (untracked) Drop(session.CallID)                      {}
func (untracked) Ended(session.ToolEnded)                  {}
func (untracked) Unaccepted(context.Context) int           { return 0 }
func (untracked) Close(context.Context) error              { return nil }
