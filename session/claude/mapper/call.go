package mapper

import (
	"bytes"
	"encoding/json"
	"time"

	"parley/session"
)

// toolCall is the state of an announced tool call.
type toolCall struct {
	call   session.CallID
	name   string
	input  json.RawMessage // only of tools whose result does not repeat it
	turn   session.TurnID
	turns  int            // turns begun when the call was announced
	child  session.CallID // the child that made the call, empty for the top level
	began  time.Time      // when its input was complete or, after an ask, when it was answered
	ready  bool
	ended  bool
	denied bool   // by the user, or by the runtime
	hooked bool   // denied by a hook
	task   string // the id of a shell command as a task
}

// calls holds the tool calls of a process and the todo list that they change.
type calls struct {
	rec   *recorder
	early *earlyLines
	known map[session.CallID]*toolCall
	open  map[session.CallID]*toolCall // those that have not ended
	todos todoList
}

func newCalls(rec *recorder, early *earlyLines) *calls {
	return &calls{rec: rec, early: early, known: map[session.CallID]*toolCall{}, open: map[session.CallID]*toolCall{}}
}

// start announces a call, once, and maps what its child agent has printed before.
func (c *calls) start(b block, parent session.CallID, at time.Time) {
	call := session.CallID(b.ID)
	if c.known[call] != nil || call == "" {
		return
	}
	h := c.rec.in(parent, at)
	t := &toolCall{call: call, name: b.Name, turn: h.Turn, turns: c.rec.turns, child: parent}
	c.known[call], c.open[call] = t, t
	c.rec.emit(session.ToolStarted{Head: h, Call: call, Name: b.Name, Parent: parent})
	c.early.release(b.ID, at)
}

// ready reports the input of a call, once.
func (c *calls) ready(call session.CallID, input json.RawMessage, at time.Time) {
	t := c.known[call]
	if t == nil || t.ready || t.ended {
		return
	}
	t.ready, t.began = true, at
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	switch t.name {
	case "TaskCreate", "TaskUpdate", "Agent", "Task", "ExitPlanMode":
		t.input = input
	}
	h := c.rec.in(t.child, at)
	h.Turn = t.turn
	c.rec.emit(session.ToolReady{Head: h, Call: call, Input: input})
	if t.name == "TodoWrite" && t.child == "" {
		c.todosChanged(todosOf(input), at)
	}
}

// end ends a call, once. The call may be of an earlier turn; the reducer finds it there.
func (c *calls) end(e session.ToolEnded) {
	t := c.known[e.Call]
	if t == nil || t.ended {
		return
	}
	t.ended = true
	delete(c.open, e.Call)
	e.Head.Child = session.ChildID(t.child)
	if c.rec.turn == "" || t.child != "" {
		e.Head.Turn = t.turn
	}
	c.rec.emit(e)
}

// turnOf returns the turn that announced a call, empty for an unknown one.
func (c *calls) turnOf(call session.CallID) session.TurnID {
	if t := c.known[call]; t != nil {
		return t.turn
	}
	return ""
}

// Place returns the turn and the child agent of a call, also of one that has not been announced. agent is the runtime's id of
// the child; both results are empty for an unknown one.
func (m *Mapper) Place(call session.CallID, agent string) (session.TurnID, session.ChildID) {
	if t := m.calls.known[call]; t != nil {
		return t.turn, session.ChildID(t.child)
	}
	child, ok := m.children.byTaskID(agent)
	switch {
	case !ok:
		return "", ""
	case child != "":
		return m.rec.childTurns[child], session.ChildID(child)
	}
	return m.rec.turn, ""
}

// succeeded updates the todo list after a successful call of a task tool. result is the tool's own result.
func (c *calls) succeeded(t *toolCall, result json.RawMessage, at time.Time) {
	if c.todos.apply(t.name, t.input, result) {
		c.todosChanged(c.todos.list(), at)
	}
}

// todosChanged reports a todo list, unless it is nil.
func (c *calls) todosChanged(todos []session.Todo, at time.Time) {
	if todos != nil {
		c.rec.emit(session.TodosChanged{Head: c.rec.at(at), Todos: todos})
	}
}
