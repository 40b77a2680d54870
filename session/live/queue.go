package live

import (
	"context"
	"slices"

	"parley/session"
)

// queue holds the prompts that wait, in the order in which they are delivered, and the one being delivered. The session's
// lock guards it.
type queue struct {
	items   []*item
	current *item // being delivered
	working bool  // the goroutine of the worker runs
}

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

	// done is closed when the turn is over and every listener has seen that, or when the prompt will never be delivered;
	// err then says why.
	done chan struct{}
	err  error
}

// drop ends the wait for an item that is never delivered.
func (it *item) drop(err error) {
	it.err = err
	close(it.done)
}

// index returns where a prompt waits, -1 if it does not.
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

// withdraw removes a waiting prompt and returns it; nil if it no longer waits or is being offered to the running turn.
func (q *queue) withdraw(id session.PromptID) *item {
	for _, it := range q.items {
		if it.prompt.ID == id && !it.steering {
			q.take(id)
			return it
		}
	}
	return nil
}

// move moves a waiting prompt by step places, at most to the ends of the queue. It returns the prompt it now stands
// before, "" at the end, and whether it moved.
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

// moveBefore moves an item to right before a prompt, or to the end if that does not wait.
func (q *queue) moveBefore(from int, before session.PromptID) {
	it := q.items[from]
	q.items = slices.Delete(q.items, from, from+1)
	to := q.index(before)
	if to < 0 {
		to = len(q.items)
	}
	q.items = slices.Insert(q.items, to, it)
}

// stopSteering makes all prompts wait that were being offered to a turn.
func (q *queue) stopSteering() {
	for _, it := range q.items {
		it.steering = false
	}
}

// takeBackOffered makes the prompts wait that an agent took for a turn that is over now and did not use, as it happens
// when the turn is interrupted.
func (q *queue) takeBackOffered() {
	for _, it := range q.items {
		if it.offered {
			it.steering = false
		}
	}
}

// hold adds a prompt that an earlier process left waiting, behind other such prompts and before the rest. It reports false
// if the prompt waits already.
func (q *queue) hold(p session.Prompt) bool {
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

// release makes held prompts deliverable and returns how many there were.
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

// forgetHeld removes a held prompt that another process has delivered or taken back.
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
