package live

import (
	"context"
	"slices"

	"parley/session"
)

// queue holds the waiting prompts in the order of delivery, and the one being delivered. The session's lock guards it.
type queue struct {
	items   []*item
	current *item // being delivered
	working bool  // the worker's goroutine runs
}

// item is a prompt from Send to the end of its turn.
type item struct {
	prompt session.Prompt
	turn   session.TurnID
	origin session.Origin
	// held prompts are of an earlier process, or wait since an interrupt; steering ones are being offered to the running turn. Neither is delivered.
	held, steering bool
	// into is the prompt of the turn that a steering one was offered to; offered means that the agent accepted.
	into    *item
	offered bool

	// The fields below are set when the delivery begins.
	ctx    context.Context
	cancel context.CancelFunc
	ended  session.TurnEnded

	// done is closed when every listener has seen the end of the turn, or with err when the prompt will never be delivered.
	done chan struct{}
	err  error
}

// drop ends the wait for an item that will never be delivered.
func (it *item) drop(err error) {
	it.err = err
	close(it.done)
}

// index returns the position of a waiting prompt, -1 for any other.
func (q *queue) index(id session.PromptID) int {
	return slices.IndexFunc(q.items, func(it *item) bool { return it.prompt.ID == id })
}

// next returns the first prompt that may be delivered, nil if there is none.
func (q *queue) next() *item {
	for _, it := range q.items {
		if !it.held && !it.steering {
			return it
		}
	}
	return nil
}

// begin takes the next prompt off the queue and makes it the current one; nil if there is none.
func (q *queue) begin() *item {
	it := q.next()
	if it == nil {
		return nil
	}
	q.items = slices.DeleteFunc(q.items, func(o *item) bool { return o == it })
	it.ctx, it.cancel = context.WithCancel(context.Background())
	q.current = it
	return it
}

// take removes a prompt because the agent has it.
func (q *queue) take(id session.PromptID) {
	q.items = slices.DeleteFunc(q.items, func(it *item) bool { return id != "" && it.prompt.ID == id })
}

// withdraw removes and returns a waiting prompt, nil if it no longer waits or is being offered to the running turn.
func (q *queue) withdraw(id session.PromptID) *item {
	for _, it := range q.items {
		if it.prompt.ID == id && !it.steering {
			q.take(id)
			return it
		}
	}
	return nil
}

// move moves a waiting prompt by step places, within the queue. It returns the prompt after it, "" at the end, and whether it
// moved.
func (q *queue) move(id session.PromptID, step int) (before session.PromptID, moved bool) {
	from := q.index(id)
	if from < 0 || q.items[from].steering {
		return "", false
	}
	to := min(max(from+step, 0), len(q.items)-1)
	if to == from {
		return "", false
	}
	if to < from {
		before = q.items[to].prompt.ID
	} else if to+1 < len(q.items) {
		before = q.items[to+1].prompt.ID
	}
	q.moveBefore(from, before)
	return before, true
}

// moveBefore moves an item before a prompt, or to the end if that does not wait.
func (q *queue) moveBefore(from int, before session.PromptID) {
	it := q.items[from]
	q.items = slices.Delete(q.items, from, from+1)
	to := q.index(before)
	if to < 0 {
		to = len(q.items)
	}
	q.items = slices.Insert(q.items, to, it)
}

// stopSteering ends all offers to a turn; their prompts wait.
func (q *queue) stopSteering() {
	for _, it := range q.items {
		it.steering = false
	}
}

// takeBackOffered makes prompts wait that the agent accepted for a turn but did not use, as after an interrupt.
func (q *queue) takeBackOffered() {
	for _, it := range q.items {
		if it.offered {
			it.steering = false
		}
	}
}

// hold makes all prompts wait for release.
func (q *queue) hold() {
	for _, it := range q.items {
		it.held = true
	}
}

// keep adds a prompt of an earlier process, after other such prompts and before the rest. It reports false if the prompt is
// in the queue.
func (q *queue) keep(p session.Prompt) bool {
	if q.index(p.ID) >= 0 {
		return false
	}
	at := 0
	for at < len(q.items) && q.items[at].held {
		at++
	}
	it := &item{prompt: p, turn: session.TurnID(p.ID), origin: session.OriginQueued, held: true, done: make(chan struct{})}
	q.items = slices.Insert(q.items, at, it)
	return true
}

// release makes held prompts deliverable and returns their number.
func (q *queue) release() int {
	n := 0
	for _, it := range q.items {
		if it.held {
			it.held = false
			n++
		}
	}
	return n
}

// held returns the prompts that wait for release, nil for none.
func (q *queue) held() map[session.PromptID]bool {
	var all map[session.PromptID]bool
	for _, it := range q.items {
		if !it.held {
			continue
		}
		if all == nil {
			all = map[session.PromptID]bool{}
		}
		all[it.prompt.ID] = true
	}
	return all
}

// forgetHeld removes a held prompt that another process has delivered or removed.
func (q *queue) forgetHeld(id session.PromptID) {
	q.items = slices.DeleteFunc(q.items, func(it *item) bool { return it.held && it.prompt.ID == id })
}

// dropAll ends the wait for every prompt.
func (q *queue) dropAll(err error) {
	for _, it := range q.items {
		it.drop(err)
	}
	q.items = nil
}
