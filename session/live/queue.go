package live

import (
	"context"
	"parley/session"
	"slices"
)

// item is one prompt on its way.
type item struct {
	prompt session.Prompt
	turn   session.TurnID
	origin session.Origin
	// held prompts were left over by a process that died; steering ones are being offered to the running turn. Neither is
	// delivered.
	held, steering bool
	// into is the prompt whose turn a steering one was offered to; offered says that the agent took the offer.
	into    *item
	offered bool

	// What follows is set once the prompt is being delivered.
	ctx    context.Context
	cancel context.CancelFunc
	ended  session.TurnEnded

	// done is closed when the turn is over and everybody has been told, or when the prompt will never be delivered; err then
	// says why nothing was delivered.
	done chan struct{}
	err  error
}

// Send queues a prompt and returns its id, which is also that of its turn. It is delivered as soon as everything sent
// before it is done; until then the session emits Queued, and Unqueued when it is delivered. A prompt without an id, or
// with one that was used before, gets a new one. What goes wrong later is told by events: a prompt that cannot be
// delivered is a turn that failed. The error is of kind [KindInvalid] if the session is closed.
func (s *Session) Send(p session.Prompt) (session.PromptID, error) {
	it, err := s.send(p)
	if err != nil {
		return "", err
	}
	return it.prompt.ID, nil
}

func (s *Session) send(p session.Prompt) (*item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, err := s.newItem(p)
	if err != nil {
		return nil, err
	}
	if s.working || s.waiting() != nil {
		it.origin = session.OriginQueued
		s.say(session.Queued{Head: s.head(""), Prompt: it.prompt})
	}
	s.queue = append(s.queue, it)
	s.startWork()
	return it, nil
}

// newItem makes an item of p. The lock is held.
func (s *Session) newItem(p session.Prompt) (*item, error) {
	if s.closed {
		return nil, &session.Error{Op: "send prompt", Kind: session.KindInvalid, Err: errClosed}
	}
	if p.ID == "" || s.known(p.ID) {
		p.ID = session.PromptID(s.m.d.NewID())
	}
	p.Attachments = slices.Clone(p.Attachments)
	if s.meta.First == "" {
		s.meta.First = session.Subject(p.Text)
	}
	return &item{prompt: p, turn: session.TurnID(p.ID), origin: session.OriginUser, done: make(chan struct{})}, nil
}

func (s *Session) known(id session.PromptID) bool {
	_, begun := s.turns[session.TurnID(id)]
	return begun || slices.ContainsFunc(s.queue, func(it *item) bool { return it.prompt.ID == id })
}

// waiting returns the first prompt that may be delivered. The lock is held.
func (s *Session) waiting() *item {
	for _, it := range s.queue {
		if !it.held && !it.steering {
			return it
		}
	}
	return nil
}

// startWork begins to deliver what waits, unless that goes on already. The first turn is opened at once, so that whoever
// sent its prompt can see and interrupt it. The lock is held.
func (s *Session) startWork() {
	if s.working || s.closed {
		return
	}
	if s.elsewhere && s.waiting() != nil {
		s.working = true
		go s.takeOver()
		return
	}
	it := s.begin()
	if it == nil {
		return
	}
	s.working = true
	go s.work(it)
}

// takeOver opens the journal of a session that another process had when it was last looked at, and delivers prompts then:
// what that process did comes before them. Where it still has the session, their turns say so.
func (s *Session) takeOver() {
	if s.awaitKeeping(s.life) == nil {
		_ = s.keepChoices(s.life, false) // what goes wrong the turn meets again, and tells
	}
	s.mu.Lock()
	it := s.begin()
	if it == nil {
		s.working = false
		s.rest()
	}
	s.mu.Unlock()
	s.work(it)
}

// begin takes the next prompt and opens its turn; nil if there is none. The lock is held.
func (s *Session) begin() *item {
	it := s.waiting()
	if it == nil || s.closed {
		return nil
	}
	s.queue = slices.DeleteFunc(s.queue, func(o *item) bool { return o == it })
	it.ctx, it.cancel = context.WithCancel(context.Background())
	s.current = it
	s.turns[it.turn] = true
	if it.origin != session.OriginUser {
		s.say(session.Unqueued{Head: s.head(""), Prompt: it.prompt.ID, Sent: true})
	}
	s.say(session.TurnStarted{Head: s.head(it.turn), Prompt: it.prompt, Origin: it.origin})
	return it
}

// work delivers one prompt after the other until none waits.
func (s *Session) work(it *item) {
	for it != nil {
		s.deliver(it)
		s.mu.Lock()
		s.current = nil
		s.takeBack()
		if it = s.begin(); it == nil {
			s.working = false
			s.rest()
			s.keepSoon()
		}
		s.mu.Unlock()
	}
}

