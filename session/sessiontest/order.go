package sessiontest

import (
	"testing"

	"parley/session"
)

// CheckOrder checks what every agent promises about the order of its events.
func CheckOrder(t testing.TB, events []session.Event) {
	t.Helper()
	parts := map[session.PartID]string{}
	calls := map[session.CallID]string{}
	asks, behind := map[session.AskID]bool{}, map[session.CallID]bool{}
	turns := map[session.TurnID]string{}
	between := map[string]bool{} // parts and calls of agents in the background, which belong to no turn
	bad := func(i int, e session.Event, why string) { t.Errorf("event %d, %T: %s: %+v", i, e, why, e) }
	for i, e := range events {
		h := e.Header()
		if h.Session == "" || h.Gen == 0 || h.At.IsZero() {
			bad(i, e, "the head is not filled")
		}
		if h.Turn != "" && turns[h.Turn] != "open" {
			if _, starts := e.(session.TurnStarted); !starts {
				bad(i, e, "outside of its turn")
			}
		}
		switch e := e.(type) {
		case session.TurnStarted:
			if turns[e.Turn] != "" {
				bad(i, e, "started twice")
			}
			turns[e.Turn] = "open"
		case session.TurnEnded:
			turns[e.Turn] = "ended"
			for id, state := range parts {
				if state == "open" && !between[string(id)] {
					bad(i, e, "part "+string(id)+" is open")
				}
			}
			for id, state := range calls {
				if state != "ended" && !between[string(id)] {
					bad(i, e, "call "+string(id)+" is "+state)
				}
			}
			for id, open := range asks {
				if open {
					bad(i, e, "ask "+string(id)+" is open")
				}
			}
		case session.PartStarted:
			if parts[e.Part] != "" {
				bad(i, e, "started twice")
			}
			parts[e.Part], between[string(e.Part)] = "open", h.Turn == ""
		case session.PartDelta:
			if parts[e.Part] != "open" {
				bad(i, e, "the part is not open")
			}
		case session.PartEnded:
			if parts[e.Part] != "open" {
				bad(i, e, "the part is not open")
			}
			parts[e.Part] = "ended"
		case session.ToolStarted:
			if calls[e.Call] != "" {
				bad(i, e, "started twice")
			}
			calls[e.Call], between[string(e.Call)] = "started", h.Turn == ""
		case session.ToolInput:
			if calls[e.Call] != "started" {
				bad(i, e, calls[e.Call])
			}
		case session.ToolReady:
			if calls[e.Call] != "started" {
				bad(i, e, calls[e.Call])
			}
			calls[e.Call] = "ready"
		case session.ToolOutput:
			if calls[e.Call] != "ready" && !behind[e.Call] {
				bad(i, e, calls[e.Call])
			}
		case session.ToolEnded:
			if calls[e.Call] == "" && e.Result.Summary == "ended with parley" {
				continue // of an earlier process
			}
			again := behind[e.Call] && !e.Result.Background
			behind[e.Call] = e.Result.Background
			if calls[e.Call] == "" || calls[e.Call] == "ended" && !again || calls[e.Call] == "started" && e.Outcome == session.ToolOK {
				bad(i, e, calls[e.Call])
			}
			calls[e.Call] = "ended"
		case session.Asked:
			asks[e.Ask] = true
		case session.Settled:
			if !asks[e.Ask] {
				bad(i, e, "the ask is not open")
			}
			asks[e.Ask] = false
		}
	}
}
