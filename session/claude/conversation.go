package claude

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
)

// conversation is one session and the process that runs it. The process comes and goes: after a crash, an idle time or a
// change that only a new process takes up, the next prompt starts another one, which resumes.
//
// One lock guards the state. What the runtime says is mapped under it, in the goroutine that reads it, and delivered
// without it. Nothing is asked of the runtime under the lock.
type conversation struct {
	a   *Agent
	o   session.OpenOptions
	out *session.Outbox
	// guard decides what the runtime may do without asking the user.
	guard guard.Guard

	life context.Context // ends when Close begins
	stop context.CancelFunc
	work sync.WaitGroup // goroutines of the conversation's own

	mu       sync.Mutex
	gen      session.Generation // of the newest process
	id       session.ID         // in the runtime's own files
	rt       *engine            // nil while there is no process
	last     *engine            // the newest process, also when it is on its way out
	settings session.Settings   // what the user chose
	rules    []session.Rule     // what the user allowed for this session
	uuids    map[string]bool    // of prompts that were written
	spent    int64              // what the requests have cost, as far as it was told, in nano AI units
	wrote    session.TurnID     // of the newest prompt
	words    string             // what the user has written while the session has no title
	titles   int                // how often one was asked for
	titled   bool
	sending  bool
	granted  session.Mode // the mode that the user's newest answer allows the runtime to change to
	crashed  bool         // the newest process ended without having been asked to
	closed   bool
	changed  chan struct{} // closed, and replaced, when something changed that somebody may wait for
	idle     *time.Timer   // gives the process back
	telling  chan struct{} // holds one: whoever tells the process settings
	starting chan struct{} // holds one: whoever sees to it that there is a process
	rivals   []int         // the processes of others that the user was told of
}

var (
	_ session.Conversation = (*conversation)(nil)
	_ session.Steerer      = (*conversation)(nil)
	_ session.Waker        = (*conversation)(nil)
)

func newConversation(a *Agent, o session.OpenOptions) *conversation {
	life, stop := context.WithCancel(context.Background())
	c := &conversation{a: a, o: o, out: session.NewOutbox(o.Emit), life: life, stop: stop, gen: o.Gen - 1, id: o.Session,
		guard: guard.Guard{Dirs: append([]string{o.Dir}, o.Dirs...), Home: a.o.Home, Environ: a.o.Environ, Kept: a.transcripts}, settings: o.Settings, spent: a.o.Spent(o.Session), uuids: map[string]bool{}, changed: make(chan struct{}), telling: make(chan struct{}, 1), starting: make(chan struct{}, 1)}
	if h := o.History; h != nil {
		c.rules = guard.RulesOf(h)
		c.titled = h.Title != ""
		if h.Session != "" {
			c.id = h.Session
		}
	}
	c.o.History = nil
	return c
}

// note wakes whoever waits for a change. The lock is held.
func (c *conversation) note() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// until waits until the condition, which is asked under the lock, holds.
func (c *conversation) until(ctx context.Context, holds func() bool) error {
	for {
		c.mu.Lock()
		if holds() {
			c.mu.Unlock()
			return nil
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Send delivers a prompt and returns when its turn is over, with the turns of all prompts that were steered into it and
// that the runtime made turns of their own for.
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
	defer c.sent()
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

// sent ends a Send.
func (c *conversation) sent() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sending = false
	c.startIdle()
	c.note()
}

// ready returns a process that rests: a turn that the runtime began itself is over, an interrupt has been dealt with, and
// it runs as the user wants it.
func (c *conversation) ready(ctx context.Context) (*engine, error) {
	for {
		err := c.until(ctx, func() bool { return c.rt == nil || c.rt.over() && !c.rt.stopping })
		if err != nil {
			c.Abort() // the user does not want what goes on either
			return nil, err
		}
		if err := c.current(ctx, sending); err != nil {
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

// write opens the turn and writes its prompt. It reports false if the process has gone meanwhile. Once the turn is open its
// end is told whatever happens.
func (c *conversation) write(ctx context.Context, e *engine, w written, content json.RawMessage, o session.Origin) bool {
	spent := c.a.o.Spent(c.o.Session)
	c.mu.Lock()
	if c.rt != e || c.closed {
		c.mu.Unlock()
		return false
	}
	c.out.Put(c.late(spent)...)
	w.uuid = c.uuidFor(string(w.turn))
	c.wrote = w.turn
	if !c.titled {
		c.words = firstWords(c.words + "\n" + w.prompt.Text)
	}
	c.out.Put(e.begin(w, o, c.a.o.Now())...)
	c.mu.Unlock()
	c.out.Deliver()
	if err := e.p.Send(ctx, driver.UserMessage{UUID: w.uuid, Content: content}); err != nil {
		// It may be written in part. Such a process is of no use any more.
		c.mu.Lock()
		e.interrupted, e.broken = ctx.Err() != nil, true
		c.mu.Unlock()
		c.kill(e)
	}
	return true
}

// await returns when everything written to the process is over, or the process is.
func (c *conversation) await(ctx context.Context, e *engine) {
	over := func() bool { return c.rt != e || e.over() }
	if c.until(ctx, over) == nil {
		return
	}
	// An interrupt ends the turn, or the process. A prompt that was steered may have become a turn just then.
	for !c.holds(over) {
		c.Abort()
		_ = c.until(context.Background(), func() bool { return over() || !e.stopping })
	}
}

// uuidFor returns the UUID under which a prompt is written: the turn's id, so that live and replayed turns share theirs. A
// turn whose id is none gets one made of it. A prompt that is written again, because the process died with it, gets
// another: the runtime drops a message whose UUID it has seen without a word. The lock is held.
func (c *conversation) uuidFor(id string) string {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		parsed = uuid.NewSHA1(uuid.NameSpaceURL, []byte("parley:"+string(c.o.Session)+":"+id))
	}
	for c.uuids[parsed.String()] {
		parsed = uuid.NewSHA1(parsed, []byte("again"))
	}
	c.uuids[parsed.String()] = true
	return parsed.String()
}

// Steer writes a prompt into the running turn. The runtime takes it up with the turn's next request; if there is none, it
// makes a turn of it. Either way nothing that streams is cut off, and nothing is lost.
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
	w := written{uuid: c.uuidFor(string(p.ID)), turn: session.TurnID(p.ID), prompt: p, steer: true}
	e.steer(w)
	c.mu.Unlock()
	if err := e.p.Send(ctx, driver.UserMessage{UUID: w.uuid, Content: content, Priority: "next"}); err != nil {
		c.forget(e, w.uuid)
		return false, err
	}
	return true, nil
}

// forget drops a prompt that the runtime will not work on.
func (c *conversation) forget(e *engine, uuid string) {
	c.mu.Lock()
	c.out.Put(c.adjust(e, e.drop(uuid, c.a.o.Now()))...)
	c.note()
	c.mu.Unlock()
	c.out.Deliver()
}
