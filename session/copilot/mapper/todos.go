package mapper

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// todosOf reports the task list after a successful call of the tool of older runtimes, which takes it as a list in markdown. Newer
// ones keep it in a table that the agent changes with SQL; a conversation asks the runtime for it; see [Mapper.SetTodos].
func (m *Mapper) todosOf(t *toolCall, at time.Time) {
	var in struct {
		Todos string `json:"todos"`
	}
	if t.Child == "" && t.Name == "update_todo" && json.Unmarshal(t.With.input, &in) == nil {
		m.setTodos(checklist(in.Todos), at)
	}
}

// setTodos reports the task list if it is not the one that was reported last.
func (m *Mapper) setTodos(list []session.Todo, at time.Time) {
	if !slices.Equal(list, m.todos) {
		m.todos = slices.Clone(list)
		m.rec.Emit(session.TodosChanged{Head: m.rec.At(at), Todos: list})
	}
}

// KnowTodos records the task list that was reported before, without an event.
func (m *Mapper) KnowTodos(list []session.Todo) { m.todos = list }

// SetTodos reports the task list as the runtime stores it, if it is not the one that was reported last.
func (m *Mapper) SetTodos(list []session.Todo, at time.Time) []session.Event {
	m.setTodos(list, at)
	return m.rec.Take()
}

// TodoOf returns a row of the runtime's table as a task.
func TodoOf(id, title, status string) session.Todo {
	t := session.Todo{Text: title, State: session.TodoPending}
	if title == "" {
		t.Text = id
	}
	switch status {
	case "done", "completed":
		t.State = session.TodoDone
	case "in_progress":
		t.State = session.TodoActive
	}
	return t
}

// checklist reads a list in markdown: "- [ ] text", "- [x] text" and "- [>] text" for the one in progress.
func checklist(text string) []session.Todo {
	todos := []session.Todo{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(line) < 6 || !strings.ContainsRune("-*+", rune(line[0])) || !strings.HasPrefix(line[1:], " [") || line[4] != ']' {
			continue
		}
		state := session.TodoPending
		switch line[3] {
		case 'x', 'X':
			state = session.TodoDone
		case '>', '~', '/', '-':
			state = session.TodoActive
		}
		todos = append(todos, session.Todo{Text: strings.TrimSpace(line[5:]), State: state})
	}
	return todos
}
