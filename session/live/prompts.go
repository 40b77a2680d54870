package live

import (
	"context"
	"slices"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live/queue"
)

const opSend = "send prompt"

// Send queues a prompt and returns its id, which is also that of its turn. It is delivered after the prompts before it; while
// it waits, the session publishes Queued, then Unqueued. A prompt with no id, or with a used one, gets a new id. A prompt
// that cannot be delivered becomes a failed turn. The error is of kind [session.KindInvalid] if the session is closed.
func (s *local) Send(p session.Prompt) (session.PromptID, error) {
	it, err := s.send(s.filled(p))
	if err != nil {
		return "", err
	}
	return it.Prompt.ID, nil
}

func (s *local) send(p session.Prompt) (*queue.Item, error) {
	s.state.Lock()
	defer s.state.Unlock()
	it, err := s.state.newItem(p)
	if err != nil {
		return nil, err
	}
	q := &s.state.queue
	later := p.After.After(s.state.now())
	if q.Working || q.Next() != nil || later {
		it.Origin = session.OriginQueued
		s.state.publish(session.Queued{Head: s.state.head(""), Prompt: it.Prompt})
	}
	q.Items = append(q.Items, it)
	if later {
		it.Held, it.Due = true, true
		s.storage.saveSoon()
		crash.Go(func() { ripen(s, it) })
	}
	s.worker.start()
	return it, nil
}

// lookAgain is how often a prompt that waits for a time looks at the clock: a timer alone stands still while the machine sleeps.
const lookAgain = time.Minute

// ripen makes a prompt deliverable at its time, unless it was taken back or sent before. It takes the lock.
func ripen(s *local, it *queue.Item) {
	st := s.state
	st.Lock()
	defer st.Unlock()
	if st.closed || !it.Held || !slices.Contains(st.queue.Items, it) {
		return
	}
	if wait := it.Prompt.After.Sub(st.now().Round(0)); wait > 0 {
		time.AfterFunc(min(wait, lookAgain), crash.Guarded(func() { ripen(s, it) }))
		return
	}
	it.Held, it.Due = false, false
	s.worker.start()
}

// newItem returns an item of p. The error is of kind [session.KindInvalid] if the session is closed.
func (st *state) newItem(p session.Prompt) (*queue.Item, error) {
	if st.closed {
		return nil, &session.Error{Op: opSend, Kind: session.KindInvalid, Err: errClosed}
	}
	if p.ID == "" || st.turns.known(session.TurnID(p.ID)) || st.queue.Index(p.ID) >= 0 {
		p.ID = session.PromptID(st.newID())
	}
	p.Attachments = slices.Clone(p.Attachments)
	if st.meta.First == "" {
		st.meta.First = session.Subject(p.Text)
	}
	return queue.New(p, session.OriginUser), nil
}

// Steer delivers a prompt into the running turn if the agent can, and otherwise leaves it in the queue. It is queued first,
// so that it is never lost; Steered reports that the agent took it.
func (s *local) Steer(p session.Prompt) (session.PromptID, error) {
	p = s.filled(p)
	s.state.Lock()
	steerer, can := s.runtime.conv.(session.Steerer)
	q := &s.state.queue
	if !can || q.Current == nil || s.state.closed {
		s.state.Unlock()
		return s.Send(p)
	}
	defer s.state.Unlock()
	it, err := s.state.newItem(p)
	if err != nil {
		return "", err
	}
	it.Origin, it.Steering, it.Into = session.OriginQueued, true, q.Current
	q.Items = append(q.Items, it)
	s.state.publish(session.Queued{Head: s.state.head(""), Prompt: it.Prompt})
	crash.Go(func() { s.worker.offer(steerer, it) })
	return it.Prompt.ID, nil
}

// Unqueue removes a waiting prompt from the queue and returns it, false if it no longer waits.
func (s *local) Unqueue(id session.PromptID) (session.Prompt, bool) {
	s.state.Lock()
	defer s.state.Unlock()
	it := s.state.queue.Withdraw(id)
	if it == nil {
		return session.Prompt{}, false
	}
	s.state.publish(session.Unqueued{Head: s.state.head(""), Prompt: id})
	it.Drop(fail(opSend, session.KindCancelled, "it was taken back"))
	s.storage.saveSoon()
	return it.Prompt, true
}

