package mapper

import (
	"time"

	"parley/session"
)

// Task returns the id of the task that runs a call, or the child agent that the call started. known is false for a call that
// was never announced or has ended; the id is empty if the runtime has none for the call.
func (m *Mapper) Task(call session.CallID) (task string, known bool) {
	if k := m.children.Find(session.ChildID(call)); k != nil {
		for id, of := range m.children.tasks {
			if of == k.Started.ID {
				task = id
			}
		}
		return task, !k.Ended
	}
	if c := m.background.commands[call]; c != nil {
		return c.With.task, !c.over
	}
	if t := m.calls.Find(call); t != nil {
		return t.With.task, !t.Ended
	}
	return "", false
}

// Output is the path of the file to which the output of a command in the background goes.
type Output struct {
	File string
	head session.Head
}

// OutputOf returns where the output of a running command in the background goes, false for other calls.
func (m *Mapper) OutputOf(call session.CallID) (Output, bool) {
	c := m.background.commands[call]
	if c == nil || c.over || c.file == "" {
		return Output{}, false
	}
	return Output{File: c.file, head: m.calls.Head(c.toolCall, time.Time{})}, true
}

// Wrote returns the event for more output of a call.
func (o Output) Wrote(call session.CallID, text string, at time.Time) session.Event {
	o.head.At = at
	return session.ToolOutput{Head: o.head, Call: call, Text: text}
}
