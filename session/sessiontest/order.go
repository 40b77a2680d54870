package sessiontest

import (
	"testing"

	"parley/session"
)

// CheckOrder checks what every agent promises about the order of its events.
func CheckOrder(t testing.TB, events []session.Event) {
	t.Helper()
	o := order{parts: map[session.PartID]string{}, calls: map[session.CallID]string{}, asks: map[session.AskID]bool{}, behind: map[session.CallID]bool{},
		turns: map[session.TurnID]string{}, between: map[string]bool{}}
	for i, e := range events {
		o.bad = func(why string) {
			t.Helper()
			t.Errorf("event %d, %T: %s: %+v", i, e, why, e)
		}
		o.check(e)
	}
}

// order is what the events so far have begun and ended.
type order struct {
	turns  map[session.TurnID]string
	parts  map[session.PartID]string
	calls  map[session.CallID]string
	asks   map[session.AskID]bool
	behind map[session.CallID]bool // calls that go on in the background
	// between are parts and calls of agents in the background, which belong to no turn.
	between map[string]bool
	bad     func(why string) // reports the event that is checked
}

// check checks one event and remembers it.
func (o *order) check(e session.Event) {
	h := e.Header()
	if h.Session == "" || h.Gen == 0 || h.At.IsZero() {
		o.bad("the head is not filled")
	}
	if _, starts := e.(session.TurnStarted); h.Turn != "" && o.turns[h.Turn] != "open" && !starts {
		o.bad("outside of its turn")
	}
	switch e := e.(type) {
	case session.TurnStarted:
		o.unique(o.turns[e.Turn])
		o.turns[e.Turn] = "open"
	case session.TurnEnded:
		o.turnEnded(e)
	case session.PartStarted, session.PartDelta, session.PartEnded:
		o.part(e)
	case session.ToolStarted:
		o.unique(o.calls[e.Call])
		o.calls[e.Call], o.between[string(e.Call)] = "started", h.Turn == ""
	case session.ToolInput:
		o.started(e.Call)
	case session.ToolReady:
		o.started(e.Call)
		o.calls[e.Call] = "ready"
	case session.ToolOutput:
		if o.calls[e.Call] != "ready" && !o.behind[e.Call] {
			o.bad(o.calls[e.Call])
		}
	case session.ToolEnded:
		o.toolEnded(e)
	case session.Asked:
		o.asks[e.Ask] = true
	case session.Settled:
		if !o.asks[e.Ask] {
			o.bad("the ask is not open")
		}
		o.asks[e.Ask] = false
	}
}

// unique reports what starts although it has a state.
func (o *order) unique(state string) {
	if state != "" {
		o.bad("started twice")
	}
}

// started reports a call that is not in the state of getting its input.
func (o *order) started(id session.CallID) {
	if o.calls[id] != "started" {
		o.bad(o.calls[id])
	}
}

// turnEnded reports what a turn leaves open.
func (o *order) turnEnded(e session.TurnEnded) {
	o.turns[e.Turn] = "ended"
	for id, state := range o.parts {
		if state == "open" && !o.between[string(id)] {
			o.bad("part " + string(id) + " is open")
		}
	}
	for id, state := range o.calls {
		if state != "ended" && !o.between[string(id)] {
			o.bad("call " + string(id) + " is " + state)
		}
	}
	for id, open := range o.asks {
		if open {
			o.bad("ask " + string(id) + " is open")
		}
	}
}

// part checks an event of a part.
func (o *order) part(e session.Event) {
	open := func(id session.PartID) {
		if o.parts[id] != "open" {
			o.bad("the part is not open")
		}
	}
	switch e := e.(type) {
	case session.PartStarted:
		o.unique(o.parts[e.Part])
		o.parts[e.Part], o.between[string(e.Part)] = "open", e.Turn == ""
	case session.PartDelta:
		open(e.Part)
	case session.PartEnded:
		open(e.Part)
		o.parts[e.Part] = "ended"
	}
}

// toolEnded checks the end of a call. One that goes on in the background ends twice.
func (o *order) toolEnded(e session.ToolEnded) {
	state := o.calls[e.Call]
	if state == "" && e.Result.Summary == "ended with parley" {
		return // of an earlier process
	}
	again := o.behind[e.Call] && !e.Result.Background
	o.behind[e.Call] = e.Result.Background
	if state == "" || state == "ended" && !again || state == "started" && e.Outcome == session.ToolOK {
		o.bad(state)
	}
	o.calls[e.Call] = "ended"
}
