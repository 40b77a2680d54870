package claude

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"parley/internal/monitor"
	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
	"parley/session/permission"
)

// conversation is one session and the process that runs it. Its lock guards the state: lines of the runtime are mapped
// under it, by the goroutine that reads them. Events are delivered, and requests made to the runtime, without it.
type conversation struct {
	a     *Agent
	o     session.OpenOptions
	out   *session.Outbox
	guard guard.Guard // decides what the runtime may do without asking the user

	life context.Context // ends when Close begins
	stop context.CancelFunc
	work sync.WaitGroup // goroutines of the conversation

	mu       monitor.Monitor
	gen      session.Generation // of the newest process
	id       session.ID         // in the runtime's own files
	rt       *engine            // nil while there is no process
	last     *engine            // the newest process, even while it ends
	settings session.Settings   // the user's choice
	rules    []permission.Rule  // the user's grants for this session
	granted  session.Mode       // the mode that the newest answer allows the runtime to change to
	ids      promptIDs
	costs    session.Costs
	settling bool // somebody waits for requests that outlived their turn
	sending  bool
	crashed  bool // the newest process ended without being asked to
	closed   bool
	idle     *time.Timer   // releases the process
	applying chan struct{} // held while settings are applied
	// customized means that a custom agent holds the conversation, or has held it.
	customized bool
	starting   chan struct{} // held while a process is checked and started
	others     []int         // other processes that the user was warned of
}

var (
	_ session.Conversation = (*conversation)(nil)
	_ session.Steerer      = (*conversation)(nil)
	_ session.Waker        = (*conversation)(nil)
)

func newConversation(a *Agent, o session.OpenOptions) *conversation {
	life, stop := context.WithCancel(context.Background())
	c := &conversation{
		a: a, o: o, out: session.NewOutbox(o.Emit), life: life, stop: stop, gen: o.Gen - 1, id: o.Session, settings: o.Settings,
		guard:    guard.Guard{Dirs: append([]string{o.Dir}, o.Dirs...), Home: a.o.Home, Environ: a.o.Environ, Kept: a.transcripts, Git: permission.WatchGit(life, o.Dir)},
		ids:      promptIDs{session: o.Session, used: map[string]bool{}},
		costs:    session.Costs{Reported: a.o.Spent(o.Session)},
		applying: make(chan struct{}, 1), starting: make(chan struct{}, 1),
	}
	if h := o.History; h != nil {
		c.rules = permission.Granted(h)
		if h.Session != "" {
			c.id = h.Session
		}
	}
	c.customized = customized(o)
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
	c.stopIdle()
	c.mu.Unlock()
	defer c.endSend()
	content, err := promptContent(p)
	if err != nil {
		return invalid(op, err)
	}
	for {
		e, err := c.ready(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return &session.Error{Op: op, Kind: session.KindCancelled, Err: ctx.Err()}
			}
			return err
		}
		if c.write(ctx, e, written{turn: turn, prompt: p}, content, o) {
			c.await(ctx, e)
			c.out.Drain()
			return nil
		}
	}
}

// endSend ends a Send.
func (c *conversation) endSend() {
	c.mu.Lock()
	c.sending = false
	c.startIdle()
	c.mu.Notify()
	c.mu.Unlock()
	c.chargeLate()
}

// ready returns a process without work that has the current settings: autonomous turns and interrupts are over.
func (c *conversation) ready(ctx context.Context) (*engine, error) {
	for {
		err := c.mu.Wait(ctx, func() bool { return c.rt == nil || c.rt.over() && !c.rt.stopping })
		if err != nil {
			c.Abort() // cancelling the prompt cancels the turn before it
			return nil, err
		}
		if err := c.ensureProcess(ctx, sending); err != nil {
			return nil, err
		}
		c.mu.Lock()
		e := c.rt
		if c.closed {
			c.mu.Unlock()
			return nil, &session.Error{Op: "send prompt", Kind: session.KindCancelled, Err: errors.New("the conversation is closed")}
		}
		if e != nil && e.over() && !e.stopping {
			c.mu.Unlock()
			return e, nil
		}
		c.mu.Unlock()
	}
}

// write opens the turn and writes its prompt. It reports false if the process has gone meanwhile. The end of an open turn
// is always reported.
func (c *conversation) write(ctx context.Context, e *engine, w written, content json.RawMessage, o session.Origin) bool {
	spent := c.a.o.Spent(c.o.Session)
	c.mu.Lock()
	if c.rt != e || c.closed {
		c.mu.Unlock()
		return false
	}
	c.out.Put(c.costs.Late(c.head(), spent)...)
	w.uuid = c.ids.next(string(w.turn))
	c.costs.Turn = w.turn
	c.out.Put(e.begin(w, o, c.a.o.Now())...)
	c.mu.Unlock()
	c.out.Deliver()
	if err := e.p.Send(ctx, driver.UserMessage{UUID: w.uuid, Content: content}); err != nil {
		// The prompt may be written in part, which leaves the process unusable.
		c.mu.Lock()
		e.interrupted, e.broken = ctx.Err() != nil, true
		c.mu.Unlock()
		e.kill()
	}
	return true
}

// await returns when everything written to the process is over, or the process is.
func (c *conversation) await(ctx context.Context, e *engine) {
	over := func() bool { return c.rt != e || e.over() }
	if c.mu.Wait(ctx, over) == nil {
		return
	}
	// An interrupt ends the turn or the process. A steered prompt may have become a turn just then.
	for !c.mu.Check(over) {
		c.Abort()
		_ = c.mu.Wait(context.Background(), func() bool { return over() || !e.stopping })
	}
}

// Steer writes a prompt into the running turn. The runtime takes it up with the turn's next request, or makes a turn of it
// if none follows. It interrupts nothing.
func (c *conversation) Steer(ctx context.Context, p session.Prompt) (bool, error) {
	content, err := promptContent(p)
	if err != nil {
		return false, invalid("steer", err)
	}
	c.mu.Lock()
	e := c.rt
	if e == nil || c.closed || !c.sending || e.over() || e.stopping {
		c.mu.Unlock()
		return false, nil
	}
	w := written{uuid: c.ids.next(string(p.ID)), turn: session.TurnID(p.ID), prompt: p, steer: true}
	e.steer(w)
	c.mu.Unlock()
	if err := e.p.Send(ctx, driver.UserMessage{UUID: w.uuid, Content: content, Priority: "next"}); err != nil {
		c.forget(e, w.uuid)
		return false, err
	}
	return true, nil
}

// forget removes a prompt that the runtime will not work on.
func (c *conversation) forget(e *engine, uuid string) {
	c.mu.Lock()
	c.out.Put(c.adjust(e, e.drop(uuid, c.a.o.Now()))...)
	c.mu.Notify()
	c.mu.Unlock()
	c.out.Deliver()
}
