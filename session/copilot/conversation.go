package copilot

import (
	"context"
	"slices"

	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/process"
)

// conversation is one session. Its lock guards the state: events of the runtime are mapped under it, in their order. Events
// are delivered, and calls made to the runtime, without it.
type conversation struct {
	process.Conversation[*link]

	a *Agent
	o session.OpenOptions
	// asks has what the runtime has asked and the user has not answered. It has another lock.
	asks *asks

	tools   []session.ClientTool
	asking  chan struct{}   // held while a question beside the history is answered
	aside   *aside          // that question, nil for none
	foreign *foreignPrompts // used while a link is checked and opened
	todos   []session.Todo  // as reported last
}

var (
	_ session.Conversation = (*conversation)(nil)
	_ session.Steerer      = (*conversation)(nil)
	_ session.Waker        = (*conversation)(nil)
)

func newConversation(a *Agent, o session.OpenOptions) *conversation {
	c := &conversation{a: a, o: o, tools: o.Tools, asking: make(chan struct{}, 1)}
	c.Init(process.Options{Session: o.Session, Now: a.o.Now, Spent: a.o.Spent, Settle: a.o.Settle, IdleAfter: a.o.IdleAfter}, o, func(l *link) {
		detach(c, l)
		<-l.gone
	})
	c.asks = newAsks(c, o.History)
	c.foreign = newForeignPrompts(o.History)
	if o.History != nil {
		c.todos = slices.Clone(o.History.Todos)
	}
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
	ensure := func(ctx context.Context) error { return ensureLink(ctx, c, sending) }
	for {
		l, err := c.Ready(ctx, ensure, c.Abort)
		if err != nil {
			return err
		}
		if c.write(ctx, l, turn, p, o) {
			c.await(ctx, l)
			c.Out.Drain()
			return nil
		}
	}
}

// write opens the turn and sends its prompt. It reports false if the link has gone meanwhile. The end of an open turn is always
// reported.
func (c *conversation) write(ctx context.Context, l *link, turn session.TurnID, p session.Prompt, o session.Origin) bool {
	spent := c.a.o.Spent(c.o.Session)
	c.Mu.Lock()
	if c.Link != l || c.Closed {
		c.Mu.Unlock()
		return false
	}
	c.Out.Put(c.Costs.Late(c.Head(), spent)...)
	c.Costs.Turn = turn
	l.interrupted, l.stalled, l.sent = false, false, turn
	c.Out.Put(l.m.Begin(turn, p, o, c.a.o.Now())...)
	c.Mu.Unlock()
	c.Out.Deliver()
	if err := c.begin(ctx, l, turn, p); err != nil && ctx.Err() == nil {
		c.fail(l, turn, err)
	}
	return true
}

// begin sends the prompt of a turn, or runs the slash command that it is.
func (c *conversation) begin(ctx context.Context, l *link, turn session.TurnID, p session.Prompt) error {
	send := p
	if name, input := splitCommand(ctx, c, l, p); name != "" {
		text, done, err := invoke(ctx, c, l, name, input)
		if err != nil {
			return err
		}
		if done {
			c.finish(l, turn)
			return nil
		}
		send.Text = text
	}
	return c.deliver(ctx, l, send, p.Text, mapper.Source(string(turn)), "enqueue")
}

// finish ends a turn for which the runtime asks no model, such as one that compacts the conversation.
func (c *conversation) finish(l *link, turn session.TurnID) {
	now := c.a.o.Now()
	spent := c.a.o.Spent(c.o.Session)
	c.Mu.Lock()
	if c.Link == l && l.m.Turn() == turn {
		c.Out.Put(c.Costs.Insert(c.adjust(l, l.m.Complete(now)), l.m.Head(now), spent)...)
		c.Mu.Notify()
	}
	c.Mu.Unlock()
	c.Out.Deliver()
}

// fail ends a turn whose prompt the runtime did not take.
func (c *conversation) fail(l *link, turn session.TurnID, err error) {
	now := c.a.o.Now()
	c.Mu.Lock()
	if c.Link == l && l.m.Turn() == turn && !l.m.Taken() {
		c.Out.Put(c.adjust(l, l.m.Fail(session.ProblemOf(err, now), now))...)
		c.Mu.Notify()
	}
	c.Mu.Unlock()
	c.Out.Deliver()
}

// await returns when the turn is over, or the link is and its end has been reported.
func (c *conversation) await(ctx context.Context, l *link) {
	over := func() bool { return c.Link != l || l.over() }
	defer func() {
		if c.Mu.Check(func() bool { return c.Link != l }) {
			<-l.gone
		}
	}()
	c.Await(ctx, over, func() bool { return l.stopping }, c.Abort)
}

// Steer sends a prompt into the running turn. The runtime takes it up with the turn's next request, or makes a turn of it if
// none follows.
func (c *conversation) Steer(ctx context.Context, p session.Prompt) (bool, error) {
	c.Mu.Lock()
	l := c.Link
	if l == nil || c.Closed || !c.Sending || l.m.Turn() == "" || l.stopping {
		c.Mu.Unlock()
		return false, nil
	}
	l.steered[session.TurnID(p.ID)] = true
	c.Mu.Unlock()
	if err := c.deliver(ctx, l, p, p.Text, mapper.Source(string(p.ID)), "immediate"); err != nil {
		c.Mu.Lock()
		delete(l.steered, session.TurnID(p.ID))
		c.Mu.Notify()
		c.Mu.Unlock()
		return false, err
	}
	return true, nil
}
