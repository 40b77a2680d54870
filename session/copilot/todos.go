package copilot

import (
	"context"

	"parley/internal/crash"
	"parley/session"
	"parley/session/copilot/mapper"
)

// todosChanged reads the task list in the background. The lock is held.
func (c *conversation) todosChanged(l *link) {
	if c.Closed {
		return
	}
	l.todosAsked++
	if l.todosAsked == 1 { // otherwise it is being read, and is read again
		c.Work.Go(crash.Guarded(func() { c.readTodos(l) }))
	}
}

// readTodos reads the task list until it has not changed meanwhile, and reports it.
func (c *conversation) readTodos(l *link) {
	for asked := 1; asked > 0; {
		c.Mu.Lock()
		before := l.todosAsked
		c.Mu.Unlock()
		list, err := todosOf(c.Life, l)
		c.Mu.Lock()
		asked = l.todosAsked - before
		if err != nil {
			asked = 0 // an older runtime, or one that has ended
		} else if c.Last == l && !c.Closed {
			c.Out.Put(c.adjust(l, l.m.SetTodos(list, c.a.o.Now()))...)
		}
		if asked == 0 {
			l.todosAsked = 0
		}
		c.Mu.Unlock()
		c.Out.Deliver()
	}
}

// todosOf returns the task list of a session as the runtime stores it. Runtimes before 1.0.85 do not tell it.
func todosOf(ctx context.Context, l *link) ([]session.Todo, error) {
	var r struct {
		Rows []struct{ ID, Title, Status string }
	}
	if err := l.call(ctx, "session.plan.readSqlTodos", nil, &r); err != nil {
		return nil, err
	}
	list := make([]session.Todo, 0, len(r.Rows))
	for _, row := range r.Rows {
		list = append(list, mapper.TodoOf(row.ID, row.Title, row.Status))
	}
	return list, nil
}
