package mapper

import (
	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// End is the end of a stored session.
type End struct {
	// Events begin with the choices and the task list before them.
	Events []session.Event
	// Before are the choices before the events, Todos is the task list at the end.
	Before session.Settings
	Todos  []session.Todo
}

// ReplayEnd returns the end of a stored session, as at the end of [Replay]. before are the events for which [IsState] is true
// that come before events. It reports false if a child agent of before is still at work at the end.
func ReplayEnd(id session.ID, before, events []protocol.Event) (End, bool) {
	from, ok := resolved(events)
	if !ok {
		return End{}, false
	}
	m := newStored(id)
	for _, e := range append(before[:len(before):len(before)], stateOf(events[:from])...) {
		m.Map(e, e.Timestamp)
	}
	m.rec.Take()
	m.rec.Turn, m.turn, m.cause = "", turn{}, record.Cause{}
	end := End{Before: session.Settings{Model: m.model.Model, Effort: m.model.Effort, Mode: m.mode}}
	m.recall()
	end.Events = m.replay(events[from:])
	end.Todos = m.todos
	return end, true
}

// recall reports the choices and the task list so far, outside of turns.
func (m *Mapper) recall() {
	h := session.Head{Session: m.rec.Head.Session}
	if m.model.Model != "" {
		c := m.model
		c.Head = h
		m.rec.Emit(c)
	}
	if m.mode != "" {
		m.rec.Emit(session.ModeChanged{Head: h, Mode: m.mode})
	}
	if m.todos != nil {
		m.rec.Emit(session.TodosChanged{Head: h, Todos: m.todos})
	}
}

// stateTypes are the types of events that set the choices of a session.
var stateTypes = setOf("session.start session.resume session.model_change session.mode_changed")

// IsState reports whether an event may change the choices of a session or its task list.
func IsState(e protocol.Event) bool {
	if e.Agent != "" {
		return false
	}
	if e.Type == "tool.execution_complete" {
		return true
	}
	return stateTypes[e.Type] || e.Type == "tool.execution_start" && todoTools[decode[toolStart](e).Name]
}

// todoTools are the tools that change the task list.
var todoTools = setOf("sql update_todo")

func stateOf(events []protocol.Event) []protocol.Event {
	var out []protocol.Event
	for _, e := range events {
		if IsState(e) {
			out = append(out, e)
		}
	}
	return out
}

// resolved returns the position from which on events refer only to child agents and commands in the background that began
// there. It reports false if one of an earlier child is still at work.
func resolved(events []protocol.Event) (from int, ok bool) {
	known, shells, earlier := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, e := range events {
		switch {
		case e.Type == "subagent.started" && e.Agent != "" && !earlier[e.Agent]:
			known[e.Agent] = true
		case e.Agent != "" && !known[e.Agent]:
			earlier[e.Agent] = e.Type != "subagent.completed" && e.Type != "subagent.failed"
			from = i + 1
		case e.Type == "tool.execution_complete":
			if found := runsInBackground.FindStringSubmatch(decode[toolComplete](e).Result.Content); found != nil {
				shells[found[1]+found[2]] = true
			}
		case e.Type == "system.notification":
			d := decode[notification](e)
			if d.Kind.Agent != "" && !known[d.Kind.Agent] || d.Kind.Shell != "" && !shells[d.Kind.Shell] {
				earlier[d.Kind.Agent] = false
				from = i + 1
			}
		}
	}
	for _, running := range earlier {
		if running {
			return 0, false
		}
	}
	return from, true
}
