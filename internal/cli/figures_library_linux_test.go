package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkLibrary measures what a chat feels of its library while the index is made: without sessions, and with as many of
// PARLEY_BENCH_SESSION_KB as PARLEY_BENCH_SESSIONS says. The goal: as without.
func BenchmarkLibrary(b *testing.B) {
	worlds := map[string]*world{"none": newWorldApart(b).signIn(streams), "many": newWorldApart(b).signIn(streams)}
	worlds["many"].fillLibrary(asked("PARLEY_BENCH_SESSIONS", 200), asked("PARLEY_BENCH_SESSION_KB", 512))
	written := 0.0
	compare(b, build(b), worlds, func(c string) func() {
		before := worlds[c].indexBytes()
		for end := time.Now().Add(5 * time.Second); c == "many" && worlds[c].indexBytes() == before && time.Now().Before(end); {
			time.Sleep(50 * time.Millisecond)
		}
		return func() { written += worlds[c].indexBytes() - before }
	})
	b.ReportMetric(written/1e6, "index-MB")
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
