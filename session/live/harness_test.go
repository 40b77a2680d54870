package live_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// project is the directory of sessions.
var project, _ = filepath.Abs("/project")

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

func watch(s *live.Session) *watcher {
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

func (w *watcher) transcript() *session.Transcript { return session.Fold(w.all()) }

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

func draft(t *testing.T, m *live.Manager) *live.Session {
	t.Helper()
	s, err := m.Draft(live.DraftOptions{Dir: project, Settings: session.Settings{Model: "opus", Mode: session.ModeDefault}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func send(t *testing.T, s *live.Session, text string) session.PromptID {
	t.Helper()
	id, err := s.Send(session.Prompt{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func closeAll(t *testing.T, m *live.Manager) {
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

var errBroken = &session.Error{Op: "test", Kind: session.KindNetwork, Err: errors.New("no route to host")}
