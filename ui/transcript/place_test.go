package transcript

import (
	"slices"
	"testing"
)

// TestPlaceIsFoundAgain scrolls through a conversation and opens it at each place in another process: the rows are the same.
func TestPlaceIsFoundAgain(t *testing.T) {
	m, _ := longConversation(t, 30)
	places := map[string]bool{}
	for step := range 60 {
		m.win.on().rows.Scroll(-3)
		want := slices.Clone(frame(m))
		place := m.Session().Place()
		if place == "" {
			t.Fatalf("no place after %d steps up", step+1)
		}
		places[place] = true
		other, _ := longConversation(t, 30)
		other.Session().Return(place)
		if got := other.Session().Place(); got != place {
			t.Fatalf("before its frame it is %q, want %q", got, place)
		}
		if got := frame(other); !slices.Equal(got, want) {
			t.Fatalf("at %q:\n%q\nwant\n%q", place, got, want)
		}
	}
	if len(places) < 30 {
		t.Errorf("only %d places", len(places))
	}
	m.Bottom()
	frame(m)
	if place := m.Session().Place(); place != "" {
		t.Errorf("at the end: %q", place)
	}
}

// TestPlaceThatIsNoMore stays at the end.
func TestPlaceThatIsNoMore(t *testing.T) {
	m, _ := longConversation(t, 30)
	end := slices.Clone(frame(m))
	for _, place := range []string{"gone 0 0", "t3", "t3 x y", "\x00 1 1", "t3 0"} {
		m.Session().Return(place)
		if got := frame(m); !slices.Equal(got, end) {
			t.Errorf("%q moved the window", place)
		}
	}
	for _, place := range []string{"t3 -5 -5", "t3 99999999 99999999", "t0 0 99999999"} { // items and letters that the turn does not have
		m.Session().Return(place)
		frame(m)
		if m.Session().Place() == "" {
			t.Errorf("%q: not in its turn", place)
		}
		m.Bottom()
	}
}
