package history

import (
	"slices"

	"parley/session"
)

// openWork lists the calls and children that the transcript shows as still running in the background. Their end may stand in the
// journal alone: that of a process which was stopped with parley, for example.
type openWork struct {
	calls    map[session.CallID]bool
	children map[session.ChildID]bool
}

// leftRunning returns what the events leave running in the background.
func leftRunning(events []session.Event) openWork {
	o := openWork{map[session.CallID]bool{}, map[session.ChildID]bool{}}
	for _, e := range events {
		switch e := e.(type) {
		case session.ToolEnded:
			if e.Result.Background || o.calls[e.Call] {
				o.calls[e.Call] = e.Result.Background
			}
		case session.ChildStarted:
			if e.Background {
				o.children[e.ID] = true
			}
		case session.ChildEnded:
			delete(o.children, e.ID)
		}
	}
	return o
}

// withoutGuesses returns a transcript without the ends that its reader had to guess, of what still ran where it stops, if the
// journal has the real ones: what the user stopped, for example.
func withoutGuesses(truth, journal []session.Event) []session.Event {
	calls, children := map[session.CallID]bool{}, map[session.ChildID]bool{}
	for _, e := range journal {
		switch e := e.(type) {
		case session.ToolEnded:
			calls[e.Call] = calls[e.Call] || !e.Result.Background && e.Result.Summary != session.WhyWithAgent
		case session.ChildEnded:
			children[e.ID] = children[e.ID] || e.Summary != session.WhyWithAgent
		}
	}
	return slices.DeleteFunc(slices.Clone(truth), func(e session.Event) bool {
		switch e := e.(type) {
		case session.ToolEnded:
			return e.Result.Summary == session.WhyWithAgent && calls[e.Call]
		case session.ChildEnded:
			return e.Summary == session.WhyWithAgent && children[e.ID]
		}
		return false
	})
}

// endsCall reports whether e is the end of such a call.
func (o openWork) endsCall(e session.ToolEnded) bool {
	return o.calls[e.Call] && !e.Result.Background
}

// span is the positions of events, from after the first to the last, between which a tail cannot begin.
type span struct{ after, last int }

// backgroundSpans returns from where to where something ran in the background: its end refers to its start, and adds a mark. The
// start is -1 if it is not among the events.
func backgroundSpans(events []session.Event) []span {
	var out []span
	started, moved := map[session.CallID]int{}, map[session.CallID]bool{}
	children := map[session.ChildID]int{}
	for i, e := range events {
		switch e := e.(type) {
		case session.ToolStarted:
			started[e.Call] = i
		case session.ToolEnded:
			at, known := started[e.Call]
			switch {
			case !known:
				out = append(out, span{-1, i})
			case e.Result.Background:
				moved[e.Call] = true
			case moved[e.Call]:
				out = append(out, span{at, i})
			}
		case session.ChildStarted:
			if _, known := children[e.ID]; !known {
				children[e.ID] = i
			}
		case session.ChildEnded:
			at, known := children[e.ID]
			if !known {
				at = -1
			}
			out = append(out, span{at, i})
		}
	}
	return out
}

// splits reports whether a tail that begins at a position would lack the start of what ends in it.
func splits(spans []span, at int) bool {
	for _, s := range spans {
		if s.after < at && at <= s.last {
			return true
		}
	}
	return false
}
