package mapper

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"parley/session"
)

// recorder collects events. It knows the session and the turn that they belong to.
type recorder struct {
	head       session.Head                       // session and generation of every event
	turn       session.TurnID                     // the running turn, empty between turns
	childTurns map[session.ChildID]session.TurnID // the turn that each child belongs to
	events     []session.Event
	unknown    map[string]int // what made no event, by type
}

func newRecorder(id session.ID, gen session.Generation) *recorder {
	return &recorder{head: session.Head{Session: id, Gen: gen}, childTurns: map[session.ChildID]session.TurnID{},
		unknown: map[string]int{}}
}

// at returns the head of a top-level event.
func (r *recorder) at(at time.Time) session.Head {
	h := r.head
	h.Turn, h.At = r.turn, at
	return h
}

// in returns the head of an event of a child, of a top-level event for an empty child. A child belongs to the turn that
// started it, even after the end of that turn.
func (r *recorder) in(child session.ChildID, at time.Time) session.Head {
	h := r.at(at)
	h.Child = child
	if turn := r.childTurns[child]; turn != "" {
		h.Turn = turn
	}
	return h
}

func (r *recorder) emit(e session.Event) { r.events = append(r.events, e) }

// take returns the events since the last call.
func (r *recorder) take() []session.Event {
	events := r.events
	r.events = nil
	return events
}

// skip counts something that makes no event.
func (r *recorder) skip(kind string) { r.unknown[kind]++ }

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
