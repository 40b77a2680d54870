package sessiontest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// Agent is an agent whose turns a test plays. Make it with [NewAgent].
type Agent struct {
	name string
	log  *Log

	mu     sync.Mutex
	script func(t *Turn)
	onOpen func(ctx context.Context, o session.OpenOptions) error
	deaf   bool
	steers bool
	onWork func(c *Conversation, r WorkRequest) error
	all    []*Conversation
	turns  chan *Turn
}

// NewAgent makes an agent of that name.
func NewAgent(name string) *Agent { return &Agent{name: name, turns: make(chan *Turn, 1024)} }

// Script makes every turn play f from now on, in the goroutine that delivers the prompt, instead of handing it to
// [Agent.Turn]. A turn that f leaves open ends completed.
func (a *Agent) Script(f func(t *Turn)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.script = f
}

// OnOpen makes f decide how opening a conversation goes: an error is returned from Open.
func (a *Agent) OnOpen(f func(ctx context.Context, o session.OpenOptions) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.onOpen = f
}

// Deaf makes turns of conversations opened from now on ignore interrupts, as one does whose stream is dead. Closing the
// conversation still ends them.
func (a *Agent) Deaf(deaf bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.deaf = deaf
}

// Steerable makes conversations opened from now on take prompts into a running turn, see [Turn.Steered].
func (a *Agent) Steerable(yes bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.steers = yes
}

// Conversations returns all conversations ever opened.
func (a *Agent) Conversations() []*Conversation {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// Turn waits for the next prompt to be delivered and returns its turn. It fails the test if the test ends first.
func (a *Agent) Turn(tb testing.TB) *Turn {
	tb.Helper()
	select {
	case t := <-a.turns:
		return t
	case <-tb.Context().Done():
		tb.Fatal("no prompt was delivered")
		return nil
	}
}

// Pending returns how many delivered prompts wait for [Agent.Turn].
func (a *Agent) Pending() int { return len(a.turns) }

// Name returns the agent's name.
func (a *Agent) Name() string { return a.name }

// Open begins a conversation.
func (a *Agent) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	a.log.Add("agent open")
	a.mu.Lock()
	onOpen := a.onOpen
	a.mu.Unlock()
	if onOpen != nil {
		if err := onOpen(ctx, o); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	c := &Conversation{Options: o, agent: a, deaf: a.deaf, settings: o.Settings, asks: map[session.AskID]*ask{}, closed: make(chan struct{})}
	a.all = append(a.all, c)
	w := works{c, a.onWork}
	switch {
	case a.steers && a.onWork != nil:
		return &steerWorkable{c, steers{c}, w}, nil
	case a.steers:
		return &steerable{c, steers{c}}, nil
	case a.onWork != nil:
		return &workable{c, w}, nil
	}
	return c, nil
}

// Conversation is one conversation of an [Agent]. It keeps the promises of [session.Conversation].
type Conversation struct {
	// Options are the options of the call that opened it.
	Options session.OpenOptions

	agent *Agent
	deaf  bool

	mu       sync.Mutex
	settings session.Settings
	turn     *Turn
	asks     map[session.AskID]*ask
	isClosed bool
	closed   chan struct{}
}

type ask struct {
	asked  session.Asked
	answer chan session.Answer // holds one
}

// Settings returns what the conversation was configured to last.
func (c *Conversation) Settings() session.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings
}

// Emit emits events of the conversation, outside of a turn unless their heads name one. Empty fields of their heads are
// filled in.
func (c *Conversation) Emit(events ...session.Event) {
	for _, e := range events {
		c.Options.Emit(withHead(e, session.Head{Session: c.Options.Session, Gen: c.Options.Gen}))
	}
}

// Send delivers a prompt to the test and returns when the turn is over.
func (c *Conversation) Send(ctx context.Context, id session.TurnID, p session.Prompt, o session.Origin) error {
	c.agent.log.Add("conversation send")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &Turn{ID: id, Prompt: p, Origin: o, c: c, ctx: ctx, cancel: cancel, over: make(chan struct{}),
		steered: make(chan session.Prompt, 64)}
	c.mu.Lock()
	if c.isClosed {
		c.mu.Unlock()
		return errClosed
	}
	c.turn = t
	c.mu.Unlock()
	t.Emit(session.TurnStarted{Prompt: p, Origin: o})
	c.agent.mu.Lock()
	script := c.agent.script
	c.agent.mu.Unlock()
	if script != nil {
		crash.Go(func() {
			script(t)
			t.End(session.TurnCompleted)
		})
	} else {
		c.agent.turns <- t
	}
	interrupted := ctx.Done()
	if c.deaf {
		interrupted = nil
	}
	select {
	case <-t.over:
	case <-interrupted:
		t.End(session.TurnCancelled)
	case <-c.closed:
		t.End(session.TurnCancelled)
	}
	return t.result()
}

var errClosed = &session.Error{Op: "send prompt", Kind: session.KindRuntime, Err: errors.New("the conversation is closed")}

// Abort interrupts the running turn.
func (c *Conversation) Abort() {
	c.agent.log.Add("conversation abort")
	c.mu.Lock()
	t := c.turn
	c.mu.Unlock()
	if t != nil {
		t.cancel()
	}
}

// Answer answers an open ask, emits Settled and hands the answer to the test.
func (c *Conversation) Answer(id session.AskID, answer session.Answer) error {
	c.agent.log.Add("conversation answer")
	c.mu.Lock()
	a := c.asks[id]
	delete(c.asks, id)
	c.mu.Unlock()
	if a == nil {
		return &session.Error{Op: "answer", Kind: session.KindNotFound, Err: errors.New("no such ask")}
	}
	h := a.asked.Head
	h.At = time.Now()
	c.Options.Emit(session.Settled{Head: h, Ask: id, How: session.SettledAnswered, Answer: answer})
	a.answer <- answer
	return nil
}

// Configure takes settings.
func (c *Conversation) Configure(_ context.Context, s session.Settings) error {
	c.agent.log.Add("conversation configure")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settings = s
	return nil
}

// Close ends the running turn and the conversation.
func (c *Conversation) Close(ctx context.Context) error {
	c.mu.Lock()
	if c.isClosed {
		c.mu.Unlock()
		return nil
	}
	c.isClosed = true
	t := c.turn
	close(c.closed)
	c.mu.Unlock()
	if t != nil {
		select {
		case <-t.over:
		case <-ctx.Done():
		}
	}
	c.agent.log.Add("conversation close")
	return nil
}
