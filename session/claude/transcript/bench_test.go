package transcript_test

import (
	"context"
	"fmt"
	"testing"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/claude/transcript"
)

const sessionA = "10000000-0000-4000-8000-000000000001"

// BenchmarkOpen replays and folds ten thousand unread messages.
func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct {
		name string
		logs bool
	}{{"plain", false}, {"with-request-logs", true}} {
		data := generate(10000, c.logs)
		dir := b.TempDir()
		path := place(b, dir, sessionA, data)
		b.Run("read/"+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				f := transcript.Open(path)
				if _, err := f.Update(context.Background()); err != nil {
					b.Fatal(err)
				}
				if n := len(f.Conversation()); n < 9990 {
					b.Fatalf("%d entries", n)
				}
			}
		})
		b.Run("replay/"+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				events, err := archive.New(dir).Replay(context.Background(), sessionA)
				if err != nil {
					b.Fatal(err)
				}
				if n := len(session.Fold(events).Turns); n < 900 {
					b.Fatalf("%d turns", n)
				}
			}
		})
	}
}

// BenchmarkList describes a thousand sessions: for the first time, and again.
func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	data := generate(200, false)
	for i := range 1000 {
		place(b, dir, fmt.Sprintf("%08x-0000-4000-8000-000000000001", i), data)
	}
	list := func(b *testing.B, l *archive.Archive) {
		infos, err := l.Sessions(context.Background())
		if err != nil || len(infos) != 1000 {
			b.Fatal(len(infos), err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			list(b, archive.New(dir))
		}
	})
	b.Run("again", func(b *testing.B) {
		l := archive.New(dir)
		list(b, l)
		for b.Loop() {
			list(b, l)
		}
	})
}
