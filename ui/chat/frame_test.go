package chat

import (
	"testing"

	"parley/internal/repeat"
)

const paragraph = "The quick brown fox jumps over the lazy dog, and **then** it rests. "

// TestFrameBudget holds a frame over a long conversation to its counters: what is laid out does not depend on how much
// there is, and hardly anything is allocated.
func TestFrameBudget(t *testing.T) {
	for _, turns := range []int{10, 100, repeat.Times(1000, 3340, 33_400)} {
		m, stream := longChat(t, turns)
		visible := 40
		before := m.look.Layouts
		if allocs := testing.AllocsPerRun(50, func() { m.frame() }); allocs > 50 {
			t.Errorf("%d turns: a frame in which nothing changed allocates %v times", turns, allocs)
		}
		if n := m.look.Layouts - before; n != 0 {
			t.Errorf("%d turns: frames in which nothing changed laid out %d items", turns, n)
		}
		for range 400 { // an answer of some 30 KB
			stream(paragraph + "\n\n")
			m.frame()
		}
		before = m.look.Layouts
		allocs := testing.AllocsPerRun(100, func() { stream("word "); m.frame() })
		if allocs > 100 {
			t.Errorf("%d turns: a frame while text streams allocates %v times", turns, allocs)
		}
		if n := m.look.Layouts - before; n > 101+visible {
			t.Errorf("%d turns: 101 frames while text streams laid out %d items", turns, n)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	m, stream := longChat(b, 3400)
	for range 200 {
		stream(paragraph + "\n\n")
	}
	m.frame()
	b.Run("idle", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.frame()
		}
	})
	b.Run("streaming", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stream("word ")
			m.frame()
		}
	})
	b.Run("resize", func(b *testing.B) {
		b.ReportAllocs()
		w := 0
		for b.Loop() {
			w++
			m.resize(80+w%40, 40)
			m.frame()
		}
	})
}

// BenchmarkAttach folds a long conversation and shows its end, as resuming does.
func BenchmarkAttach(b *testing.B) {
	for b.Loop() {
		longChat(b, 3400)
	}
}
