package claudetest

import (
	"errors"
	"fmt"

	"parley/session"
)

// CheckOrder returns an error if events break the order promised at [session.Event].
func CheckOrder(events []session.Event) error {
	o := order{parts: map[session.PartID]lifetime{}, tools: map[session.CallID]lifetime{}, children: map[session.ChildID]lifetime{},
		asks: map[session.AskID]lifetime{}}
	for i, e := range events {
		if what := o.add(e); what != "" {
			return fmt.Errorf("event %d: %T: %s", i, e, what)
		}
	}
	return o.end()
}

// lifetime is the state of something that starts, may be ready, and ends.
type lifetime struct{ started, ready, ended bool }

// running reports whether it has started but not ended.
func (l lifetime) running() bool { return l.started && !l.ended }

// order records the announcements of the events so far.
type order struct {
	turn     session.TurnID // the running turn, "" between turns
	parts    map[session.PartID]lifetime
	tools    map[session.CallID]lifetime
	children map[session.ChildID]lifetime
	asks     map[session.AskID]lifetime
}

// add adds the next event and returns what is wrong with its position, "" for nothing.
func (o *order) add(e session.Event) string {
	if c := e.Header().Child; c != "" && !o.children[c].started {
		return "a child acts before it is announced"
	}
	switch e := e.(type) {
	case session.TurnStarted, session.TurnEnded, session.UsageReported:
		return o.addTurn(e)
	case session.PartStarted, session.PartDelta, session.PartEnded, session.PartReplaced:
		return o.addPart(e)
	case session.ToolStarted, session.ToolReady, session.ToolEnded:
		return o.addTool(e)
	case session.Asked:
		if o.asks[e.Ask].started {
			return "something is asked twice"
		}
		o.asks[e.Ask] = lifetime{started: true}
	case session.Settled:
		if !o.asks[e.Ask].running() {
			return "an ask is settled twice or was never made"
		}
		o.asks[e.Ask] = lifetime{started: true, ended: true}
	case session.ChildStarted:
		if k := o.children[e.ID]; k.started && (k.ended != e.Resumed || k.ready && !e.Resumed || !e.Background) {
			return "a child is announced twice"
		}
		o.children[e.ID] = lifetime{started: true, ready: e.Background} // again, when it moves to the background
	case session.ChildEnded:
		if !o.children[e.ID].running() {
			return "a child ends twice or was never announced"
		}
		o.children[e.ID] = lifetime{started: true, ended: true}
	}
	return ""
}

func (o *order) addTurn(e session.Event) string {
	switch e := e.(type) {
	case session.TurnStarted:
		if o.turn != "" {
			return "a turn starts within another"
		}
		o.turn = e.Turn
	case session.TurnEnded:
		if o.turn == "" || e.Turn != o.turn {
			return "a turn ends that does not run"
		}
		o.turn = ""
	case session.UsageReported:
		if e.Turn != o.turn {
			return "usage comes after its turn"
		}
	}
	return ""
}

func (o *order) addPart(e session.Event) string {
	switch e := e.(type) {
	case session.PartStarted:
		if o.parts[e.Part].started {
			return "a part starts twice"
		}
		o.parts[e.Part] = lifetime{started: true}
	case session.PartDelta:
		if !o.parts[e.Part].running() {
			return "a delta outside its part"
		}
	case session.PartEnded:
		if !o.parts[e.Part].running() {
			return "a part ends twice or never began"
		}
		o.parts[e.Part] = lifetime{started: true, ended: true}
	case session.PartReplaced:
		o.parts[e.Part] = lifetime{started: true, ended: true}
	}
	return ""
}

func (o *order) addTool(e session.Event) string {
	switch e := e.(type) {
	case session.ToolStarted:
		if o.tools[e.Call].started {
			return "a tool starts twice"
		}
		o.tools[e.Call] = lifetime{started: true}
	case session.ToolReady:
		if t := o.tools[e.Call]; !t.running() || t.ready {
			return "a tool is ready out of order"
		}
		o.tools[e.Call] = lifetime{started: true, ready: true}
	case session.ToolEnded:
		if !o.tools[e.Call].running() {
			return "a tool ends out of order"
		}
		// A call in the background ends twice.
		o.tools[e.Call] = lifetime{started: true, ready: true, ended: !e.Result.Background}
	}
	return ""
}

// end returns an error if something announced never ended.
func (o *order) end() error {
	if o.turn != "" {
		return fmt.Errorf("turn %s never ends", o.turn)
	}
	for ask, l := range o.asks {
		if !l.ended {
			return fmt.Errorf("ask %s is never settled", ask)
		}
	}
	for child, l := range o.children {
		if !l.ended {
			return fmt.Errorf("child %s never ends", child)
		}
	}
	return nil
}

// CheckQuiet returns an error if a child acts after its end.
func CheckQuiet(events []session.Event) error {
	ended := map[session.ChildID]bool{}
	for i, e := range events {
		if s, is := e.(session.ChildStarted); is && s.Resumed {
			delete(ended, s.ID)
		}
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
