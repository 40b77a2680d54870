package copilot

import (
	"context"
	"slices"

	"parley/session"
	"parley/session/copilot/guard"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/process/scope"
)

var _ session.RuleRevoker = (*conversation)(nil)

// newAsks returns the asks of a conversation whose history is h, nil for none.
func newAsks(c *conversation, h *session.Transcript) *asks {
	base := guard.Guard{Scope: scope.Scope{Home: c.a.o.UserHome, Git: permission.WatchGit(c.Life, c.o.Dir)}}
	o := askOptions{Files: c.o.Files, Model: c.model, Now: c.a.o.Now,
		Guard:   func() guard.Guard { return guardNow(c, base) },
		Head:    func(call session.CallID, agent string) (session.Head, bool) { return askHead(c, call, agent) },
		Emit:    func(events ...session.Event) { emitAsks(c, events...) },
		SetMode: func(m session.Mode) { planApproved(c, m) },
		SetPlan: func(ctx context.Context, plan string) error { return setPlan(ctx, c, plan) }}
	if h != nil {
		o.Granted = permission.Granted(h)
	}
	return newAskBook(o)
}

// guardNow returns the guard with the mode, the kept rules and the tools that hold now.
func guardNow(c *conversation, g guard.Guard) guard.Guard {
	g.Rules = c.a.o.Rules(c.o.Dir)
	g.Environ = proc.AgentEnviron(c.a.o.Terminals.In(c.o.Session, c.a.o.Environ), c.a.o.PassEnv)
	g.Rules.Rules = slices.Clone(g.Rules.Rules)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	g.Mode, g.Dirs = c.Settings.Mode, append([]string{c.o.Dir}, c.Settings.Dirs.Or(c.o.Dirs)...)
	for _, t := range c.tools {
		g.Client = append(g.Client, t.Name)
	}
	if c.Link != nil {
		g.Wandering = c.Link.client.Protocol() < 3
	}
	return g
}

// askHead returns the head of an ask about a call of an agent, false if no turn runs or the child agent is unknown or has
// ended.
func askHead(c *conversation, call session.CallID, agent string) (session.Head, bool) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	l := c.Link
	if l == nil || c.Closed || l.stopping {
		return session.Head{}, false
	}
	h := l.m.Head(c.a.o.Now())
	h.Turn, h.Child = l.m.Place(call, agent)
	if h.Child != "" && !l.m.Running(h.Child) {
		return session.Head{}, false
	}
	return h, h.Turn != ""
}

// emitAsks publishes events of the asks.
func emitAsks(c *conversation, events ...session.Event) {
	c.Mu.Lock()
	c.Out.Put(events...)
	c.Mu.Unlock()
	c.Out.Deliver()
}

// planApproved makes the mode that the user chose with a plan the session's. The runtime leaves its plan mode by itself.
func planApproved(c *conversation, m session.Mode) {
	c.Mu.Lock()
	c.Settings.Mode = m
	if l := c.Link; l != nil {
		l.applied.Mode = m
		l.m.SetMode(m)
		c.Out.Put(session.ModeChanged{Head: l.m.Head(c.a.o.Now()), Mode: m})
	}
	c.Mu.Unlock()
	c.Out.Deliver()
	c.asks.reconsider()
}

// setPlan replaces the text of the session's plan in the runtime.
func setPlan(ctx context.Context, c *conversation, plan string) error {
	c.Mu.Lock()
	l := c.Link
	c.Mu.Unlock()
	if l == nil {
		return nil
	}
	return l.call(ctx, "session.plan.update", map[string]any{"content": plan}, nil)
}

func (c *conversation) model() string {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return c.Settings.Model
}

// Answer answers an open ask.
func (c *conversation) Answer(ask session.AskID, a session.Answer) error {
	return c.asks.answer(ask, a)
}

// RevokeRule drops a rule of the session.
func (c *conversation) RevokeRule(r session.Rule) { c.asks.book.Revoke(r.Text) }
