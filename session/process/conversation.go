package process

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/internal/monitor"
	"parley/session"
)

// Link is what a conversation runs on: a process, or a session that is open in one. All methods but Gone are called with the lock
// of the conversation.
type Link interface {
	comparable
	// Turn returns the running turn, "" for none.
	Turn() session.TurnID
	// Ready reports whether a prompt can be sent: no turn runs, no prompt waits, no interrupt is going on.
	Ready() bool
	// Idle reports whether nothing works, in the background neither, and nothing is asked.
	Idle() bool
	// Gone is closed once the end of the link has been reported.
	Gone() <-chan struct{}
}

// Options holds the parts of its agent that a conversation needs. All fields are set.
type Options struct {
	Session session.ID
	Now     func() time.Time
	// Spent returns what the session cost so far, in nano AI units. Settle waits until all of its requests count there.
	Spent  func(id session.ID) int64
	Settle func(ctx context.Context, id session.ID)
	// IdleAfter is the time for which a link without work is kept; negative: forever.
	IdleAfter time.Duration
}

// Conversation is the state that all such conversations have. Mu guards the fields below it; events are put under it and delivered
// without it, and nothing is asked of the runtime while it is held.
type Conversation[L Link] struct {
	Out  *session.Outbox
	Life context.Context // ends when Close begins
	Work sync.WaitGroup  // goroutines of the conversation

	Mu       monitor.Monitor
	Gen      session.Generation // of the newest link
	Link     L                  // the zero value while there is none
	Last     L                  // the newest one, even while it ends
	Settings session.Settings   // the user's choice
	Costs    Costs
	Sending  bool
	Crashed  bool // the newest link ended without being asked to
	Closed   bool

	settling bool // somebody waits for requests that outlived their turn
	idle     *time.Timer
	o        Options
	release  func(L)
	cancel   context.CancelFunc
	applying chan struct{} // held while settings are applied
	starting chan struct{} // held while a link is checked and opened
}

// Init makes the conversation of opened options. release ends a link that was idle, and returns when it is gone.
func (c *Conversation[L]) Init(o Options, open session.OpenOptions, release func(L)) {
	c.Life, c.cancel = context.WithCancel(context.Background())
	c.Out = session.NewOutbox(open.Emit)
	c.Gen, c.Settings = open.Gen-1, open.Settings
	c.Costs = Costs{Reported: o.Spent(o.Session)}
	c.o, c.release = o, release
	c.applying, c.starting = make(chan struct{}, 1), make(chan struct{}, 1)
}

// opSend is the operation in the errors of Begin and Ready.
const opSend = "send prompt"

// Begin begins to send the prompt of a turn. There is one at a time; End ends it.
func (c *Conversation[L]) Begin(ctx context.Context, turn session.TurnID) error {
	if turn == "" {
		return &session.Error{Op: opSend, Kind: session.KindInvalid, Err: errors.New("the turn has no id")}
	}
	if err := ctx.Err(); err != nil {
		return &session.Error{Op: opSend, Kind: session.KindCancelled, Err: err}
	}
	c.Mu.Lock()
	defer c.Mu.Unlock()
	switch {
	case c.Closed:
		return &session.Error{Op: opSend, Kind: session.KindRuntime, Err: errors.New("the conversation is closed")}
	case c.Sending:
		return &session.Error{Op: opSend, Kind: session.KindInternal, Err: errors.New("a turn is running")}
	}
	c.Sending = true
	c.stopIdle()
	return nil
}

// End ends what Begin began.
func (c *Conversation[L]) End() {
	c.Mu.Lock()
	c.Sending = false
	c.startIdle()
	c.Mu.Notify()
	c.Mu.Unlock()
	c.ChargeLate()
}

// Ready returns a link that can take a prompt, once turns that the runtime began by itself and interrupts are over. ensure makes
// sure that there is one with the current settings; abort interrupts what runs if ctx ends meanwhile.
func (c *Conversation[L]) Ready(ctx context.Context, ensure func(context.Context) error, abort func()) (L, error) {
	var none L
	for {
		if err := c.Mu.Wait(ctx, func() bool { return c.Link == none || c.Link.Ready() }); err != nil {
			abort() // cancelling the prompt cancels the turn before it
			return none, &session.Error{Op: opSend, Kind: session.KindCancelled, Err: err}
		}
		if err := ensure(ctx); err != nil {
			if ctx.Err() != nil {
				err = &session.Error{Op: opSend, Kind: session.KindCancelled, Err: ctx.Err()}
			}
			return none, err
		}
		c.Mu.Lock()
		l, closed := c.Link, c.Closed
		ready := l != none && l.Ready()
		c.Mu.Unlock()
		switch {
		case closed:
			return none, &session.Error{Op: opSend, Kind: session.KindCancelled, Err: errors.New("the conversation is closed")}
		case ready:
			return l, nil
		}
	}
}

// Await returns when a turn is over, whose link may be gone then. If ctx ends first it aborts the turn, and again once stopping is
// false: a steered prompt may have become a turn just then. over and stopping are called with the lock.
func (c *Conversation[L]) Await(ctx context.Context, over, stopping func() bool, abort func()) {
	if c.Mu.Wait(ctx, over) == nil {
		return
	}
	for !c.Mu.Check(over) {
		abort()
		_ = c.Mu.Wait(context.Background(), func() bool { return over() || !stopping() })
	}
}

// WakeUp runs ensure for a user who begins to type, unless the conversation is closed, and until it is.
func (c *Conversation[L]) WakeUp(ctx context.Context, ensure func(context.Context) error) error {
	c.Mu.Lock()
	if c.Closed {
		c.Mu.Unlock()
		return nil
	}
	c.Work.Add(1)
	c.Mu.Unlock()
	defer c.Work.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.Life, crash.Guarded(cancel))()
	err := ensure(ctx)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if !c.Sending {
		c.startIdle()
	}
	return err
}

// Starting lets one caller at a time check and open a link. leave ends that.
func (c *Conversation[L]) Starting(ctx context.Context) (leave func(), err error) {
	return enter(ctx, c.starting)
}

// Applying lets one caller at a time bring the link to the settings, so that the newest win. leave ends that.
func (c *Conversation[L]) Applying(ctx context.Context) (leave func(), err error) {
	return enter(ctx, c.applying)
}

func enter(ctx context.Context, held chan struct{}) (leave func(), err error) {
	select {
	case held <- struct{}{}:
		return func() { <-held }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// LastGone waits until the link before is gone: two must not have one session.
func (c *Conversation[L]) LastGone(ctx context.Context) error {
	var none L
	c.Mu.Lock()
	last := c.Last
	c.Mu.Unlock()
	if last == none {
		return nil
	}
	select {
	case <-last.Gone():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Head returns the head of an event outside turns. The lock is held.
func (c *Conversation[L]) Head() session.Head {
	return session.Head{Session: c.o.Session, Gen: c.Gen, At: c.o.Now()}
}

// Notice returns a notice outside turns. The lock is held.
func (c *Conversation[L]) Notice(severity session.Severity, text string) session.Event {
	return session.Notice{Head: c.Head(), Severity: severity, Text: text}
}

// ReportRuntime reports the state of the link about to be opened.
func (c *Conversation[L]) ReportRuntime(state session.RuntimeState, detail string) {
	c.Mu.Lock()
	head := c.Head()
	head.Gen++
	c.Out.Put(session.RuntimeChanged{Head: head, State: state, Detail: detail})
	c.Mu.Unlock()
	c.Out.Deliver()
}
