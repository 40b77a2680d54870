package live

import (
	"parley/session"
	"slices"
)

// Move makes a waiting prompt be delivered so many places later, or earlier if step is below zero, as far as the ends of
// the queue. It happens at once and as a whole: no other prompt is delivered in between, and Requeued tells the new order
// before anything else of the queue is told. It reports false if the prompt waits no longer, is being offered to the
// running turn, or stands at that end already. It is safe for concurrent use.
func (s *Session) Move(id session.PromptID, step int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := s.place(id)
	if from < 0 || s.queue[from].steering || s.closed {
		return false
	}
	to := min(max(from+step, 0), len(s.queue)-1)
	if to == from {
		return false
	}
	before := session.PromptID("")
	if to < from {
		before = s.queue[to].prompt.ID
	} else if to+1 < len(s.queue) {
		before = s.queue[to+1].prompt.ID
	}
	s.putBefore(from, before)
	s.say(session.Requeued{Head: s.head(""), Prompt: id, Before: before})
	s.keepSoon()
	return true
}

// place is where a prompt waits, -1 if it does not. The lock is held.
func (s *Session) place(id session.PromptID) int {
	return slices.IndexFunc(s.queue, func(it *item) bool { return it.prompt.ID == id })
}

// putBefore moves an item of the queue to right before a prompt, or to the end if that does not wait. The lock is held.
func (s *Session) putBefore(from int, before session.PromptID) {
	it := s.queue[from]
	s.queue = slices.Delete(s.queue, from, from+1)
	to := s.place(before)
	if to < 0 {
		to = len(s.queue)
	}
	s.queue = slices.Insert(s.queue, to, it)
}
