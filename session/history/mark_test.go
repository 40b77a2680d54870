package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// What another process adds to a journal are new events and the rest of every fragment at its end.
func TestAddedContinuesFragments(t *testing.T) {
	delta := func(part, text string) session.Event {
		return session.PartDelta{Head: session.Head{Turn: "t"}, Part: session.PartID(part), Text: text}
	}
	ended, damage := session.PartEnded{Part: "z"}, session.Notice{Text: "A line could not be read."}
	m := ReadMarkOf([]session.Event{delta("z", "old"), ended, delta("a", "1"), delta("b", "2"), damage})
	got := m.Added([]session.Event{delta("z", "old"), ended, delta("a", "1 more"), delta("b", "2"), delta("c", "3"), ended, damage})
	want := []session.Event{delta("a", " more"), delta("c", "3"), ended}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
