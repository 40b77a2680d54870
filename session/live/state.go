package live

import (
	"context"
	"slices"
	"sync"
	"time"

	"parley/session"
	"parley/session/caps"
	"parley/session/live/journal"
	"parley/session/live/queue"
)

// state has a session's lock, and its turns, asks, queue and settings. Its methods need the lock unless they take it; they
// never block or call out. Published events go to the feed and the journal in one order.
type state struct {
	sync.Mutex
	id      session.ID
	now     func() time.Time
	newID   func() string
	feed    *feed
	journal *journal.Writer

	meta     session.Meta
	settings session.Settings
	limits   session.Limits     // of the run; not stored
	account  *caps.Account      // what the session cost, against the user's limits; nil for none
	capped   *session.Problem   // the limit that stopped the newest turn; nil for none
	answer   string             // the schema of answers in this run; not stored
	gen      session.Generation // the newest generation that published
	turns    turns
	asks     asks
	queue    queue.Queue
	work     work
	scripts  *scripts
	idle     []chan struct{} // closed by wake
	closed   bool
}

func newState(d *Deps, meta session.Meta) *state {
	st := &state{id: meta.ID, now: d.Now, newID: d.NewID, meta: meta, turns: turns{}, asks: asks{open: map[session.AskID]*openAsk{}}, account: d.Caps.Account(meta.ID, meta.Created)}
	st.feed = &feed{idle: st.lockAndWake}
	st.journal = journal.New(&st.feed.Log, d.FlushEvery, st.reportUnwritten)
	return st
}

// describe returns the session's current description.
func (st *state) describe() session.Meta {
	m := st.meta
	m.Dirs = slices.Clone(m.Dirs)
	m.Model = st.settings.Model
	m.Turns = len(st.turns)
	return m
}

// head returns the head of an event that the session publishes itself.
func (st *state) head(turn session.TurnID) session.Head {
	return session.Head{Session: st.id, Turn: turn, Gen: st.gen, At: st.now()}
}

// headLike returns the head of an event of the session, in the turn and the child of h.
func (st *state) headLike(h session.Head) session.Head {
	own := st.head(h.Turn)
	own.Child = h.Child
	return own
}

// notice returns a notice that belongs to no turn.
func (st *state) notice(severity session.Severity, text string) session.Notice {
	return session.Notice{Head: st.head(""), Severity: severity, Text: text}
}

// publish makes e part of the session: its log, which listeners and the journal read.
func (st *state) publish(e session.Event) {
	st.work.note(e)
	st.account.Note(e)
	st.feed.add(e)
	st.touch(e)
}

// announce adds e to the log for the listeners, but not for the journal, which has it or must not get it.
func (st *state) announce(e session.Event) {
	st.work.note(e)
	st.account.Note(e)
	st.journal.Pass(func() { st.feed.add(e) })
}

// touch moves the time of the last change up to that of e.
func (st *state) touch(e session.Event) {
	if at := e.Header().At; at.After(st.meta.Updated) {
		st.meta.Updated = at
	}
}

// wake wakes every waiter.
func (st *state) wake() {
	for _, w := range st.idle {
		close(w)
	}
	st.idle = nil
}

// lockAndWake wakes every waiter. It takes the lock.
func (st *state) lockAndWake() {
	st.Lock()
	defer st.Unlock()
	st.wake()
}

// waitWhile returns when the condition no longer holds, or with the error of ctx. It takes the lock, under which it checks.
func (st *state) waitWhile(ctx context.Context, holds func() bool) error {
	for {
		st.Lock()
		if !holds() {
			st.Unlock()
			return nil
		}
		w := make(chan struct{})
		st.idle = append(st.idle, w)
		st.Unlock()
		select {
		case <-w:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// busy reports whether a turn runs, a prompt waits to be delivered, or a listener has events to see.
func (st *state) busy() bool {
	return st.queue.Working || st.feed.busy() || st.turns.running()
}

// reportUnwritten publishes that the journal cannot be written, and with nil that it has everything again. It takes the lock.
func (st *state) reportUnwritten(err error) {
	severity, text := session.Info, "This conversation is saved again; nothing of it was lost."
	if err != nil {
		severity, text = session.Warning, "Couldn't save this conversation; parley keeps retrying. "+session.ProblemOf(err, st.now()).What
	}
	st.Lock()
	defer st.Unlock()
	st.publish(st.notice(severity, text))
}
