package status

import (
	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// Tasks is the agent's task list: one row while it is folded, a row for each task when open.
type Tasks struct{ open bool }

// Toggle opens or folds the list.
func (t *Tasks) Toggle() { t.open = !t.open }

// Want returns how many rows the list needs. A folded list whose tasks are done disappears with its turn.
func (t *Tasks) Want(todos []session.Todo, running bool) int {
	done, _ := progress(todos)
	switch {
	case len(todos) == 0 || done == len(todos) && !running && !t.open:
		return 0
	case t.open:
		return 1 + len(todos)
	}
	return 1
}

// progress returns how many tasks are done, and the index of the active one, -1 for none.
func progress(todos []session.Todo) (done, active int) {
	active = -1
	for i, t := range todos {
		switch {
		case t.State == session.TodoDone:
			done++
		case t.State == session.TodoActive && active < 0:
			active = i
		}
	}
	return done, active
}

// Rows returns the list in at most limit rows of a window that is width columns wide.
func (t *Tasks) Rows(l *style.Look, todos []session.Todo, width, limit int) []string {
	if limit <= 0 {
		return nil
	}
	th, ms, w := l.Theme, l.Measure, width-4
	done, active := progress(todos)
	head := human.Number(done) + "/" + human.Number(len(todos))
	if !t.open || limit == 1 {
		if active >= 0 {
			head += " " + taskText(todos[active])
		} else {
			head += " tasks"
		}
		hint := "ctrl+t tasks"
		return []string{"  " + ms.Spread(ms.Clip(head, w-len(hint)-1), th.Dim.Of(hint), w)}
	}
	rows := []string{"  " + ms.Spread(head+" tasks", th.Dim.Of("ctrl+t folds"), w)}
	room := limit - 1
	from := 0
	if len(todos) > room {
		at := active
		if at < 0 {
			at = done
		}
		from = max(0, min(at-room/2, len(todos)-room))
	}
	for i, todo := range todos[from:min(len(todos), from+room)] {
		mark, st := "·", th.Dim
		switch {
		case todo.State == session.TodoDone:
			mark = "✓"
		case todo.State == session.TodoActive:
			mark, st = "▸", style.Style("")
		}
		text := taskText(todo)
		if n := from + i; (i == 0 && n > 0 || i == room-1 && n < len(todos)-1) && room > 2 {
			text += " …"
		}
		rows = append(rows, "    "+st.Of(mark+" "+ms.Clip(text, w-4)))
	}
	return rows
}

// taskText returns the words of a task, for an active one in its active form if it has one.
func taskText(t session.Todo) string {
	if t.State == session.TodoActive && t.Active != "" {
		return style.Visible(style.OneLine(t.Active))
	}
	return style.Visible(style.OneLine(t.Text))
}
