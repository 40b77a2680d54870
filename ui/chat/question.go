package chat

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/session/permission"
	"parley/ui/question"
	"parley/ui/rules"
)

// askChat answers what questions ask of the chat, and does for them what only the root can.
type askChat struct{ m *Model }

// Session returns the session that is shown.
func (a *askChat) Session() *live.Session { return a.m.current.session }

// Dir returns the directory of the session.
func (a *askChat) Dir() string { return a.m.current.dir() }

// Agent returns the name of the session's agent.
func (a *askChat) Agent() string { return a.m.current.agent() }

// ChildName returns the name of a child agent.
func (a *askChat) ChildName(id session.ChildID) string { return a.m.current.childName(id) }

// ModeProblem returns why the agent cannot work in a mode.
func (a *askChat) ModeProblem(mode session.Mode) string { return a.m.current.unsupported(mode) }

// Truster returns what stores the trust of an agent in directories.
func (a *askChat) Truster(agent string) session.RepositoryTruster { return a.m.current.truster(agent) }

// Covered reports whether something hides the question.
func (a *askChat) Covered() bool {
	return a.m.covered || a.m.look.TooSmall()
}

// Covers returns the function that looks at the rules on disk.
func (a *askChat) Covers() func(context.Context, permission.Rule, *session.PermissionAsk) bool {
	store, chat := a.m.opts.Rules, a.m.commands.rulesChat()
	if store == nil {
		return nil
	}
	return func(ctx context.Context, r permission.Rule, call *session.PermissionAsk) bool {
		return rules.Covers(ctx, store, chat, r, call)
	}
}

// HandsOver reports whether a plan can be handed over to an agent at a service.
func (a *askChat) HandsOver() bool { return a.m.commands.delegate.OffersPlan() }

// HandOver opens the form for a plan.
func (a *askChat) HandOver(q *question.Question) tea.Cmd {
	a.m.do(a.m.commands.delegate.Plan(q.Ask, q.Review.Text()))
	return nil
}

// Interrupting reports whether the user has interrupted the turn.
func (a *askChat) Interrupting() bool { return a.m.current.stopping }

// Keep puts words in front of what is written.
func (a *askChat) Keep(words string) tea.Cmd {
	return a.m.input.Reclaim(words, nil, nil)
}

// Touch requests a frame.
func (a *askChat) Touch() { a.m.screen.touch() }

// Type writes a key.
func (a *askChat) Type(k tea.KeyPressMsg) tea.Cmd { return a.m.controls.write(k) }

// Edit opens a text in the user's editor.
func (a *askChat) Edit(text string, q *question.Question) tea.Cmd {
	a.m.controls.edit(text, q)
	return nil
}
