//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/claude/archive"
	"parley/session/store"
)

// TestLongSessionOnATerminal goes on with long sessions of each kind in the program itself: what is typed from the start
// on is written, what is pressed is done once all of the session is there, and it is there from its beginning to its end.
func TestLongSessionOnATerminal(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"journal", "claude", "both"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorldApart(t).signIn("")
			id := w.longSession(repeat.Times(2000, 2000, 4000))
			if kind != "claude" {
				agent := map[string]string{"journal": "builtin", "both": "claude"}[kind]
				w.journal(agent, id, w.told(id))
			}
			if kind == "journal" {
				if err := os.RemoveAll(filepath.Join(w.home, ".claude")); err != nil {
					t.Fatal(err)
				}
			} else {
				w.standInRuntime("ticking", clockVariable+"="+filepath.Join(w.home, "clock"))
			}
			args := []string{"-c"}
			if kind == "both" {
				args = []string{"-r", id[:8]}
			}
			tm := w.start(100, 30, args...)
			tm.send("typed at once")
			tm.shows("the very last words")
			tm.shows("> typed at once")
			if !strings.Contains(tm.output(), "loading the session") {
				t.Error("the end was not shown before all was there")
			}
			tm.send("\x1b[1;5H") // ctrl+home
			screen := tm.until("the beginning", func(s string) bool { return strings.Contains(s, "prompt 0 ") })
			if !strings.Contains(screen, "> typed at once") || strings.Contains(screen, "loading") {
				t.Errorf("at the beginning:\n%s", screen)
			}
			tm.send("\x03")
			tm.until("an empty field", func(s string) bool { return !strings.Contains(s, "typed at once") })
			tm.send("\x04")
			if code := tm.exit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			tm.givenBack()
		})
	}
}

// told is what Claude Code tells of a session.
func (w *world) told(id string) []session.Event {
	w.t.Helper()
	events, err := archive.New(filepath.Join(w.home, ".claude")).Replay(w.t.Context(), session.ID(id))
	if err != nil {
		w.t.Fatal(err)
	}
	return events
}

// journal writes events into the journal of a session, as they stream.
func (w *world) journal(agent, id string, events []session.Event) string {
	w.t.Helper()
	s := store.New(store.Options{Dir: filepath.Join(w.home, ".local", "share", "parley", "sessions"),
		LockDir: filepath.Join(w.home, ".local", "state", "parley", "locks")})
	at := time.Date(2026, 1, 1, 11, 0, 0, 0, time.UTC)
	j, err := s.Create(w.t.Context(), session.Meta{ID: session.ID(id), Agent: agent, Dir: w.dir, Created: at, Updated: at})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range streamed(events) {
		if err := j.Append(e); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// streamed makes parts that came whole come in pieces.
func streamed(events []session.Event) []session.Event {
	out := []session.Event{session.ModelChanged{Model: "claude-sonnet-4-6"}, session.ModeChanged{Mode: session.ModeAcceptEdits}}
	for _, e := range events {
		r, ok := e.(session.PartReplaced)
		if !ok {
			out = append(out, e)
			continue
		}
		part := session.PartID(fmt.Sprintf("live-%s", r.Part))
		out = append(out, session.PartStarted{Head: r.Head, Part: part, Kind: r.Kind},
			session.PartDelta{Head: r.Head, Part: part, Text: r.Text}, session.PartEnded{Head: r.Head, Part: part})
	}
	return out
}
