package edits

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/edits/image"
)

func TestNet(t *testing.T) {
	in := func(call string, rows ...line) []line {
		for i := range rows {
			rows[i].Change.Call = session.CallID(call)
		}
		return rows
	}
	for _, c := range []struct {
		name  string
		lines []line
		want  string
	}{
		{"nothing", nil, ""},
		{"one file twice", script(t, "c1 t1 f A B", "c2 t2 f B C"), "/f A C open [1 2]"},
		{"accepted", script(t, "c1 t1 f A B", "c2 t2 f B C", "ok 1 2"), "/f A C accepted [1 2]"},
		{"partly accepted", script(t, "c1 t1 f A B", "c2 t2 f B C", "ok 1"), "/f A C open [1 2]"},
		{"partly undone", script(t, "c1 t1 f A B", "c2 t2 f B C", "undo f C B 2"), "/f A B open [1]"},
		{"undone", script(t, "c1 t1 f A B", "c2 t2 f B C", "undo f C A 1 2"), "/f A C undone [1 2]"},
		{"two files", script(t, "c1 t1 g - B", "c2 t1 f A -"), "/f A - open [2]; /g - B open [1]"},
		{"renamed", in("x", script(t, "c1 t1 a A -", "c2 t1 b - A")...), "/b A A open [1 2] from /a"},
		{"renamed by two calls", script(t, "c1 t1 a A -", "c2 t1 b - A"), "/a A - open [1]; /b - A open [2]"},
		{"edited, renamed, edited", append(append(script(t, "c1 t1 a A B"), in("x", script(t, "c2 t1 a B -", "c3 t1 b - B")...)...),
			script(t, "c4 t1 b B C")...), "/b A C open [1 2 3 4] from /a"},
		{"renamed twice", append(in("x", script(t, "c1 t1 a A -", "c2 t1 b - A")...), in("y", script(t, "c3 t1 b A -", "c4 t1 c - A")...)...),
			"/c A A open [1 2 3 4] from /a"},
		{"made again at the old place", append(in("x", script(t, "c1 t1 a A -", "c2 t1 b - A")...), script(t, "c3 t1 a - C")...),
			"/a A C open [1 3]; /b - A open [2]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, n := range Net(fold(c.lines...).all()) {
				s := fmt.Sprintf("%s %s %s %s %v", n.Path, letter(n.From), letter(n.To), n.Status, n.Changes)
				if n.RenamedFrom != "" {
					s += " from " + n.RenamedFrom
				}
				got = append(got, s)
			}
			if have := strings.Join(got, "; "); have != c.want {
				t.Errorf("net: %s\nwant: %s", have, c.want)
			}
		})
	}
}

func TestByTurn(t *testing.T) {
	turns := ByTurn(fold(script(t, "c1 t1 f A B", "c2 t2 f B C", "c3 t1 g A B")...).all())
	if len(turns) != 2 || turns[0].Turn != "t1" || len(turns[0].Changes) != 2 || turns[1].Turn != "t2" || len(turns[1].Changes) != 1 {
		t.Errorf("turns: %+v", turns)
	}
}

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
}

func TestNotes(t *testing.T) {
	file := func(mode uint32) image.State { s := st("A"); s.Mode = octalMode(mode); return s }
	link := func(to string) image.State { return image.State{Kind: image.Link, Target: to} }
	none := image.State{Kind: image.None}
	for _, c := range []struct {
		from, to image.State
		want     string
	}{
		{file(0o644), file(0o644), ""},
		{file(0o644), file(0o755), "mode 644 to 755"},
		{file(0o755), file(0o4755), "mode 755 to 4755"},
		{file(0o600), file(0o004), "mode 600 to 004"},
		{none, file(0o644), ""},
		{none, file(0o755), "mode 755"},
		{file(0o755), none, ""},
		{none, link("x"), "link to x"},
		{link("x"), none, "link to x"},
		{link("x"), link("y"), "link to y, was to x"},
		{file(0o644), link("y"), "now a link to y"},
		{link("x"), file(0o644), "was a link to x"},
		{file(0o644), image.State{Kind: image.Other}, "now something that is not a file"},
	} {
		if got := strings.Join(about(c.from, c.to), ", "); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
