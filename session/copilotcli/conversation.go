package copilotcli

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"parley/internal/monitor"
	"parley/session"
	"parley/session/copilotcli/mapper"
)

// conversation is one session. Its lock guards the state: events of the runtime are mapped under it, in their order. Events
// are delivered, and calls made to the runtime, without it.
type conversation struct {
	a   *Agent
	o   session.OpenOptions
	out *session.Outbox
	// asks has what the runtime has asked and the user has not answered. It has another lock.
	asks *askBook

	life context.Context // ends when Close begins
	stop context.CancelFunc
	work sync.WaitGroup // goroutines of the conversation

	mu       monitor.Monitor
	gen      session.Generation // of the newest link
	link     *link              // nil while the session is not open in the runtime
	last     *link              // the newest one, even while it ends
	settings session.Settings   // the user's choice
	tools    []session.ClientTool
	costs    session.Costs
	settling bool // somebody waits for requests that outlived their turn
	sending  bool
	crashed  bool // the runtime ended without being asked to
	closed   bool
	idle     *time.Timer     // closes the session in the runtime
	applying chan struct{}   // held while settings are applied
	starting chan struct{}   // held while the session is opened in the runtime
	asking   chan struct{}   // held while a question beside the history is answered
	aside    *aside          // that question, nil for none
	foreign  *foreignPrompts // used while starting is held
	todos    []session.Todo  // as reported last
}

var (
	_ session.Conversation = (*conversation)(nil)
	_ session.Steerer      = (*conversation)(nil)
	_ session.Waker        = (*conversation)(nil)
)

func newConversation(a *Agent, o session.OpenOptions) *conversation {
	life, stop := context.WithCancel(context.Background())
	c := &conversation{a: a, o: o, out: session.NewOutbox(o.Emit), life: life, stop: stop, gen: o.Gen - 1, settings: o.Settings,
		costs: session.Costs{Reported: a.o.Spent(o.Session)}, applying: make(chan struct{}, 1), starting: make(chan struct{}, 1),
		asking: make(chan struct{}, 1)}
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
	const op = "send prompt"
	if turn == "" {
		return invalid(op, errors.New("the turn has no id"))
	}
	if err := ctx.Err(); err != nil {
		return &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
	}
	c.mu.Lock()
	switch {
	case c.closed:
		c.mu.Unlock()
		return &session.Error{Op: op, Kind: session.KindRuntime, Err: errors.New("the conversation is closed")}
	case c.sending:
		c.mu.Unlock()
		return &session.Error{Op: op, Kind: session.KindInternal, Err: errors.New("a turn is running")}
	}
	c.sending = true
	stopIdle(c)
	c.mu.Unlock()
	defer c.endSend()
	for {
		l, err := c.ready(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return &session.Error{Op: op, Kind: session.KindCancelled, Err: ctx.Err()}
			}
			return err
		}
		if c.write(ctx, l, turn, p, o) {
			c.await(ctx, l)
			c.out.Drain()
			return nil
		}
	}
}

// endSend ends a Send.
func (c *conversation) endSend() {
	c.mu.Lock()
	c.sending = false
	startIdle(c)
	c.mu.Notify()
	c.mu.Unlock()
	c.chargeLate()
}

// ready returns a link without a turn that has the current settings: turns that the runtime began by itself and interrupts
// are over.
func (c *conversation) ready(ctx context.Context) (*link, error) {
	for {
		err := c.mu.Wait(ctx, func() bool { return c.link == nil || c.link.over() })
		if err != nil {
			c.Abort() // cancelling the prompt cancels the turn before it
			return nil, err
		}
		if err := ensureLink(ctx, c, sending); err != nil {
			return nil, err
		}
		c.mu.Lock()
		l := c.link
		if c.closed {
			c.mu.Unlock()
			return nil, &session.Error{Op: "send prompt", Kind: session.KindCancelled, Err: errors.New("the conversation is closed")}
		}
		if l != nil && l.over() {
			c.mu.Unlock()
			return l, nil
		}
		c.mu.Unlock()
	}
}

// write opens the turn and sends its prompt. It reports false if the link has gone meanwhile. The end of an open turn is always
// reported.
func (c *conversation) write(ctx context.Context, l *link, turn session.TurnID, p session.Prompt, o session.Origin) bool {
	spent := c.a.o.Spent(c.o.Session)
	c.mu.Lock()
	if c.link != l || c.closed {
		c.mu.Unlock()
		return false
	}
	c.out.Put(c.costs.Late(c.head(), spent)...)
	c.costs.Turn = turn
	l.interrupted, l.stalled, l.sent = false, false, turn
	c.out.Put(l.m.Begin(turn, p, o, c.a.o.Now())...)
	c.mu.Unlock()
	c.out.Deliver()
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
	c.mu.Lock()
	if c.link == l && l.m.Turn() == turn {
		c.out.Put(c.costs.Insert(c.adjust(l, l.m.Complete(now)), l.m.Head(now), spent)...)
		c.mu.Notify()
	}
	c.mu.Unlock()
	c.out.Deliver()
}

// fail ends a turn whose prompt the runtime did not take.
func (c *conversation) fail(l *link, turn session.TurnID, err error) {
	now := c.a.o.Now()
	c.mu.Lock()
	if c.link == l && l.m.Turn() == turn && !l.m.Taken() {
		c.out.Put(c.adjust(l, l.m.Fail(session.ProblemOf(err, now), now))...)
		c.mu.Notify()
	}
	c.mu.Unlock()
	c.out.Deliver()
}

// await returns when the turn is over, or the link is and its end has been reported.
func (c *conversation) await(ctx context.Context, l *link) {
	over := func() bool { return c.link != l || l.over() }
	defer func() {
		if c.mu.Check(func() bool { return c.link != l }) {
			<-l.gone
		}
	}()
	if c.mu.Wait(ctx, over) == nil {
		return
	}
	// An interrupt ends the turn or the link. A steered prompt may have become a turn just then.
	for !c.mu.Check(over) {
		c.Abort()
		_ = c.mu.Wait(context.Background(), func() bool { return over() || !l.stopping })
	}
}

// Steer sends a prompt into the running turn. The runtime takes it up with the turn's next request, or makes a turn of it if
// none follows.
func (c *conversation) Steer(ctx context.Context, p session.Prompt) (bool, error) {
	c.mu.Lock()
	l := c.link
	if l == nil || c.closed || !c.sending || l.m.Turn() == "" || l.stopping {
		c.mu.Unlock()
		return false, nil
	}
	l.steered[session.TurnID(p.ID)] = true
	c.mu.Unlock()
	if err := c.deliver(ctx, l, p, p.Text, mapper.Source(string(p.ID)), "immediate"); err != nil {
		c.mu.Lock()
		delete(l.steered, session.TurnID(p.ID))
		c.mu.Notify()
		c.mu.Unlock()
		return false, err
	}
	return true, nil
}

// head returns the head of an event outside turns. The lock is held.
func (c *conversation) head() session.Head {
	return session.Head{Session: c.o.Session, Gen: c.gen, At: c.a.o.Now()}
}

func (c *conversation) notice(severity session.Severity, text string) session.Event {
	return session.Notice{Head: c.head(), Severity: severity, Text: text}
}
