package live

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
)

const manyDeltas, manyParts = 100_000, 20

// stream gives add the deltas of parts in turn, and returns the texts of the parts.
func stream(add func(session.Event)) []string {
	texts := make([]strings.Builder, manyParts)
	for i := range manyDeltas {
		p := i % manyParts
		text := fmt.Sprintf("%05d", i)
		texts[p].WriteString(text)
		add(session.PartDelta{Head: session.Head{Turn: "t"}, Part: session.PartID(fmt.Sprint(p)), Text: text})
	}
	out := make([]string, manyParts)
	for p := range texts {
		out[p] = texts[p].String()
	}
	return out
}

// check compares the deltas of events with the texts of the parts.
func check(t *testing.T, events []session.Event, want []string) {
	t.Helper()
	got := make([]string, manyParts)
	for _, e := range events {
		var p int
		_, _ = fmt.Sscan(string(e.(session.PartDelta).Part), &p)
		got[p] += e.(session.PartDelta).Text
	}
	for p := range want {
		if got[p] != want[p] {
			t.Errorf("part %d has %d bytes of %d", p, len(got[p]), len(want[p]))
		}
	}
}

// TestFeedIsBounded streams to a listener that stands still. One that attaches meanwhile gets no text twice.
func TestFeedIsBounded(t *testing.T) {
	idle, stand, standing := make(chan struct{}), make(chan struct{}), make(chan struct{})
	f := &feed{idle: func() { close(idle) }}
	var slow, late []session.Event
	f.attach(func(e session.Event) {
		if slow = append(slow, e); len(slow) == 1 {
			close(standing)
			<-stand
		}
	})
	n := 0
	want := stream(func(e session.Event) {
		f.add(e)
		if n++; n == 1 {
			<-standing
		}
		if n == manyDeltas/2 {
			history, _ := f.attach(func(e session.Event) { late = append(late, e) })
			late = append(late, history...)
		}
	})
	seen := 0
	f.after(func() { seen = len(slow) })
	if n := len(f.All()); n != manyParts {
		t.Errorf("%d events for %d parts", n, manyParts)
	}
	close(stand)
	<-idle
	check(t, slow, want)
	check(t, late, want)
	if seen != len(slow) || seen != 1+manyParts {
		t.Errorf("the function came after %d of %d calls", seen, len(slow))
	}
}
