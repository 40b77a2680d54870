package claudetest

import (
	"errors"
	"fmt"
	"parley/session"
)

// CheckOrder returns an error if a list of events breaks the order that every agent must keep.
func CheckOrder(events []session.Event) error {
	type state struct{ started, ready, ended bool }
	parts, tools, kids := map[session.PartID]state{}, map[session.CallID]state{}, map[session.ChildID]state{}
	open := session.TurnID("")
	asks := map[session.AskID]state{}
	for i, e := range events {
		fail := func(what string) error { return fmt.Errorf("event %d: %T: %s", i, e, what) }
		if c := e.Header().Child; c != "" && !kids[c].started {
			return fail("a child acts before it is announced")
		}
		switch e := e.(type) {
		case session.TurnStarted:
			if open != "" {
				return fail("a turn starts within another")
			}
			open = e.Turn
		case session.TurnEnded:
			if open == "" || e.Turn != open {
				return fail("a turn ends that does not run")
			}
			open = ""
		case session.UsageReported:
			if e.Turn != open {
				return fail("usage comes after its turn")
			}
		case session.PartStarted:
			if parts[e.Part].started {
				return fail("a part starts twice")
			}
			parts[e.Part] = state{started: true}
		case session.PartDelta:
			if p := parts[e.Part]; !p.started || p.ended {
				return fail("a delta outside its part")
			}
		case session.PartEnded:
			if p := parts[e.Part]; !p.started || p.ended {
				return fail("a part ends twice or never began")
			}
			parts[e.Part] = state{started: true, ended: true}
		case session.PartReplaced:
			parts[e.Part] = state{started: true, ended: true}
		case session.ToolStarted:
			if tools[e.Call].started {
				return fail("a tool starts twice")
			}
			tools[e.Call] = state{started: true}
		case session.ToolReady:
			if s := tools[e.Call]; !s.started || s.ready || s.ended {
				return fail("a tool is ready out of order")
			}
			tools[e.Call] = state{started: true, ready: true}
		case session.ToolEnded:
			if s := tools[e.Call]; !s.started || s.ended {
				return fail("a tool ends out of order")
			}
			tools[e.Call] = state{started: true, ready: true, ended: !e.Result.Background} // once more, if it goes on behind
		case session.Asked:
			if asks[e.Ask].started {
				return fail("something is asked twice")
			}
			asks[e.Ask] = state{started: true}
		case session.Settled:
			if s := asks[e.Ask]; !s.started || s.ended {
				return fail("an ask is settled twice or was never made")
			}
			asks[e.Ask] = state{started: true, ended: true}
		case session.ChildStarted:
			if k := kids[e.ID]; k.started && (k.ended || k.ready || !e.Background) {
				return fail("a child is announced twice")
			}
			kids[e.ID] = state{started: true, ready: e.Background} // once more, if it turns out to work in the background
		case session.ChildEnded:
			if s := kids[e.ID]; !s.started || s.ended {
				return fail("a child ends twice or was never announced")
			}
			kids[e.ID] = state{started: true, ended: true}
		}
	}
	if open != "" {
		return fmt.Errorf("turn %s never ends", open)
	}
	for ask, s := range asks {
		if !s.ended {
			return fmt.Errorf("ask %s is never settled", ask)
		}
	}
	for child, s := range kids {
		if !s.ended {
			return fmt.Errorf("child %s never ends", child)
		}
	}
	return nil
}

// CheckQuiet returns an error if a child acts after its end.
func CheckQuiet(events []session.Event) error {
	ended := map[session.ChildID]bool{}
	for i, e := range events {
		if c := e.Header().Child; c != "" && ended[c] {
			return fmt.Errorf("event %d: %T: child %s acts after its end", i, e, c)
		}
		if e, ok := e.(session.ChildEnded); ok {
			ended[e.ID] = true
		}
	}
	return nil
}

// CheckFold returns an error if the reducer drops an event, or a turn never ends.
func CheckFold(events []session.Event) error {
	var errs []error
	var tr session.Transcript
	for i, e := range events {
		if tr.Apply(e).Dropped {
			switch e.(type) {
			case session.RuntimeChanged, session.ModelChanged, session.ModeChanged: // repeated at every turn
			default:
				errs = append(errs, fmt.Errorf("event %d (%T) was dropped by the reducer", i, e))
			}
		}
	}
	for _, turn := range tr.Turns {
		if turn.Running() {
			errs = append(errs, fmt.Errorf("turn %s still runs", turn.ID))
		}
	}
	return errors.Join(errs...)
}
