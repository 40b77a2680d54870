//go:build linux

package cli

import (
	"bufio"
	"bytes"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// BenchmarkPrint measures -p from exec to the first delta, beside what starting the program takes at all, and its memory. The
// service answers at once. Held to: first delta 40 ms after the service's own time, 45 MB resident.
func BenchmarkPrint(b *testing.B) {
	bin := build(b)
	w := newWorld(b).signIn("pace: {chars: 4, rate: 0}\nrules:\n  - when: {result: false, prompt: work}\n    reply: [{tool: Glob, input: {pattern: \"**/*\"}}]\n  - reply: This is the whole answer.\n")
	for _, prompt := range []string{"hello", "work"} {
		b.Run(prompt, func(b *testing.B) {
			var first, start, whole []float64
			var resident int64
			for b.Loop() {
				for range 15 {
					start = append(start, w.versionTime(bin))
					delta, all, rss := w.firstDelta(bin, prompt)
					first, whole, resident = append(first, delta), append(whole, all), max(resident, rss)
				}
			}
			report(b, start, "version")
			report(b, first, "first-delta")
			report(b, whole, "whole")
			b.ReportMetric(float64(resident)/1e6, "rss-MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// firstDelta runs -p and returns after how long the first delta was printed and the program ended, and the most memory it had.
func (w *world) firstDelta(bin, prompt string) (delta, whole float64, resident int64) {
	w.t.Helper()
	cmd := exec.Command(bin, "-p", "--output-format", "stream-json", prompt)
	cmd.Env, cmd.Dir = w.env, w.dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if delta == 0 && bytes.Contains(lines.Bytes(), []byte(`"type":"part_delta"`)) {
			delta = ms(time.Since(began))
		}
	}
	if err := cmd.Wait(); err != nil || delta == 0 {
		w.t.Fatalf("no delta: %v", err)
	}
	return delta, ms(time.Since(began)), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}
