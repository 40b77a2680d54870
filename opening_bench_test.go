//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude"
	"parley/session/store"
)

// BenchmarkOpenLong opens a session of 10,000 messages in the program itself, from the start of the process: to the
// frame with its end, and to the one with its beginning, for which all of it has to be there. What keeps it is a journal,
// as of parley's own agent; what Claude Code wrote; and both.
func BenchmarkOpenLong(b *testing.B) {
	const messages = 10_000
	kinds := map[string]func(w *world) string{
		"journal": func(w *world) string {
			id := w.longSession(messages)
			id = w.journal("builtin", id, w.told(id))
			if err := os.RemoveAll(filepath.Join(w.home, ".claude")); err != nil {
				w.t.Fatal(err)
			}
			return id
		},
		"claude": func(w *world) string { return w.longSession(messages) },
		"both": func(w *world) string {
			id := w.longSession(messages)
			return w.journal("claude", id, w.told(id))
		},
	}
	bin := build(b)
	for _, kind := range []string{"journal", "claude", "both"} {
		b.Run(kind, func(b *testing.B) {
			w := newWorld(b).signIn("")
			w.standInRuntime("ticking", clockVariable+"="+filepath.Join(w.home, "clock"))
			id := kinds[kind](w)
			var end, all []float64
			for b.Loop() {
				began := time.Now()
				tm := w.startCommand(120, 40, exec.Command(bin, "-r", id))
				tm.shows("the very last words")
				tm.send("\x1b[1;5H") // ctrl+home, which waits
				tm.until("the beginning", func(s string) bool { return strings.Contains(s, "prompt 0 ") })
				end = append(end, w.sinceSeen(tm, began, "the very last words"))
				all = append(all, w.sinceSeen(tm, began, "prompt 0 "))
				tm.send("\x04")
				tm.exit()
			}
			b.ReportMetric(0, "ns/op")
			report(b, end, "end")
			report(b, all, "all")
		})
	}
}

// sinceSeen returns after how many milliseconds the terminal was sent a text.
func (w *world) sinceSeen(tm *terminal, began time.Time, text string) float64 {
	w.t.Helper()
	seen, ok := tm.firstSeen(text)
	if !ok {
		w.t.Fatalf("%q was not sent in one piece", text)
	}
	return float64(seen.Sub(began)) / 1e6
}

// told is what Claude Code tells of a session.
func (w *world) told(id string) []session.Event {
	w.t.Helper()
	events, err := claude.NewArchive(filepath.Join(w.home, ".claude")).Replay(w.t.Context(), session.ID(id))
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
