package live

import (
	"context"
	"errors"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live/label"
	"parley/session/live/queue"
)

// worker delivers the prompts of the queue one after the other, on a goroutine that runs while there are any. Its methods
// take the session's lock unless noted.
type worker struct {
	grace   time.Duration
	state   *state
	storage *storage
	runtime *runtime
	titles  *titles
	label   *label.Label
	life    context.Context // ends when the session begins to close
}

// start starts the delivery unless it runs. The first turn is opened at once, so that the sender can see and interrupt it.
// The lock is held.
func (w *worker) start() {
	q := &w.state.queue
	if q.Working || w.state.closed {
		return
	}
	if w.storage.elsewhere && q.Next() != nil {
		q.Working = true
		crash.Go(w.takeOver)
		return
	}
	it := w.begin()
	if it == nil {
		return
	}
	q.Working = true
	crash.Go(func() { w.work(it) })
}

// takeOver starts the delivery in a session that another process had when it was read.
func (w *worker) takeOver() { w.work(w.next()) }

// next ends the delivery of the current prompt and begins the next one, nil for none. If another process had the session, it
// first opens the journal, so that the events of that process come before the turn. If that fails, the turn reports it.
func (w *worker) next() *queue.Item {
	st := w.state
	st.Lock()
	defer st.Unlock()
	st.queue.Current = nil
	st.queue.TakeBackOffered()
	if w.storage.elsewhere && st.queue.Next() != nil {
		st.Unlock()
		if w.storage.awaitSave(w.life) == nil {
			_ = w.storage.save(w.life, false) // the turn has the same problem and reports it
		}
		st.Lock()
	}
	it := w.begin()
	if it == nil {
		st.queue.Working = false
		st.wake()
		w.storage.saveSoon()
		w.storage.refuse()
	}
	return it
}

// begin takes the next prompt and opens its turn, nil for none. The lock is held.
func (w *worker) begin() *queue.Item {
	st := w.state
	if st.closed {
		return nil
	}
	it := st.queue.Begin()
	if it == nil {
		return nil
	}
	st.turns[it.Turn] = true
	st.publish(session.TurnStarted{Head: st.head(it.Turn), Prompt: it.Prompt, Origin: it.Origin})
	if it.Origin != session.OriginUser { // only now: a kill between the two must not lose the prompt
		st.publish(session.Unqueued{Head: st.head(""), Prompt: it.Prompt.ID, Sent: true})
	}
	return it
}

// work delivers prompts until none waits.
func (w *worker) work(it *queue.Item) {
	for ; it != nil; it = w.next() {
		w.deliver(it)
	}
}

// deliver runs one turn: it opens the session's conversation, sends the prompt and waits for the end of the turn, after an
// interrupt no longer than the grace period.
func (w *worker) deliver(it *queue.Item) {
	defer it.Cancel()
	result := make(chan error, 1)
	left := make(chan struct{})
	crash.Go(func() {
		defer close(left)
		result <- w.send(it)
	})
	select {
	case err := <-result:
		w.finish(it, err)
		return
	case <-it.Ctx.Done():
	}
	grace := time.NewTimer(w.grace)
	defer grace.Stop()
	select {
	case err := <-result:
		w.finish(it, err)
	case <-grace.C:
		w.abandon(it, left)
	}
}

// send sends the prompt to the conversation and returns at the end of its turn. deliver may return before it, so it changes
// the session only while its turn is the current one.
func (w *worker) send(it *queue.Item) error {
	conv, err := w.runtime.open(it)
	if err != nil {
		return err
	}
	if err := w.state.journal.Flush(it.Ctx); err != nil {
		return err
	}
	if err := w.runtime.configured(it.Ctx); err != nil {
		return err
	}
	if err := w.state.admit(it.Ctx); err != nil {
		return err
	}
	return conv.Send(it.Ctx, it.Turn, it.Prompt, it.Origin)
}

// finish ends the turn if the agent has not, and releases a session that could not be opened.
func (w *worker) finish(it *queue.Item, err error) {
	st := w.state
	st.Lock()
	if st.turns[it.Turn] {
		st.endTurn(st.ending(it, err))
	}
	var gone session.Conversation
	if w.runtime.conv != nil && session.KindOf(err) == session.KindRuntime {
		gone = w.runtime.dropConversation()
	}
	unopened := w.runtime.conv == nil && gone == nil
	st.Unlock()
	if gone != nil {
		w.runtime.retire(gone, nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.grace)
	defer cancel()
	// The end is on disk before anything acts on it. The journal's writer reports failures.
	if unopened {
		_ = w.runtime.release(ctx)
	} else {
		_ = st.journal.Flush(ctx)
	}
	w.complete(it, err)
	w.titles.consider()
	w.label.Consider()
}

// complete closes the item's done once the listeners have seen the end of its turn.
func (w *worker) complete(it *queue.Item, err error) {
	w.state.Lock()
	defer w.state.Unlock()
	if it.Ended.Outcome != session.TurnCancelled && it.Ended.Outcome != session.TurnLimit {
		it.Err = err
	}
	w.state.feed.after(func() { close(it.Done) })
}

// ending returns the end of a turn that the agent did not end itself.
func (st *state) ending(it *queue.Item, err error) session.TurnEnded {
	e := session.TurnEnded{Head: st.head(it.Turn)}
	switch kind := session.KindOf(err); {
	case it.Ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)), kind == session.KindCancelled:
		e.Outcome = session.TurnCancelled
		return e
	case kind == session.KindRefused:
		e.Outcome = session.TurnRefused
	default:
		e.Outcome = session.TurnFailed
	}
	if err == nil {
		err = fail(opSend, session.KindInternal, "the agent said nothing of how the turn ended")
	}
	e.Problem = session.ProblemOf(err, e.At)
	return e
}

// abandon gives up a turn whose conversation does not react to an interrupt. It ends the turn, drops later output, and the
// next prompt opens a new conversation once this one is gone.
func (w *worker) abandon(it *queue.Item, left chan struct{}) {
	w.state.Lock()
	w.state.endTurn(session.TurnEnded{Head: w.state.head(it.Turn), Outcome: session.TurnCancelled})
	old := w.runtime.dropConversation()
	w.state.queue.Current = nil
	w.state.Unlock()
	w.runtime.retire(old, left)
	w.complete(it, nil)
}

// offer offers a waiting prompt to the running turn, and keeps it in the queue if the turn does not take it. A taken prompt
// leaves the queue when the agent reports it, in this turn or by opening another.
func (w *worker) offer(c session.Steerer, it *queue.Item) {
	if err := w.state.journal.Flush(w.life); err != nil {
		w.requeue(it)
		return
	}
	if taken, err := c.Steer(w.life, it.Prompt); err != nil || !taken {
		w.requeue(it)
		return
	}
	w.state.Lock()
	over := w.state.queue.Current != it.Into
	it.Offered = true
	w.state.Unlock()
	if over {
		w.requeue(it)
	}
}

// requeue makes an item an ordinary waiting prompt.
func (w *worker) requeue(it *queue.Item) {
	w.state.Lock()
	defer w.state.Unlock()
	it.Steering = false
	w.start()
}
