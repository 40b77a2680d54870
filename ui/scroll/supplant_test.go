package scroll

import (
	"fmt"
	"testing"
)

// TestSupplantTakesThePlace inserts an item before the first one of the window, in its place, and before others.
func TestSupplantTakesThePlace(t *testing.T) {
	row := func(s string) *page { return &page{key: s, trace: Trace{Rows: []Row{{Text: s, Join: "\n"}}}} }
	for _, c := range []struct {
		at    int // of ten, the window begins with the fourth
		first string
		seen  int // of the new item and those behind it
	}{{2, "p4", 0}, {4, "new", 0}, {5, "p4", 0}, {9, "p4", 0}} {
		l := New(10)
		l.SetSize(40, 3)
		for i := range 10 {
			l.Append(row(fmt.Sprint("p", i)))
		}
		l.Frame()
		l.Jump(4)
		l.Frame()
		l.Supplant(c.at, row("new"))
		if got := l.Frame()[0]; got != c.first {
			t.Errorf("before %d: the window begins with %q, want %q", c.at, got, c.first)
		}
		if n := l.Unseen(); n != c.seen {
			t.Errorf("before %d: %d are unseen", c.at, n)
		}
		if l.Len() != 11 || l.Item(c.at).Key() != "new" || l.Item(c.at+1).Key() != fmt.Sprint("p", c.at) {
			t.Errorf("before %d: it stands elsewhere", c.at)
		}
	}
	l := New(10)
	l.SetSize(40, 3)
	l.Append(row("a"), row("b"), row("c"), row("d"))
	l.Frame()
	l.Scroll(-1)
	l.Append(row("unseen"))
	l.Supplant(4, row("new"))
	if n := l.Unseen(); n != 2 {
		t.Errorf("%d are unseen, want the new one and the one whose place it took", n)
	}
}
