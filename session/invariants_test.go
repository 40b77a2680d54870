package session_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// bubble runs f with virtual time and a world, and fails if anything still runs when the manager is closed.
func bubble(t *testing.T, f func(t *testing.T, w *sessiontest.World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, sessiontest.NewWorld()) })
}

// watcher is an attached sink.
type watcher struct {
	mu     sync.Mutex
	events []session.Event
}

func watch(s *session.Session) *watcher {
	w := &watcher{}
	history, _ := s.Attach(func(e session.Event) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.events = append(w.events, e)
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(slices.Clone(history), w.events...)
	return w
}

func (w *watcher) all() []session.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

func (w *watcher) transcript() *session.Transcript { return fold(w.all()) }

func (w *watcher) types() []string {
	var names []string
	for _, e := range w.all() {
		names = append(names, session.EventType(e))
	}
	return names
}

func (w *watcher) count(name string) int {
	n := 0
	for _, t := range w.types() {
		if t == name {
			n++
		}
	}
	return n
}

func fold(events []session.Event) *session.Transcript {
	t := &session.Transcript{}
	for _, e := range events {
		t.Apply(e)
	}
	return t
}

func draft(t *testing.T, m *session.Manager) *session.Session {
	t.Helper()
	s, err := m.Draft(session.DraftOptions{Dir: "/work", Settings: session.Settings{Model: "opus", Mode: session.ModeDefault}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func send(t *testing.T, s *session.Session, text string) session.PromptID {
	t.Helper()
	id, err := s.Send(session.Prompt{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func closeAll(t *testing.T, m *session.Manager) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if err := m.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

// order fails unless lines holds want as a subsequence.
func order(t *testing.T, lines []string, want ...string) {
	t.Helper()
	at := 0
	for _, l := range lines {
		if at < len(want) && l == want[at] {
			at++
		}
	}
	if at < len(want) {
		t.Errorf("no %q (after %q) in:\n%s", want[at], want[:at], strings.Join(lines, "\n"))
	}
}

func TestOneConversation(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		id := send(t, s, "hello")
		turn := w.Agent.Turn(t)
		if string(turn.ID) != string(id) || turn.Origin != session.OriginUser {
			t.Errorf("turn %q by %q for prompt %q", turn.ID, turn.Origin, id)
		}
		turn.Reasoning(time.Second, "hm")
		turn.Text("hi ", "there")
		turn.Tool("Read", `{"file_path":"/work/a.go"}`, "package a")
		turn.End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		tr := seen.transcript()
		if len(tr.Turns) != 1 || len(tr.Turns[0].Entries) != 3 || tr.Turns[0].Outcome != session.TurnCompleted {
			t.Fatalf("turns: %+v", tr.Turns)
		}
		if p := tr.Turns[0].Entries[1].(*session.Part); p.Text() != "hi there" {
			t.Errorf("text %q", p.Text())
		}
		if tr.Settings.Model != "opus" {
			t.Errorf("settings %+v", tr.Settings)
		}
		closeAll(t, m)
		stored := fold(w.Journals.Stored(s.ID()))
		if len(stored.Turns) != 1 || stored.Turns[0].Prompt.Text != "hello" || len(stored.Turns[0].Entries) != 3 {
			t.Errorf("stored: %+v", stored.Turns)
		}
		if w.Journals.Locked(s.ID()) || w.Endpoints.IsOpen(s.ID()) {
			t.Error("something is still open")
		}
		if _, err := s.Send(session.Prompt{Text: "late"}); session.KindOf(err) != session.KindInvalid {
			t.Errorf("send after close: %v", err)
		}
	})
}

var errBroken = &session.Error{Op: "test", Kind: session.KindNetwork, Err: errors.New("no route to host")}
