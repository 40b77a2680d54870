//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkOpenLong opens a session of 10,000 messages in the program itself, from the start of the process: to the
// frame with its end, and to the one with its second prompt, for which all of it has to be there. What keeps it is a journal,
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
				tm.until("the beginning", func(s string) bool { return strings.Contains(s, "prompt 4 ") })
				end = append(end, w.sinceSeen(tm, began, "the very last words"))
				all = append(all, w.sinceSeen(tm, began, "prompt 4 "))
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