// Move moves a waiting prompt by step places towards the end of the queue, below zero towards the front. It is atomic: no
// prompt is delivered meanwhile, and Requeued comes before later events of the queue. It reports false if the prompt no
// longer waits, is being offered to the running turn, or is at that end.
func (s *local) Move(id session.PromptID, step int) bool {
	s.state.Lock()
	defer s.state.Unlock()
	if s.state.closed {
		return false
	}
	before, moved := s.state.queue.Move(id, step)
	if !moved {
		return false
	}
	s.state.publish(session.Requeued{Head: s.state.head(""), Prompt: id, Before: before})
	s.storage.saveSoon()
	return true
}

// Hold makes the prompts that wait do so until Release, and returns their number: the user who interrupts a turn may no longer want
// them. One that is offered to the running turn is held too, unless the agent takes it. Later prompts are delivered.
func (s *local) Hold() int {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.queue.Hold()
	return len(s.state.queue.Items)
}

// Held returns the waiting prompts that are held, nil for none.
func (s *local) Held() map[session.PromptID]bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.queue.Held()
}

// Release makes held prompts and those of an earlier process deliverable, in their order and before later ones, and returns their
// number. Until then they wait, because the user may no longer want them.
func (s *local) Release() int {
	s.state.Lock()
	defer s.state.Unlock()
	n := s.state.queue.Release()
	s.worker.start()
	return n
}

// Ask sends a prompt and waits for the end of its turn, for headless callers. The error is that of Send; the result has the
// outcome, also of a prompt that could not be delivered. When Ask returns, every listener has seen the end of the turn.
// Cancelling ctx aborts the turn, or removes a waiting prompt, and returns the outcome.
func (s *local) Ask(ctx context.Context, p session.Prompt) (session.TurnEnded, error) {
	it, err := s.send(s.filled(p))
	if err != nil {
		return session.TurnEnded{}, err
	}
	select {
	case <-it.Done:
	case <-ctx.Done():
		if _, ok := s.Unqueue(it.Prompt.ID); !ok {
			abortItem(s, it)
		}
		<-it.Done
	}
	return it.Ended, it.Err
}

// dueTurn is the time that an agent has to begin the turn for the end of a child agent, if it cannot say whether one is due.
const dueTurn = 10 * time.Second

// Settle returns once no child agent works in the background and the turns that their ends begin are over, or with the error of
// ctx. Commands in the background do not count. No prompt may be sent meanwhile.
func (s *local) Settle(ctx context.Context) error {
	if err := s.Wait(ctx); err != nil {
		return err
	}
	if c, ok := s.conversation().(session.Settler); ok {
		if err := c.Settle(ctx); err != nil {
			return err
		}
		return s.Wait(ctx)
	}
	for {
		st := s.state
		st.Lock()
		children, turns := len(st.work.children), len(st.turns)
		st.Unlock()
		if children == 0 {
			return nil
		}
		if err := st.waitWhile(ctx, func() bool { return len(st.work.children) > 0 }); err != nil {
			return err
		}
		due, cancel := context.WithTimeout(ctx, dueTurn)
		_ = st.waitWhile(due, func() bool { return len(st.turns) == turns }) // none may come
		cancel()
		if err := s.Wait(ctx); err != nil {
			return err
		}
	}
}

// Recorded returns once what the ended calls have changed in files is known and every listener has seen it, or with the error of ctx.
func (s *local) Recorded(ctx context.Context) error {
	if t, ok := s.runtime.files.tracker.(session.FileRecorder); ok {
		if err := t.Recorded(ctx); err != nil {
			return err
		}
	}
	return s.Wait(ctx)
}

// Wait returns when no turn runs and no prompt is queued, or when ctx ends. Prompts of an earlier process count only after
// Release.
func (s *local) Wait(ctx context.Context) error { return s.state.waitWhile(ctx, s.state.busy) }
