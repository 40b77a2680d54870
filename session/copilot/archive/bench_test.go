package archive

import (
	"context"
	"fmt"
	"testing"

	"parley/session"
)

// BenchmarkList describes five hundred sessions, for the first time and again.
func BenchmarkList(b *testing.B) {
	h := newHome(b)
	lines := append([]string{begin("claude-x")}, turn(1, "please mend it", "Done.")...)
	for n := range 500 {
		h.put(session.ID(fmt.Sprintf("session-%d", n)), workspaceText, append(lines, longTalk(30)[1:]...)...)
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			if all, err := New(h.dir).Sessions(context.Background()); err != nil || len(all) != 500 {
				b.Fatal(len(all), err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		a := New(h.dir)
		for b.Loop() {
			if all, err := a.Sessions(context.Background()); err != nil || len(all) != 500 {
				b.Fatal(len(all), err)
			}
		}
	})
}

// BenchmarkOpen replays a session of ten thousand turns, and reads its end.
func BenchmarkOpen(b *testing.B) {
	h := newHome(b)
	h.put(storedID, workspaceText, longTalk(10_000)...)
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			if _, err := New(h.dir).Replay(context.Background(), storedID); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("end", func(b *testing.B) {
		for b.Loop() {
			if _, err := New(h.dir).Tail(context.Background(), storedID, 256<<10); err != nil {
				b.Fatal(err)
			}
		}
	})
}
