package queue

import (
	"context"
	"slices"

	"parley/session"
)

// Queue holds the waiting prompts in the order of delivery, and the one being delivered.
type Queue struct {
	Items   []*Item
	Current *Item // being delivered
	Working bool  // the goroutine that delivers runs
}

// Item is a prompt from Send to the end of its turn.
type Item struct {
	Prompt session.Prompt
	Turn   session.TurnID
	Origin session.Origin
	// Held prompts are of an earlier process, or wait since an interrupt; Steering ones are being offered to the running turn. Neither is delivered.
	Held, Steering bool
	// Due prompts are held until the time that they wait for, and delivered then by themselves.
	Due bool
	// Into is the prompt of the turn that a steering one was offered to; Offered means that the agent accepted.
	Into    *Item
	Offered bool

	// The fields below are set by Start.
	Ctx    context.Context
	Cancel context.CancelFunc
	Ended  session.TurnEnded

	// Done is closed when every listener has seen the end of the turn, or with Err when the prompt will never be delivered.
	Done chan struct{}
	Err  error
}

// New returns the item of a prompt, whose id is also that of its turn.
func New(p session.Prompt, origin session.Origin) *Item {
	return &Item{Prompt: p, Turn: session.TurnID(p.ID), Origin: origin, Done: make(chan struct{})}
}

// Start makes an item the current one.
func (q *Queue) Start(it *Item) {
	it.Ctx, it.Cancel = context.WithCancel(context.Background())
	q.Current = it
}

// Drop ends the wait for an item that will never be delivered.
func (it *Item) Drop(err error) {
	it.Err = err
	close(it.Done)
}

// Index returns the position of a waiting prompt, -1 for any other.
func (q *Queue) Index(id session.PromptID) int {
	return slices.IndexFunc(q.Items, func(it *Item) bool { return it.Prompt.ID == id })
}

// Next returns the first prompt that may be delivered, nil if there is none.
func (q *Queue) Next() *Item {
	for _, it := range q.Items {
		if !it.Held && !it.Steering {
			return it
		}
	}
	return nil
}

// Begin takes the next prompt off the queue and makes it the current one; nil if there is none.
func (q *Queue) Begin() *Item {
	it := q.Next()
	if it == nil {
		return nil
	}
	q.Items = slices.DeleteFunc(q.Items, func(o *Item) bool { return o == it })
	q.Start(it)
	return it
}

// Take removes a prompt because the agent has it.
func (q *Queue) Take(id session.PromptID) {
	q.Items = slices.DeleteFunc(q.Items, func(it *Item) bool { return id != "" && it.Prompt.ID == id })
}

// Withdraw removes and returns a waiting prompt, nil if it no longer waits or is being offered to the running turn.
func (q *Queue) Withdraw(id session.PromptID) *Item {
	for _, it := range q.Items {
		if it.Prompt.ID == id && !it.Steering {
			q.Take(id)
			return it
		}
	}
	return nil
}

// Move moves a waiting prompt by step places, within the queue. It returns the prompt after it, "" at the end, and whether it
// moved.
func (q *Queue) Move(id session.PromptID, step int) (before session.PromptID, moved bool) {
	from := q.Index(id)
	if from < 0 || q.Items[from].Steering {
		return "", false
	}
	to := min(max(from+step, 0), len(q.Items)-1)
	if to == from {
		return "", false
	}
	if to < from {
		before = q.Items[to].Prompt.ID
	} else if to+1 < len(q.Items) {
		before = q.Items[to+1].Prompt.ID
	}
	q.MoveBefore(from, before)
	return before, true
}

// MoveBefore moves an item before a prompt, or to the end if that does not wait.
func (q *Queue) MoveBefore(from int, before session.PromptID) {
	it := q.Items[from]
	q.Items = slices.Delete(q.Items, from, from+1)
	to := q.Index(before)
	if to < 0 {
		to = len(q.Items)
	}
	q.Items = slices.Insert(q.Items, to, it)
}

// StopSteering ends all offers to a turn; their prompts wait.
func (q *Queue) StopSteering() {
	for _, it := range q.Items {
		it.Steering = false
	}
}

// TakeBackOffered makes prompts wait that the agent accepted for a turn but did not use, as after an interrupt.
func (q *Queue) TakeBackOffered() {
	for _, it := range q.Items {
		if it.Offered {
			it.Steering = false
		}
	}
}

// Hold makes all prompts wait for release.
func (q *Queue) Hold() {
	for _, it := range q.Items {
		it.Held = true
	}
}

// Keep adds a prompt of an earlier process, after other such prompts and before the rest. It reports false if the prompt is
// in the queue.
func (q *Queue) Keep(p session.Prompt) bool {
	if q.Index(p.ID) >= 0 {
		return false
	}
	at := 0
	for at < len(q.Items) && q.Items[at].Held {
		at++
	}
	it := New(p, session.OriginQueued)
	it.Held = true
	q.Items = slices.Insert(q.Items, at, it)
	return true
}

// Release makes held prompts deliverable and returns their number.
func (q *Queue) Release() int {
	n := 0
	for _, it := range q.Items {
		if it.Held {
			it.Held = false
			n++
		}
	}
	return n
}

// Held returns the prompts that wait for release, nil for none.
func (q *Queue) Held() map[session.PromptID]bool {
	var all map[session.PromptID]bool
	for _, it := range q.Items {
		if !it.Held {
			continue
		}
		if all == nil {
			all = map[session.PromptID]bool{}
		}
		all[it.Prompt.ID] = true
	}
	return all
}

// ForgetHeld removes a held prompt that another process has delivered or removed.
func (q *Queue) ForgetHeld(id session.PromptID) {
	q.Items = slices.DeleteFunc(q.Items, func(it *Item) bool { return it.Held && it.Prompt.ID == id })
}

// DropAll ends the wait for every prompt.
func (q *Queue) DropAll(err error) {
	for _, it := range q.Items {
		it.Drop(err)
	}
	q.Items = nil
}
