package cloud

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"parley/copilot/cloud"
	"parley/internal/crash"
	"parley/session"
)

// conversation is one task. The goroutines that follow its sessions emit through the outbox; no lock is held meanwhile.
type conversation struct {
	a    *Agent
	o    session.OpenOptions
	out  *session.Outbox
	life context.Context // ends with Close
	end  context.CancelCauseFunc

	mu      sync.Mutex
	rec     *record // nil until it was read or made
	remote  session.Remote
	turns   map[session.TurnID]context.CancelCauseFunc // being followed
	sending int                                        // prompts being delivered: their sessions are not somebody else's
	closed  bool
	running sync.WaitGroup
	stop    context.CancelFunc // ends watching; nil if nothing is watched
	woken   chan struct{}      // holds one
}

var (
	_ session.Conversation = (*conversation)(nil)
	_ session.Waker        = (*conversation)(nil)
)

// The reasons why following ends.
var (
	errAborted = errors.New("interrupted")
	errClosed  = errors.New("the conversation is closed")
)

// Send starts the task or comments on its pull request, and follows the session that answers. A turn that the service already
// has is only followed.
func (c *conversation) Send(ctx context.Context, turn session.TurnID, p session.Prompt, _ session.Origin) error {
	ctx, done, err := c.begin(ctx, turn)
	if err != nil {
		return err
	}
	defer done()
	rec, err := c.record(ctx)
	if err != nil {
		return err
	}
	s, delivered := c.sessionOf(rec, turn)
	if !delivered {
		if err := check(p); err != nil {
			return err
		}
		if s, err = c.deliver(ctx, rec, turn, p); err != nil {
			return err
		}
	}
	if s == "" {
		if s, err = c.await(ctx, rec, turn); err != nil {
			c.leave(turn, "GitHub has not begun to work on this prompt yet.", err)
			return nil
		}
	}
	c.follow(ctx, turn, s)
	c.watch()
	return nil
}

// begin registers a turn. Its context ends with ctx, Abort and Close.
func (c *conversation) begin(ctx context.Context, turn session.TurnID) (context.Context, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, &session.Error{Op: opSend, Kind: session.KindInvalid, Err: errClosed}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	detach := context.AfterFunc(c.life, crash.Guarded(func() { cancel(errClosed) }))
	c.turns[turn] = cancel
	c.running.Add(1)
	return ctx, func() {
		detach()
		cancel(nil)
		c.mu.Lock()
		delete(c.turns, turn)
		c.mu.Unlock()
		c.running.Done()
	}, nil
}

// record returns what this machine knows of the task; for one that was begun elsewhere, what the service knows. A task that
// has not begun has an empty one.
func (c *conversation) record(ctx context.Context) (*record, error) {
	c.mu.Lock()
	rec := c.rec
	c.mu.Unlock()
	if rec != nil {
		return rec, nil
	}
	rec, err := c.a.records.load(ctx, c.o.Session)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		rec = &record{ID: c.o.Session, Dir: c.o.Dir}
		if c.o.History != nil && c.o.History.Remote != nil {
			if err := c.adopt(ctx, rec); err != nil {
				return nil, err
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rec = rec
	if c.o.History != nil && c.o.History.Remote != nil {
		c.remote = *c.o.History.Remote
	}
	return rec, nil
}

// adopt fills the record of a task that was begun elsewhere.
func (c *conversation) adopt(ctx context.Context, rec *record) error {
	w, err := c.a.find(ctx, rec.ID)
	if err != nil {
		return err
	}
	for _, s := range w.sessions {
		rec.Turns = append(rec.Turns, turnRecord{Turn: session.TurnID(s.ID), Session: s.ID, Prompt: s.Name, Sent: s.Created})
	}
	for i := range rec.Turns {
		rec.Turns[i].Prompt = promptOf(w, i, nil)
	}
	rec.setPull(w.pull)
	return nil
}

// change changes the record and stores it.
func (c *conversation) change(rec *record, do func()) {
	c.mu.Lock()
	do()
	err := c.a.records.save(rec)
	c.mu.Unlock()
	if err != nil {
		c.emit(session.Notice{Head: c.head(""), Severity: session.Warning, Text: session.ProblemOf(err, c.a.o.Now()).What})
	}
}

// target returns where a first prompt begins its work.
func (c *conversation) target(ctx context.Context, p session.Prompt) (session.RemoteTarget, error) {
	t := session.RemoteTarget{}
	if p.Target != nil {
		t = *p.Target
	}
	if t.Repository == "" {
		own, err := c.a.Target(ctx, c.o.Dir)
		if err != nil {
			return t, err
		}
		t.Repository = own.Repository
		t.Base = cmp.Or(t.Base, own.Base)
	}
	t.Agent = cmp.Or(t.Agent, customName(c.o.Settings.Custom))
	return t, nil
}

// customName returns the name of a custom agent as the service knows it, for its name or the path of its file.
func customName(custom string) string {
	if !filepath.IsAbs(custom) {
		return custom
	}
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(custom), ".md"), ".agent")
}

