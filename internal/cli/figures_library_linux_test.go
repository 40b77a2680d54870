package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkLibrary measures what a chat feels of its library while the index is made: first frame, key taken, key to echo. In turns without
// sessions and with as many of PARLEY_BENCH_SESSION_KB as PARLEY_BENCH_SESSIONS says, so that both have the same machine. The goal: as without.
func BenchmarkLibrary(b *testing.B) {
	bin := build(b)
	n, kb := asked("PARLEY_BENCH_SESSIONS", 200), asked("PARLEY_BENCH_SESSION_KB", 512)
	worlds := map[string]*world{"none": newWorldApart(b).signIn(streams), "many": newWorldApart(b).signIn(streams)}
	worlds["many"].fillLibrary(n, kb)
	for _, w := range worlds {
		w.untilShown(bin, "asks before it acts")
	}
	took := map[string][]float64{}
	note := func(what, c string, ms ...float64) { took[what+"-"+c] = append(took[what+"-"+c], ms...) }
	written := 0.0
	for b.Loop() {
		for range 7 {
			for c, w := range worlds {
				note("frame", c, w.untilShown(bin, "asks before it acts"))
				note("input", c, w.untilTyped(bin))
			}
		}
		for range 3 {
			for c, w := range worlds {
				before := w.indexBytes()
				tm := w.startCommand(120, 40, exec.Command(bin))
				tm.seenAfter(0, "asks before it acts")
				for end := time.Now().Add(5 * time.Second); c == "many" && w.indexBytes() == before && time.Now().Before(end); {
					time.Sleep(50 * time.Millisecond)
				}
				tm.settle()
				note("echo", c, tm.echoes(60)...)
				tm.send("\x15stream\r")
				time.Sleep(600 * time.Millisecond)
				note("echo-streaming", c, tm.echoes(30)...)
				note("cpu", c, ms(tm.used().cpu))
				note("rss", c, tm.used().resident)
				written += w.indexBytes() - before
				tm.send("\x03")
				tm.settle()
				tm.quit()
			}
		}
	}
	for what, all := range took {
		report(b, all, what)
	}
	b.ReportMetric(written/1e6, "index-MB")
	b.ReportMetric(0, "ns/op")
}

// asked returns a number of the environment, usual without it.
func asked(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

// fillLibrary makes sessions of so many KB. On the disk there are 50 of them; the others are links to these.
func (w *world) fillLibrary(n, kb int) {
	w.t.Helper()
	dir := filepath.Join(w.home, ".local/share/parley/sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("0194a000-0000-7000-8000-%012d.jsonl", i)) }
	random := rand.New(rand.NewPCG(3, 4))
	words := rand.NewZipf(random, 1.1, 4, 40_000)
	for i := range n {
		if i >= 50 {
			if err := os.Link(path(i%50), path(i)); err != nil {
				w.t.Fatal(err)
			}
			continue
		}
		var out strings.Builder
		fmt.Fprintf(&out, `{"v":1,"meta":{"id":"0194a000-0000-7000-8000-%012d","agent":"builtin","dir":%q,"created":"2026-01-01T12:00:00Z"}}`+"\n", i, w.dir)
		fmt.Fprintf(&out, `{"type":"turn_started","turn":"t","at":"2026-01-01T12:00:00Z","prompt":{"text":"question %d"},"origin":"user"}`+"\n", i)
		for p := 0; out.Len() < kb<<10; p++ {
			fmt.Fprintf(&out, `{"type":"part_replaced","turn":"t","at":"2026-01-01T12:00:00Z","part":"p%d","kind":"text","text":"`, p)
			for range 150 {
				fmt.Fprintf(&out, "w%xord ", words.Uint64()*7919)
			}
			out.WriteString("\"}\n")
		}
		if err := os.WriteFile(path(i), []byte(out.String()), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}

// indexBytes returns how long the files of the index are.
func (w *world) indexBytes() (n float64) {
	all, _ := filepath.Glob(filepath.Join(w.home, ".cache/parley/index/sessions.db*"))
	for _, path := range all {
		if info, err := os.Stat(path); err == nil {
			n += float64(info.Size())
		}
	}
	return n
}
