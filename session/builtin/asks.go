package builtin

import (
	"context"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/permission"
	"parley/session/process"
	"parley/session/toolview"
)

// askedFor holds the subject of an open ask: the call that needs a permission, and the workspace of the agent that asks. It is empty
// for what only the user answers.
type askedFor struct {
	kind   toolview.Kind
	places []tool.Place
	at     *tool.Workspace
	hooked bool // a hook wants it asked, whatever is allowed
}

// asks are the open asks of a conversation. policy returns the rules and the mode that hold now for an agent's workspace.
type asks struct {
	book   *process.Book[askedFor]
	policy func(ctx context.Context, at *tool.Workspace) permission.Policy
	pending
}

// Answer answers an open ask.
func (c *conversation) Answer(id session.AskID, a session.Answer) error {
	if !c.asks.settle(id, process.Answered(a)) {
		return process.NotOpen()
	}
	return nil
}

// settle ends an ask, and reports false if it is not open.
func (b *asks) settle(id session.AskID, v process.Verdict) bool {
	a := b.book.Close(id, v)
	if a == nil {
		return false
	}
	a.End(v)
	return true
}

// reconsider settles the open asks about permissions for which the rules and the mode would not ask any more.
func (b *asks) reconsider(ctx context.Context) {
	verdicts := b.book.Judged(func(a *process.Ask[askedFor]) permission.Decision {
		d := decideAll(b.policy(ctx, a.With.at), a.With.kind, *a.Permission, a.With.places)
		if a.With.hooked && d.Ruling == permission.Allow {
			d.Ruling = permission.Ask
		}
		return d
	})
	for id, v := range verdicts {
		b.settle(id, v)
	}
}

// putToUser opens an ask, waits for its end and settles it. The caller fills in what is asked.
func putToUser(ctx context.Context, l *loop, asked session.Asked, about askedFor) process.Verdict {
	c := l.c
	if !c.asks.begin(asked.Call) {
		return process.Verdict{How: session.SettledCancelled, Why: session.WhyInterrupted}
	}
	defer c.asks.end(asked.Call)
	asked.Head = l.head()
	if asked.Ask == "" {
		asked.Ask = c.asks.numbered(session.AskID("ask_" + string(asked.Call)))
	}
	a := c.asks.book.Open(asked.Ask, asked.Permission, about)
	asked.Ask = a.ID
	c.out.emit(asked)
	c.asks.reconsider(ctx) // the mode or the rules may have changed between ruling and asking
	v, ended := a.Wait(ctx)
	if !ended {
		v = process.Verdict{How: session.SettledCancelled, Why: session.WhyInterrupted}
		if !c.asks.settle(a.ID, v) {
			v = a.Ended() // the answer that came just before
		}
	}
	c.out.emit(session.Settled{Head: l.head(), Ask: a.ID, How: v.How, Answer: v.Answer, Why: v.Why})
	if v.Answer.Decision == session.Allow {
		c.asks.reconsider(ctx) // a new rule may cover others
	}
	return v
}

var _ session.RuleRevoker = (*conversation)(nil)

// RevokeRule drops a rule of the session.
func (c *conversation) RevokeRule(r session.Rule) { c.asks.book.Revoke(r.Text) }
