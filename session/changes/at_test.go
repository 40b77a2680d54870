package changes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

func TestAt(t *testing.T) {
	g := fold(script(t, "c1 t1 f A B", "c2 t2 f X C", "c3 t2 g - A", "undo g A - 3", "c4 t3 f C D")...)
	for _, c := range []struct{ turn, want string }{
		{"", "/f A, /g -"}, {"t1", "/f B, /g -"}, {"t2", "/f C, /g A"}, {"t3", "/f D, /g -"}, {"t4", "unknown"},
	} {
		states, ok := g.at(session.TurnID(c.turn))
		var got []string
		for _, path := range slices.Sorted(maps.Keys(states)) {
			got = append(got, path+" "+letter(states[path]))
		}
		have := strings.Join(got, ", ")
		if !ok {
			have = "unknown"
		}
		if have != c.want {
			t.Errorf("after turn %q: %s, want %s", c.turn, have, c.want)
		}
	}
	l := newLibrary(t).Log("s1")
	if err := l.Add(t.Context(), change("/f", "A", "B")); err != nil {
		t.Fatal(err)
	}
	if states, err := l.At(t.Context(), "t1"); err != nil || letter(states["/f"]) != "B" {
		t.Errorf("%v %v", states, err)
	}
	if _, err := l.At(t.Context(), "t9"); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a turn that changed nothing: %v", err)
	}
}
