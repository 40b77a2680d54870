package cli

import (
	"os/exec"
	"testing"
	"time"
)

// BenchmarkHosted measures what a screen feels of sessions in a host: first frame, key taken, key to echo before and in an answer,
// Enter to the first and the last word. In turns with and without, so that both have the same machine. The goal: as without.
func BenchmarkHosted(b *testing.B) {
	bin := build(b)
	worlds := map[string]*world{}
	for c, w := range map[string]*world{"in-process": newWorldApart(b).signIn(streams), "hosted": newOutliving(b, streams)} {
		worlds[c] = w
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
				tm.quit()
			}
		}
	}
	for what, all := range took {
		report(b, all, what)
	}
	b.ReportMetric(0, "ns/op")
}
