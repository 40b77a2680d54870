package ui

import (
	"parley/session"
	"parley/ui/style"
)

// This file is the agent's task list above the composer: one row while it is folded, a row for each task when open.

// wantTasks is how many rows the task list would like to have. One that is done is shown no longer than its turn.
func (m *Model) wantTasks() int {
	todos := m.conv.Transcript().Todos
	done, _ := progress(todos)
	switch {
	case len(todos) == 0 || done == len(todos) && m.conv.Running() == nil && !m.tasksOpen:
		return 0
	case m.tasksOpen:
		return 1 + len(todos)
	}
	return 1
}

// progress is how many tasks are done, and the one being worked on, -1 for none.
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

// taskRows lays the task list out in at most limit rows.
func (m *Model) taskRows(limit int) []string {
	if limit <= 0 {
		return nil
	}
	th, ms, w := m.look.Theme, m.look.Measure, m.width-4
	todos := m.conv.Transcript().Todos
	done, active := progress(todos)
	head := style.Group(done) + "/" + style.Group(len(todos))
	if !m.tasksOpen || limit == 1 {
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
	for i, t := range todos[from:min(len(todos), from+room)] {
		mark, st := "·", th.Dim
		switch {
		case t.State == session.TodoDone:
			mark = "✓"
		case t.State == session.TodoActive:
			mark, st = "▸", style.Style("")
		}
		text := taskText(t)
		if n := from + i; (i == 0 && n > 0 || i == room-1 && n < len(todos)-1) && room > 2 {
			text += " …"
		}
		rows = append(rows, "    "+st.Of(mark+" "+ms.Clip(text, w-4)))
	}
	return rows
}

// taskText is a task in words, in the form for one that is being worked on where there is one.
func taskText(t session.Todo) string {
	if t.State == session.TodoActive && t.Active != "" {
		return style.Visible(style.OneLine(t.Active))
	}
	return style.Visible(style.OneLine(t.Text))
}