// head returns the head of an event.
func (c *conversation) head(turn session.TurnID) session.Head {
	return session.Head{Session: c.o.Session, Turn: turn, Gen: c.o.Gen, At: c.a.o.Now()}
}

// emit emits events in order.
func (c *conversation) emit(events ...session.Event) {
	c.out.Put(events...)
	c.out.Deliver()
}

// report emits what is known of the task if it has changed.
func (c *conversation) report(turn session.TurnID, r session.Remote) {
	c.mu.Lock()
	same := equal(c.remote, r)
	c.remote = r
	c.mu.Unlock()
	if !same {
		c.emit(session.RemoteChanged{Head: c.head(turn), Remote: r})
	}
}

// equal reports whether two descriptions say the same.
func equal(a, b session.Remote) bool {
	if (a.Pull == nil) != (b.Pull == nil) || a.Pull != nil && *a.Pull != *b.Pull {
		return false
	}
	a.Pull, b.Pull = nil, nil
	return a == b
}

// leave ends a turn here that goes on at the service. err, if any, is why it cannot be followed.
func (c *conversation) leave(turn session.TurnID, what string, err error) {
	p := &session.Problem{Kind: session.KindCancelled, What: what, Next: "The task continues on GitHub. Resume this session to follow it."}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errAborted) && !errors.Is(err, errClosed) && !errors.Is(err, errLate) {
		why := session.ProblemOf(c.a.fail(err), c.a.o.Now())
		p.Kind, p.What = why.Kind, why.What
	}
	c.mu.Lock()
	page := c.remote.URL
	c.mu.Unlock()
	if page != "" {
		p.Next = "The task continues on GitHub. Stop it there: " + page
	}
	c.emit(session.TurnEnded{Head: c.head(turn), Outcome: session.TurnElsewhere, Problem: p})
}

// Abort stops following. The service has no request that stops a task.
func (c *conversation) Abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.turns {
		cancel(errAborted)
	}
}

// Answer fails: the service asks nothing here.
func (c *conversation) Answer(session.AskID, session.Answer) error {
	return &session.Error{Op: "answer", Kind: session.KindNotFound, Err: errors.New("the cloud agent asks nothing here")}
}

// Configure accepts every choice: the service chooses the model itself.
func (c *conversation) Configure(context.Context, session.Settings) error { return nil }

// Close stops following and waits until no goroutine of the conversation is left.
func (c *conversation) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.end(errClosed)
	gone := make(chan struct{})
	crash.Go(func() {
		defer close(gone)
		c.running.Wait()
		c.out.Stop()
	})
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return &session.Error{Op: "close the task", Kind: session.KindStalled, Err: ctx.Err()}
	}
}

// Wake looks at the pull request again.
func (c *conversation) Wake(context.Context) error {
	select {
	case c.woken <- struct{}{}:
	default:
	}
	c.watch()
	return nil
}

// sessionOf returns the session of a turn, which is empty if it has not begun, and whether the turn was delivered.
func (c *conversation) sessionOf(rec *record, turn session.TurnID) (id string, delivered bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := rec.turn(turn); t != nil {
		return t.Session, true
	}
	return "", false
}

// known returns the recorded repository and base, and the pull request, nil if there is none. Only its ids, number and address
// are known.
func (c *conversation) known() (repository, base string, p *cloud.Pull) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rec == nil {
		return "", "", nil
	}
	if c.rec.Pull.ID != 0 {
		pull := c.rec.Pull.pull()
		p = &pull
	}
	return c.rec.Repository, c.rec.Base, p
}
