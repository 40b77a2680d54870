package mapper

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// todoList is the agent's task list. Newer runtimes keep it in a table that the agent changes with SQL, older ones have a
// tool that takes it as a list in markdown.
type todoList struct {
	rows  []todoRow
	known []session.Todo // as reported last
}

func newTodoList() *todoList { return &todoList{} }

// set replaces the reported list and reports whether that changed it.
func (l *todoList) set(todos []session.Todo) bool {
	if slices.Equal(todos, l.known) {
		return false
	}
	l.known = slices.Clone(todos)
	return true
}

// todosOf reports the task list after a successful call of a tool that may have changed it.
func (m *Mapper) todosOf(t *toolCall, d toolComplete, at time.Time) {
	var in struct {
		Query string `json:"query"`
		Todos string `json:"todos"`
	}
	if t.child != "" || t.name != "sql" && t.name != "update_todo" || json.Unmarshal(t.input, &in) != nil {
		return
	}
	var list []session.Todo
	if t.name == "update_todo" {
		list = checklist(in.Todos)
	} else if !m.todos.run(in.Query, d.Result.Content) {
		return
	} else {
		list = m.todos.list()
	}
	if m.todos.set(list) {
		m.rec.emit(session.TodosChanged{Head: m.rec.at(at), Todos: list})
	}
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
