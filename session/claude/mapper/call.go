package mapper

import (
	"encoding/json"
	"time"

	"parley/session"
	"parley/session/process/record"
)

// toolCall is an announced tool call.
type toolCall = record.Call[callState]

// callState describes a tool call as far as it is known here. It began when its input was complete or, after an ask, when it was answered.
type callState struct {
	input  json.RawMessage // only of tools whose result does not repeat it
	turns  int             // turns begun when the call was announced
	denied bool            // by the user, or by the runtime
	hooked bool            // denied by a hook
	task   string          // the id of a shell command as a task
}

// calls holds the tool calls of a process and the todo list that they change.
type calls struct {
	*record.Calls[callState]
	rec   *record.Recorder
	early *earlyLines
	todos todoList
}

func newCalls(rec *record.Recorder, early *earlyLines) *calls {
	return &calls{Calls: record.NewCalls[callState](rec), rec: rec, early: early}
}

// start announces a call, once, and maps what its child agent has printed before. parent is the child that makes it, which has the
// id of its call.
func (c *calls) start(b block, parent session.CallID, at time.Time) {
	if t := c.Start(session.CallID(b.ID), b.Name, parent, session.ChildID(parent), at); t != nil {
		t.With.turns = c.rec.Turns
		c.early.release(b.ID, at)
	}
}

// ready reports the input of a call, once.
func (c *calls) ready(call session.CallID, input json.RawMessage, at time.Time) {
	t, input := c.Ready(call, input, at)
	if t == nil {
		return
	}
	t.Began = at
	switch t.Name {
	case "TaskCreate", "TaskUpdate", "Agent", "Task", "ExitPlanMode":
		t.With.input = input
	}
	if t.Name == "TodoWrite" && t.Child == "" {
		c.todosChanged(todosOf(input), at)
	}
}

// turnOf returns the turn that announced a call, empty for an unknown one.
func (c *calls) turnOf(call session.CallID) session.TurnID {
	if t := c.Find(call); t != nil {
		return t.Turn
	}
	return ""
}

// Place returns the turn and the child agent of a call, also of one that has not been announced. agent is the runtime's id of
// the child; both results are empty for an unknown one.
func (m *Mapper) Place(call session.CallID, agent string) (session.TurnID, session.ChildID) {
	if t := m.calls.Find(call); t != nil {
		return t.Turn, t.Child
	}
	child, ok := m.children.byTaskID(agent)
	switch {
	case !ok:
		return "", ""
	case child != "":
		return m.children.Find(child).Turn, child
	}
	return m.rec.Turn, ""
}

// succeeded updates the todo list after a successful call of a task tool. result is the tool's own result.
func (c *calls) succeeded(t *toolCall, result json.RawMessage, at time.Time) {
	if c.todos.apply(t.Name, t.With.input, result) {
		c.todosChanged(c.todos.list(), at)
	}
}

// todosChanged reports a todo list, unless it is nil.
func (c *calls) todosChanged(todos []session.Todo, at time.Time) {
	if todos != nil {
		c.rec.Emit(session.TodosChanged{Head: c.rec.At(at), Todos: todos})
	}
}
