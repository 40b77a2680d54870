package mapper

import (
	"encoding/json"
	"slices"
	"time"

	"parley/session"
)

// task is one entry of the list that the task tools of newer runtimes keep.
type task struct {
	id string
	session.Todo
}

// todos tells the list that a TodoWrite gives whole.
func (m *Mapper) todos(input json.RawMessage, at time.Time) {
	var in struct {
		Todos []struct {
			Content    string `json:"content"`
			ActiveForm string `json:"activeForm"`
			Status     string `json:"status"`
		} `json:"todos"`
	}
	if json.Unmarshal(input, &in) != nil {
		return
	}
	todos := make([]session.Todo, 0, len(in.Todos))
	for _, t := range in.Todos {
		todos = append(todos, session.Todo{Text: t.Content, Active: t.ActiveForm, State: session.TodoStatus(t.Status)})
	}
	m.emit(session.TodosChanged{Head: m.at(at), Todos: todos})
}

// taskDone keeps the list that newer runtimes change entry by entry. The result has the id and what came of the call, the
// input the words.
func (m *Mapper) taskDone(t *toolCall, raw json.RawMessage, at time.Time) {
	var changed bool
	switch t.name {
	case "TaskCreate":
		changed = m.addTask(t.input, raw)
	case "TaskUpdate":
		changed = m.updateTask(t.input)
	case "TaskList":
		changed = m.readTasks(raw)
	}
	if !changed {
		return
	}
	todos := make([]session.Todo, 0, len(m.tasks))
	for _, t := range m.tasks {
		todos = append(todos, t.Todo)
	}
	m.emit(session.TodosChanged{Head: m.at(at), Todos: todos})
}

func (m *Mapper) addTask(input, raw json.RawMessage) bool {
	var made struct {
		Task struct{ ID, Subject string }
	}
	var in struct{ ActiveForm string }
	if json.Unmarshal(raw, &made) != nil || made.Task.ID == "" || m.taskAt(made.Task.ID) >= 0 {
		return false
	}
	json.Unmarshal(input, &in) // without it the task has no other words
	m.tasks = append(m.tasks, task{made.Task.ID, session.Todo{Text: made.Task.Subject, Active: in.ActiveForm, State: session.TodoPending}})
	return true
}

func (m *Mapper) updateTask(input json.RawMessage) bool {
	var in struct{ TaskID, Status, Subject, ActiveForm string }
	if json.Unmarshal(input, &in) != nil {
		return false
	}
	i := m.taskAt(in.TaskID)
	if i < 0 {
		return false
	}
	if in.Status == "deleted" {
		m.tasks = slices.Delete(slices.Clone(m.tasks), i, i+1)
		return true
	}
	t := &m.tasks[i]
	before := *t
	t.Text, t.Active = firstOf(in.Subject, t.Text), firstOf(in.ActiveForm, t.Active)
	t.State = session.TodoStatus(firstOf(in.Status, string(t.State)))
	return *t != before
}

// readTasks takes the list as the runtime shows it, such as after a resume. It knows no other words for a task in progress.
func (m *Mapper) readTasks(raw json.RawMessage) bool {
	var list struct {
		Tasks []struct{ ID, Subject, Status string }
	}
	if json.Unmarshal(raw, &list) != nil || list.Tasks == nil {
		return false
	}
	tasks := make([]task, 0, len(list.Tasks))
	for _, t := range list.Tasks {
		n := task{t.ID, session.Todo{Text: t.Subject, State: session.TodoStatus(t.Status)}}
		if i := m.taskAt(t.ID); i >= 0 {
			n.Active = m.tasks[i].Active
		}
		tasks = append(tasks, n)
	}
	same := slices.Equal(tasks, m.tasks)
	m.tasks = tasks
	return !same
}

func (m *Mapper) taskAt(id string) int {
	return slices.IndexFunc(m.tasks, func(t task) bool { return t.id == id })
}
