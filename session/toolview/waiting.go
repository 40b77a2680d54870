package toolview

import (
	"time"

	"parley/session"
)

// EachWaiting calls yield for each unfinished tool call of the turn, with its index in Entries. behind reports that an
// earlier call of the same agent waits for the user, so that this one has not begun; a call with an ask is never
// behind. free is when the last such wait ended, zero for none.
func EachWaiting(t *session.Turn, yield func(entry int, call *session.Tool, behind bool, free time.Time)) {
	var asks map[session.CallID]*session.Ask // the newest of each call
	for _, e := range t.Entries {
		a, ok := e.(*session.Ask)
		if !ok || a.Call == "" {
			continue
		}
		if asks == nil {
			asks = map[session.CallID]*session.Ask{}
		}
		if was := asks[a.Call]; was == nil || !a.At.Before(was.At) {
			asks[a.Call] = a
		}
	}
	var asking map[session.ChildID]bool
	var free map[session.ChildID]time.Time
	if asks != nil {
		asking, free = map[session.ChildID]bool{}, map[session.ChildID]time.Time{}
	}
	for i, e := range t.Entries {
		call, ok := e.(*session.Tool)
		if !ok {
			continue
		}
		ask := asks[call.Call]
		switch {
		case call.Ended:
		case ask != nil:
			yield(i, call, false, time.Time{})
		default:
			yield(i, call, asking[call.Child] && call.Output() == "", free[call.Child])
		}
		switch {
		case ask == nil:
		case !ask.Settled:
			asking[call.Child] = asking[call.Child] || !call.Ended
		case ask.Settlement.At.After(free[call.Child]):
			free[call.Child] = ask.Settlement.At
		}
	}
}
