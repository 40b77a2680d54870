package copilot

import (
	"context"
	"fmt"
	"testing"

	"parley/session"
	"parley/session/copilot/copilottest"
)

// again closes the conversation and opens it again, so that the runtime resumes it.
func (s *stage) again() {
	s.t.Helper()
	s.ask("t0", "first")
	if err := s.conv.Close(context.Background()); err != nil {
		s.t.Fatal(err)
	}
	s.store(stageSession)
	s.open(nil)
}

// TestTheTaskListIsThatOfTheRuntime reads the list whenever the runtime says that it has changed, and when a session goes on.
func TestTheTaskListIsThatOfTheRuntime(t *testing.T) {
	rows := []obj{{"id": "a", "title": "One", "status": "in_progress"}, {"id": "b", "title": "", "status": "pending"}}
	s := newStage(t, func(s *stage, _ *Options) {
		s.handles(map[string]any{"session.plan.readSqlTodos": func(copilottest.Message) any { return obj{"rows": rows} }})
	})
	s.again()
	changed := func(want string) func(session.Event) bool {
		return func(e session.Event) bool {
			c, ok := e.(session.TodosChanged)
			return ok && fmt.Sprint(c.Todos) == want
		}
	}
	s.until("the list of the session that goes on", changed("[{One  in_progress} {b  pending}]"))
	s.runtime.Turn = func(a *copilottest.Actor, _ string) {
		rows = []obj{{"id": "a", "title": "One", "status": "done"}}
		a.Ephemeral("session.todos_changed", nil)
		a.Ephemeral("session.todos_changed", nil)
		a.Say("done")
	}
	s.ask("t1", "hello")
	s.until("the list of the turn", changed("[{One  completed}]"))
	n := 0
	for _, e := range s.all() {
		if _, ok := e.(session.TodosChanged); ok {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d lists", n)
	}
}

// TestARuntimeWithoutATaskList asks one that does not know the question.
func TestARuntimeWithoutATaskList(t *testing.T) {
	s := newStage(t, nil)
	s.again()
	s.runtime.Turn = func(a *copilottest.Actor, _ string) {
		a.Ephemeral("session.todos_changed", nil)
		a.Say("done")
	}
	if end := s.ask("t1", "hello"); end.Outcome != session.TurnCompleted {
		t.Errorf("%+v", end)
	}
}
