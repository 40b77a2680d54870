package mapper

import (
	"encoding/json"
	"slices"

	"parley/session"
)

// todosOf reads the list in the input of TodoWrite, nil if it is malformed.
func todosOf(input json.RawMessage) []session.Todo {
	var in struct {
		Todos []struct {
			Content    string `json:"content"`
			ActiveForm string `json:"activeForm"`
			Status     string `json:"status"`
		} `json:"todos"`
	}
	if json.Unmarshal(input, &in) != nil {
		return nil
	}
	todos := make([]session.Todo, 0, len(in.Todos))
	for _, t := range in.Todos {
		todos = append(todos, session.Todo{Text: t.Content, Active: t.ActiveForm, State: session.TodoStatus(t.Status)})
	}
	return todos
}

// todoList is the list that newer runtimes change one task at a time.
type todoList struct{ tasks []task }

type task struct {
	id string
	session.Todo
}

// apply applies a successful call of a task tool and reports whether the list changed. The result holds the id and the
// outcome, the input the words.
func (l *todoList) apply(tool string, input, result json.RawMessage) bool {
	switch tool {
	case "TaskCreate":
		return l.add(input, result)
	case "TaskUpdate":
		return l.update(input)
	case "TaskList":
		return l.replace(result)
	}
	return false
}

func (l *todoList) list() []session.Todo {
	todos := make([]session.Todo, 0, len(l.tasks))
	for _, t := range l.tasks {
		todos = append(todos, t.Todo)
	}
	return todos
}

func (l *todoList) add(input, result json.RawMessage) bool {
	var created struct {
		Task struct{ ID, Subject string }
	}
	var in struct{ ActiveForm string }
	if json.Unmarshal(result, &created) != nil || created.Task.ID == "" || l.index(created.Task.ID) >= 0 {
		return false
	}
	json.Unmarshal(input, &in) // without it the task has only its subject
	l.tasks = append(l.tasks, task{created.Task.ID, session.Todo{Text: created.Task.Subject, Active: in.ActiveForm, State: session.TodoPending}})
	return true
}

func (l *todoList) update(input json.RawMessage) bool {
	var in struct{ TaskID, Status, Subject, ActiveForm string }
	if json.Unmarshal(input, &in) != nil {
		return false
	}
	i := l.index(in.TaskID)
	if i < 0 {
		return false
	}
	if in.Status == "deleted" {
		l.tasks = slices.Delete(l.tasks, i, i+1)
		return true
	}
	t := &l.tasks[i]
	before := *t
	t.Text, t.Active = firstOf(in.Subject, t.Text), firstOf(in.ActiveForm, t.Active)
	t.State = session.TodoStatus(firstOf(in.Status, string(t.State)))
	return *t != before
}

// replace takes the whole list, as the runtime lists it after a resume. A task keeps the words for its time in progress,
// which the listing lacks.
func (l *todoList) replace(result json.RawMessage) bool {
	var listed struct {
		Tasks []struct{ ID, Subject, Status string }
	}
	if json.Unmarshal(result, &listed) != nil || listed.Tasks == nil {
		return false
	}
	tasks := make([]task, 0, len(listed.Tasks))
	for _, t := range listed.Tasks {
		n := task{t.ID, session.Todo{Text: t.Subject, State: session.TodoStatus(t.Status)}}
		if i := l.index(t.ID); i >= 0 {
			n.Active = l.tasks[i].Active
		}
		tasks = append(tasks, n)
	}
	same := slices.Equal(tasks, l.tasks)
	l.tasks = tasks
	return !same
}

func (l *todoList) index(id string) int {
	return slices.IndexFunc(l.tasks, func(t task) bool { return t.id == id })
}
