package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// generated are sessions with so many texts of 500 bytes each, of 40,000 different words of which few are frequent.
func generated(sessions, texts int) Sources {
	vocabulary := make([]string, 40_000)
	for i := range vocabulary {
		vocabulary[i] = fmt.Sprintf("w%xord", i*7919)
	}
	s := Sources{All: true, Texts: func(_ context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		random := rand.New(rand.NewPCG(1, uint64(m.Turns)))
		zipf := rand.NewZipf(random, 1.1, 4, uint64(len(vocabulary)-1))
		for range texts {
			if want.Tools {
				break
			}
			var text strings.Builder
			for text.Len() < 500 {
				text.WriteString(vocabulary[zipf.Uint64()])
				text.WriteByte(' ')
			}
			if !yield(session.Text{Bytes: []byte(text.String())}) {
				break
			}
		}
		return "", nil
	}}
	for i := range sessions {
		s.Sessions = append(s.Sessions, session.Meta{ID: session.ID(fmt.Sprintf("session-%05d", i)), Dir: fmt.Sprintf("/project/%d", i%40), Turns: i,
			First: strings.Repeat("a prompt ", 10), Updated: began.Add(time.Duration(i) * time.Minute)})
	}
	return s
}

// held returns sources whose texts, so many of each session, are in memory.
func held(b *testing.B, s Sources, each int) Sources {
	var texts [][]byte
	for _, m := range s.Sessions {
		_, _ = s.Texts(b.Context(), m, session.TextQuery{}, func(t session.Text) bool {
			texts = append(texts, t.Bytes)
			return true
		})
	}
	s.Texts = func(_ context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		if want.Tools {
			return "", nil
		}
		for _, text := range texts[each*m.Turns : each*(m.Turns+1)] {
			if !yield(session.Text{Bytes: text}) {
				break
			}
		}
		return "", nil
	}
	return s
}

// BenchmarkIndex measures the index of 100 MB in 20,000 sessions: making it, looking at what changed, words, and the first rows of a list.
func BenchmarkIndex(b *testing.B) {
	x, s := New(filepath.Join(b.TempDir(), "i.db")), held(b, generated(20_000, 10), 10)
	b.Run("build", func(b *testing.B) {
		b.SetBytes(20_000 * 10 * 500)
		for b.Loop() {
			if _, err := x.Rebuild(b.Context(), s); err != nil {
				b.Fatal(err)
			}
		}
	})
	defer x.Close()
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			if _, err := x.Update(b.Context(), s); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, words := range map[string][]string{"frequent": {"w0ord"}, "rare": {"w12b8dord"}, "prefix": {"w12"}, "three": {"w0ord", "w1eeford", "w3ddeord"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := x.Look(b.Context(), words); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("first rows", func(b *testing.B) {
		for b.Loop() {
			if all, err := x.Newest(b.Context(), "/project/7", 100); err != nil || len(all) != 199 && len(all) < 150 {
				b.Fatal(len(all), err)
			}
		}
	})
}

// BenchmarkLongSessions measures making the index of 50 MB in 50 sessions, as most of what people have is in long ones. The rate is in
// bytes of what was said.
func BenchmarkLongSessions(b *testing.B) {
	const sessions, each = 50, 2000
	s := generated(sessions, each)
	s = held(b, s, each)
	b.SetBytes(sessions * each * 500)
	x := New(filepath.Join(b.TempDir(), "i.db"))
	defer x.Close()
	for b.Loop() {
		if _, err := x.Rebuild(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
}
