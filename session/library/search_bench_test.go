package library_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/pace"
	"parley/session"
	"parley/session/library"
	"parley/session/store"
	"parley/session/store/index"
	"parley/session/words"
)

// BenchmarkSearch measures the index of a store, and how long the first session with a word takes to be found. The store has as many MB as
// PARLEY_BENCH_STORE_MB says, 4 without it, and each session has half of one.
func BenchmarkSearch(b *testing.B) {
	size := 4
	if s := os.Getenv("PARLEY_BENCH_STORE_MB"); s != "" {
		size, _ = strconv.Atoi(s)
	}
	dir := b.TempDir()
	journals := store.New(store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")})
	for i := range 2 * size {
		record(b, journals, i)
	}
	all, err := journals.List(b.Context())
	if err != nil || len(all) != 2*size {
		b.Fatal(len(all), err)
	}
	x := index.New(filepath.Join(dir, "index.db"))
	defer x.Close()
	l := library.New(library.Options{Journals: journals, Index: x})
	for name, gently := range map[string]bool{"index": false, "index-gently": true} { // as `sessions reindex` does, and as the program does by itself
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size) << 20)
			for b.Loop() {
				rebuild(b, l, all, gently)
			}
		})
	}
	for name, said := range map[string]string{"rare": "only7once", "frequent": "w0ord", "several": "w0ord w1eeford", "prefix": "only7", "nowhere": "nowhere"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				q := words.New(strings.Fields(said))
				likely, _, err := l.Narrow(b.Context(), q, all)
				if err != nil {
					b.Fatal(err)
				}
				for _, m := range likely {
					if _, ok := l.Find(b.Context(), q, m); ok {
						break
					}
				}
			}
		})
	}
}

// rebuild makes the index from all sessions.
func rebuild(b *testing.B, l *library.Library, all []session.Meta, gently bool) {
	b.Helper()
	ctx := b.Context()
	if gently {
		var done func()
		ctx, done = pace.Gently(ctx)
		defer done()
	}
	if read, err := l.Reindex(ctx, all, nil); err != nil || read != len(all) {
		b.Fatal(read, err)
	}
}

// BenchmarkManySessions measures the list and the index of as many sessions of three turns as PARLEY_BENCH_SESSIONS says, 200 without it.
func BenchmarkManySessions(b *testing.B) {
	n := 200
	if s := os.Getenv("PARLEY_BENCH_SESSIONS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	dir := b.TempDir()
	o := store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")}
	journals := store.New(o)
	for i := range n {
		recordWords(b, journals, i, 3, 400)
	}
	x := index.New(filepath.Join(dir, "index.db"))
	defer x.Close()
	l := library.New(library.Options{Journals: journals, Index: x})
	var all []session.Meta
	list := func(b *testing.B) {
		var err error
		if all, err = store.New(o).List(b.Context()); err != nil || len(all) != n {
			b.Fatal(len(all), err)
		}
	}
	list(b)
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			list(b)
		}
	})
	b.Run("index-gently", func(b *testing.B) {
		for b.Loop() {
			rebuild(b, l, all, true)
		}
	})
	rebuild(b, l, all, false)
	b.Run("index-unchanged", func(b *testing.B) {
		for b.Loop() {
			if read, err := l.Index(b.Context(), all, true); err != nil || read != 0 {
				b.Fatal(read, err)
			}
		}
	})
	b.Run("newest", func(b *testing.B) {
		for b.Loop() {
			if newest := l.Newest(b.Context(), "/project", 100); len(newest) < 100 {
				b.Fatal(len(newest))
			}
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			if likely, _, err := l.Narrow(b.Context(), words.New([]string{"only7once"}), all); err != nil || len(likely) != 1 {
				b.Fatal(len(likely), err)
			}
		}
	})
}

// record makes a session of half a MB: answers of 2,000 bytes with few frequent words, and a word that no other has.
func record(b *testing.B, journals *store.Store, i int) { recordWords(b, journals, i, 230, 2000) }

// recordWords makes a session with as many answers of as many bytes.
func recordWords(b *testing.B, journals *store.Store, i, answers, size int) {
	random := rand.New(rand.NewPCG(7, uint64(i)))
	zipf := rand.NewZipf(random, 1.1, 4, 40_000)
	id := session.ID(fmt.Sprintf("session-%05d", i))
	j, err := journals.Create(b.Context(), session.Meta{ID: id, Agent: "builtin", Dir: "/project"})
	if err != nil {
		b.Fatal(err)
	}
	h := session.Head{Session: id, Turn: "t", At: time.Date(2026, 3, 1, 0, i, 0, 0, time.UTC)}
	events := []session.Event{session.TurnStarted{Head: h, Origin: session.OriginUser, Prompt: session.Prompt{Text: fmt.Sprintf("only%donce", i)}}}
	for n := range answers {
		var text strings.Builder
		for text.Len() < size {
			fmt.Fprintf(&text, "w%xord ", zipf.Uint64()*7919)
		}
		events = append(events, session.PartReplaced{Head: h, Part: session.PartID(fmt.Sprint(n)), Kind: session.PartText, Text: text.String()})
	}
	for _, e := range events {
		if err := j.Append(e); err != nil {
			b.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
}
