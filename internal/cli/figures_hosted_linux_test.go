package cli

import (
	"fmt"
	"os/exec"
	"testing"
	"time"
)

// BenchmarkHosted measures what a screen feels of sessions in a host. The goal: as without.
func BenchmarkHosted(b *testing.B) {
	compare(b, build(b), map[string]*world{"in-process": newWorldApart(b).signIn(streams), "hosted": newOutliving(b, streams)}, nil)
}

// compare measures what a chat feels like in some worlds: first frame, key taken, key to echo before and in an answer, Enter to the first and
// the last word, and what its process used. They take turns, so that all have the same machine. Once a chat is shown, ready may wait, and
// returns what is called when it was measured; optional.
func compare(b *testing.B, bin string, worlds map[string]*world, ready func(c string) (measured func())) {
	for _, w := range worlds {
		w.untilShown(bin, "asks before it acts")
	}
	took := map[string][]float64{}
	note := func(what, c string, ms ...float64) { took[what+"-"+c] = append(took[what+"-"+c], ms...) }
	for b.Loop() {
		for range 7 {
			for c, w := range worlds {
				note("frame", c, w.untilShown(bin, "asks before it acts"))
				note("input", c, w.untilTyped(bin))
			}
		}
		for range 3 {
			for c, w := range worlds {
				tm := w.startCommand(120, 40, exec.Command(bin))
				tm.seenAfter(0, "asks before it acts")
				measured := func() {}
				if ready != nil {
					measured = ready(c)
				}
				tm.settle()
				note("echo", c, tm.echoes(30)...)
				tm.send("\x15")
				tm.settle()
				from, began := tm.sent(), time.Now()
				tm.send("stream\r")
				note("first", c, ms(tm.seenAfter(from, "Part").Sub(began)))
				time.Sleep(300 * time.Millisecond)
				note("echo-streaming", c, tm.echoes(30)...)
				note("last", c, ms(tm.seenAfter(from, "ENDMARKF").Sub(began)))
				used := tm.used()
				note("cpu", c, ms(used.cpu))
				note("rss", c, used.resident)
				measured()
				tm.quit()
			}
		}
	}
	for what, all := range took {
		report(b, all, what)
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkAttach measures parley attach from the start of the process to the words of the session in the frame, while that session
// streams in its host. The goal: 50 ms.
func BenchmarkAttach(b *testing.B) {
	bin := build(b)
	w := newOutliving(b, counting)
	w.mustRun("--detach", "count")
	w.untilPS("work", func(all []goesOn) bool { return len(all) == 1 && all[0].State == "works" })
	var took, start []float64
	for b.Loop() {
		for range 15 {
			took = append(took, w.untilLeft(bin, "Counting begins", "attach"))
			start = append(start, w.untilLeft(bin, "asks before it acts"))
		}
	}
	w.sim.Release("rest")
	report(b, took, "attach")
	report(b, start, "frame")
	b.ReportMetric(0, "ns/op")
}

// untilLeft starts the program, which is left once it shows a text, and returns how many milliseconds that took.
func (w *world) untilLeft(bin, text string, args ...string) float64 {
	w.t.Helper()
	began := time.Now()
	tm := w.startCommand(120, 40, exec.Command(bin, args...))
	tm.shows(text)
	took := w.sinceSeen(tm, began, text)
	tm.send("\x1c")
	tm.exit()
	return took
}

// BenchmarkOpenHundredThousand measures how long a session of 100,000 messages takes to be shown, from the start of the process, in it and
// in a host. The goal: 100 ms.
func BenchmarkOpenHundredThousand(b *testing.B) {
	bin := build(b)
	for c, w := range map[string]*world{"in-process": newWorldApart(b).signIn(streams), "hosted": newOutliving(b, streams)} {
		id := w.longJournal(33_400)
		var took []float64
		b.Run(c, func(b *testing.B) {
			for b.Loop() {
				for range 5 {
					took = append(took, w.untilShown(bin, "the very last words", "-r", id))
				}
			}
			report(b, took, "open")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkTenSessions measures key to echo in a parley with one session and with ten, all of which stream. The goal: as with one.
func BenchmarkTenSessions(b *testing.B) {
	const rules = `
rules:
  - when: {prompt: stream}
    reply:
      - filler: {tokens: "30000", rate: "300", mark: never}
`
	bin := build(b)
	for _, sessions := range []int{1, 10} {
		var took []float64
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			for b.Loop() {
				w := newOutliving(b, rules)
				tm := w.startCommand(120, 40, exec.Command(bin))
				tm.seenAfter(0, "asks before it acts")
				for i := range sessions {
					if i > 0 {
						tm.send("/new\r")
						tm.settle()
					}
					from := tm.sent()
					tm.send("stream\r")
					tm.seenAfter(from, "Part")
				}
				took = append(took, tm.echoes(100)...)
				tm.send("\x15")
				tm.send("\x1c")
				tm.exit()
				w.mustRun("stop", "--all")
			}
			report(b, took, "echo")
			b.ReportMetric(0, "ns/op")
		})
	}
}
