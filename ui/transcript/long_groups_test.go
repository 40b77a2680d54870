package transcript

import (
	"fmt"
	"slices"
	"testing"

	"parley/session"
)

// TestGroupsCostNoLayouts streams behind 10,000 calls, with groups and without them: a delta lays out one item and allocates
// as much in both. A call that joins a group lays out its row.
func TestGroupsCostNoLayouts(t *testing.T) {
	measure := func(groups bool) (delta, call int, allocs float64) {
		m, c := groupModel(t, "")
		m.win.look.Groups = groups
		var events []session.Event
		for i := range 2500 {
			events = append(events, slices.Concat(c.word(fmt.Sprint("read:", i)), c.word("grep:x"), c.word("read:b"), c.word("list:d"), c.word("text"))...)
		}
		h := session.Head{Turn: c.turn}
		events = append(events, session.PartStarted{Head: h, Part: "last", Kind: session.PartText}, session.PartDelta{Head: h, Part: "last", Text: "words"})
		m.Apply(events)
		frame(m)
		stream := func() {
			m.Apply([]session.Event{session.PartDelta{Head: h, Part: "last", Text: " more"}})
			frame(m)
		}
		stream()
		before := m.win.look.Layouts
		for range 20 {
			stream()
		}
		delta = m.win.look.Layouts - before
		allocs = testing.AllocsPerRun(50, stream)
		m.Apply(c.word("read:1"))
		frame(m)
		before = m.win.look.Layouts
		m.Apply(slices.Concat(c.word("read:2"), c.word("read:3")))
		frame(m)
		return delta, m.win.look.Layouts - before, allocs
	}
	delta, call, allocs := measure(true)
	without, callWithout, allocsWithout := measure(false)
	if delta != without || allocs > allocsWithout+1 {
		t.Errorf("20 deltas lay out %d items and %.0f are allocated for each, without groups %d and %.0f", delta, allocs, without, allocsWithout)
	}
	if call > callWithout {
		t.Errorf("two calls lay out %d items, without groups %d", call, callWithout)
	}
	t.Logf("20 deltas: %d layouts, %.0f allocations each; two calls: %d layouts; without groups %d, %.0f, %d", delta, allocs, call, without, allocsWithout, callWithout)
}

// TestGroupsOfThousands adds calls to one group: a call costs about the same however many there are.
func TestGroupsOfThousands(t *testing.T) {
	m, c := groupModel(t, "")
	add := func(n int) {
		for i := range n {
			m.Apply(c.word(fmt.Sprint("read:", c.n, i)))
		}
	}
	add(5000)
	if n := len(m.win.feed.turns[0].groups); n != 1 {
		t.Fatalf("%d groups", n)
	}
	g := m.win.feed.turns[0].groups[0]
	frame(m)
	layouts := m.win.look.Layouts
	for range 50 {
		add(1)
		frame(m)
	}
	if n := m.win.look.Layouts - layouts; n > 50 {
		t.Errorf("50 calls lay out %d items", n)
	}
	if len(g.members) != 5050 {
		t.Errorf("the group has %d calls", len(g.members))
	}
}
