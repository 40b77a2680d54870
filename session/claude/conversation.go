package claude

import (
	"context"
	"encoding/json"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
	"parley/session/permission"
	"parley/session/process"
	"parley/session/process/scope"
)

// conversation is one session and the process that runs it. Its lock guards the state: lines of the runtime are mapped
// under it, by the goroutine that reads them. Events are delivered, and requests made to the runtime, without it.
type conversation struct {
	process.Conversation[*engine]

	a     *Agent
	o     session.OpenOptions
	guard guard.Guard // decides what the runtime may do without asking the user

	id      session.ID // in the runtime's own files
	asks    *process.Book[*pendingAsk]
	granted session.Mode // the mode that the newest answer allows the runtime to change to
	ids     promptIDs
	// customized reports whether a custom agent holds the conversation, or has held it.
	customized bool
	others     []int // other processes that the user was warned of
}

var (
	_ session.Conversation = (*conversation)(nil)
	_ session.Steerer      = (*conversation)(nil)
	_ session.Waker        = (*conversation)(nil)
)

func newConversation(a *Agent, o session.OpenOptions) *conversation {
	c := &conversation{a: a, o: o, id: o.Session, ids: promptIDs{session: o.Session, used: map[string]bool{}}}
	c.Init(process.Options{Session: o.Session, Now: a.o.Now, Spent: a.o.Spent, Settle: a.o.Settle, IdleAfter: a.o.IdleAfter}, o, func(e *engine) {
		e.p.Close(context.Background())
		<-e.gone
	})
	c.guard = guard.Guard{Scope: scope.Scope{Home: a.o.Home, Git: permission.WatchGit(c.Life, o.Dir)}, Kept: a.transcripts}
	var granted []permission.Rule
	if h := o.History; h != nil {
		granted = permission.Granted(h)
		if h.Session != "" {
			c.id = h.Session
		}
	}
	c.asks = process.NewBook[*pendingAsk](granted)
	c.customized = customized(o)
	c.o.History = nil
	return c
}

// Send delivers a prompt and returns when its turn is over, together with the turns that the runtime made of steered
// prompts.
func (c *conversation) Send(ctx context.Context, turn session.TurnID, p session.Prompt, o session.Origin) error {
	if err := c.Begin(ctx, turn); err != nil {
		return err
	}
	defer c.End()
	content, err := promptContent(p)
	if err != nil {
		return process.Invalid("send prompt", err)
	}
	ensure := func(ctx context.Context) error { return c.ensureProcess(ctx, sending) }
	for {
		e, err := c.Ready(ctx, ensure, c.Abort)
		if err != nil {
			return err
		}
		if c.write(ctx, e, written{turn: turn, prompt: p}, content, o) {
			c.await(ctx, e)
			c.Out.Drain()
			return nil
		}
	}
}

// write opens the turn and writes its prompt. It reports false if the process has gone meanwhile. The end of an open turn
// is always reported.
func (c *conversation) write(ctx context.Context, e *engine, w written, content json.RawMessage, o session.Origin) bool {
	spent := c.a.o.Spent(c.o.Session)
	c.Mu.Lock()
	if c.Link != e || c.Closed {
		c.Mu.Unlock()
		return false
	}
	c.Out.Put(c.Costs.Late(c.Head(), spent)...)
	w.uuid = c.ids.next(string(w.turn))
	c.Costs.Turn = w.turn
	c.Out.Put(e.begin(w, o, c.a.o.Now())...)
	c.Mu.Unlock()
	c.Out.Deliver()
	if err := e.p.Send(ctx, driver.UserMessage{UUID: w.uuid, Content: content}); err != nil {
		// The prompt may be written in part, which leaves the process unusable.
		c.Mu.Lock()
		e.interrupted, e.broken = ctx.Err() != nil, true
		c.Mu.Unlock()
		e.kill()
	}
	return true
}

// await returns when everything written to the process is over, or the process is.
func (c *conversation) await(ctx context.Context, e *engine) {
	over := func() bool { return c.Link != e || e.over() }
	c.Await(ctx, over, func() bool { return e.stopping }, c.Abort)
}

// Steer writes a prompt into the running turn. The runtime takes it up with the turn's next request, or makes a turn of it
// if none follows. It interrupts nothing.
func (c *conversation) Steer(ctx context.Context, p session.Prompt) (bool, error) {
	content, err := promptContent(p)
	if err != nil {
		return false, process.Invalid("steer", err)
	}
	c.Mu.Lock()
	e := c.Link
	if e == nil || c.Closed || !c.Sending || e.over() || e.stopping {
		c.Mu.Unlock()
		return false, nil
	}
	w := written{uuid: c.ids.next(string(p.ID)), turn: session.TurnID(p.ID), prompt: p, steer: true}
	e.steer(w)
	c.Mu.Unlock()
	if err := e.p.Send(ctx, driver.UserMessage{UUID: w.uuid, Content: content, Priority: "next"}); err != nil {
		c.forget(e, w.uuid)
		return false, err
	}
	return true, nil
}

// forget removes a prompt that the runtime will not work on.
func (c *conversation) forget(e *engine, uuid string) {
	c.Mu.Lock()
	c.Out.Put(c.adjust(e, e.drop(uuid, c.a.o.Now()))...)
	c.Mu.Notify()
	c.Mu.Unlock()
	c.Out.Deliver()
}
