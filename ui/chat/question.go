package chat

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/permission"
	"parley/ui/question"
	questions "parley/ui/question/view"
	"parley/ui/rules"
)

// newAsks returns what puts the questions of the session to the user.
func (m *Model) newAsks(s *Screen) *questions.Asks {
	o := m.opts
	var follow func(dir string) func(context.Context) bool
	if o.Extensions != nil {
		follow = o.Extensions.Follow
	}
	return questions.NewAsks(questions.AsksOptions{Follow: follow, Context: m.work.ctx, Current: m.current.value, Manager: o.Manager, Watch: m.watch, Conv: m.conv,
		Input: m.input, Notices: m.notices, Browser: o.OpenPage(), Explained: o.Explained, Touch: m.screen.touch,
		Options:   questions.Options{Look: m.look, Keys: m.keys, Now: o.Now, After: m.work.after, Frames: s.Frames},
		Covered:   func() bool { return m.covered || m.look.TooSmall() },
		Covers:    func() func(context.Context, permission.Rule, *session.PermissionAsk) bool { return m.commands.covers() },
		HandsOver: func() bool { return m.commands.delegate.OffersPlan() },
		HandOver:  func(q *question.Question) { m.do(m.commands.delegate.Plan(q.Ask, q.Review.Text())) },
		Type:      func(k tea.KeyPressMsg) tea.Cmd { return m.controls.write(k) },
		Edit:      func(text string, q *question.Question) { m.controls.edit(text, q) }})
}

// covers returns the function that looks at the rules on disk, nil without any.
func (c *commands) covers() func(context.Context, permission.Rule, *session.PermissionAsk) bool {
	store, of := c.opts.Rules, c.rulesChat()
	if store == nil {
		return nil
	}
	return func(ctx context.Context, r permission.Rule, call *session.PermissionAsk) bool {
		return rules.Covers(ctx, store, of, r, call)
	}
}