// Steer delivers a prompt into the running turn where the agent can, and queues it otherwise. It is queued first, so that
// it is never lost; Steered tells that the agent took it.
func (s *Session) Steer(p session.Prompt) (session.PromptID, error) {
	s.mu.Lock()
	steerer, can := s.conv.(session.Steerer)
	if !can || s.current == nil || s.closed {
		s.mu.Unlock()
		return s.Send(p)
	}
	it, err := s.newItem(p)
	if err != nil {
		s.mu.Unlock()
		return "", err
	}
	it.origin, it.steering, it.into = session.OriginQueued, true, s.current
	s.queue = append(s.queue, it)
	s.say(session.Queued{Head: s.head(""), Prompt: it.prompt})
	s.mu.Unlock()
	go s.steer(s.life, steerer, it)
	return it.prompt.ID, nil
}

// steer offers a waiting prompt to the running turn, and leaves it to the queue if that does not take it. A prompt that
// was taken leaves the queue when the agent says so, in this turn or by opening one of its own for it.
func (s *Session) steer(ctx context.Context, c session.Steerer, it *item) {
	if err := s.recorded(ctx); err != nil {
		s.keepWaiting(it)
		return
	}
	if taken, err := c.Steer(ctx, it.prompt); err != nil || !taken {
		s.keepWaiting(it)
		return
	}
	s.mu.Lock()
	over := s.current != it.into
	it.offered = true
	s.mu.Unlock()
	if over {
		s.keepWaiting(it)
	}
}

// takeBack makes the prompts wait that an agent took for a turn that is over now and did nothing with, as it happens when
// the turn is interrupted. The lock is held.
func (s *Session) takeBack() {
	for _, it := range s.queue {
		if it.offered {
			it.steering = false
		}
	}
}

// keepWaiting makes an item wait as an ordinary prompt.
func (s *Session) keepWaiting(it *item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it.steering = false
	s.startWork()
}

// takeWaiting takes a prompt out of the queue because the agent has it. The lock is held.
func (s *Session) takeWaiting(id session.PromptID) {
	s.queue = slices.DeleteFunc(s.queue, func(it *item) bool { return id != "" && it.prompt.ID == id })
}

// Unqueue takes a waiting prompt back and returns it. It reports false if it no longer waits.
func (s *Session) Unqueue(id session.PromptID) (session.Prompt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, it := range s.queue {
		if it.prompt.ID != id || it.steering {
			continue
		}
		s.takeWaiting(id)
		s.say(session.Unqueued{Head: s.head(""), Prompt: id})
		s.drop(it, s.fail("send prompt", session.KindCancelled, "it was taken back"))
		s.keepSoon()
		return it.prompt, true
	}
	return session.Prompt{}, false
}

// Release lets the prompts go that an earlier process left waiting: they are delivered in their old order,
// before what was sent since and still waits. It returns how many there were. Until then they are shown as waiting and not sent, because whoever
// queued them may no longer want them.
func (s *Session) Release() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, it := range s.queue {
		if it.held {
			it.held = false
			n++
		}
	}
	s.startWork()
	return n
}

// drop ends the wait for an item that is never delivered. The lock is held.
func (s *Session) drop(it *item, err error) {
	it.err = err
	close(it.done)
}

// Ask sends a prompt and waits for the end of its turn. It is what headless callers use. The error is about delivery;
// how the turn went is in the result, also of a turn that failed because its prompt could not be delivered. When Ask
// returns, every sink has seen the end of the turn. Cancelling ctx aborts the turn, or takes the prompt back if it still
// waits, and returns what came of it.
func (s *Session) Ask(ctx context.Context, p session.Prompt) (session.TurnEnded, error) {
	it, err := s.send(p)
	if err != nil {
		return session.TurnEnded{}, err
	}
	select {
	case <-it.done:
	case <-ctx.Done():
		if _, ok := s.Unqueue(it.prompt.ID); !ok {
			s.abortItem(it)
		}
		<-it.done
	}
	return it.ended, it.err
}

// Wait returns when nothing runs and nothing is queued, or ctx ends. Prompts that an earlier process left waiting do not
// count until they are released.
func (s *Session) Wait(ctx context.Context) error {
	return s.waitWhile(ctx, s.busy)
}

// waitWhile returns when the condition, which is asked under the lock, no longer holds.
func (s *Session) waitWhile(ctx context.Context, holds func() bool) error {
	for {
		s.mu.Lock()
		if !holds() {
			s.mu.Unlock()
			return nil
		}
		w := make(chan struct{})
		s.idle = append(s.idle, w)
		s.mu.Unlock()
		select {
		case <-w:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
