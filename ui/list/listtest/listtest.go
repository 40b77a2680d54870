package listtest

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Bad is a text that would drive a terminal, for the fields of a list.
const Bad = "a\x1b[2J\nb"

// Case is a list with at least one row, and what the choice of its first row stands for.
type Case struct {
	Source list.Source
	First  panel.Effect
	// Whole reports whether no description may be cut, however narrow the window is.
	Whole bool
}

// Check fails if a row drives the terminal, if two are the same, if the list does not fit a window of any size, or if the first
// row stands for something else.
func Check(t *testing.T, cases ...Case) {
	t.Helper()
	for _, c := range cases {
		rowsAreVisible(t, c.Source)
		fits(t, c)
		if got := c.Source.Choose(c.Source.Rows()[0].ID); got != c.First {
			t.Errorf("%T: %#v, want %#v", c.Source, got, c.First)
		}
	}
}

func rowsAreVisible(t *testing.T, l list.Source) {
	t.Helper()
	rows := l.Rows()
	if len(rows) == 0 {
		t.Fatalf("%T has no rows", l)
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r.ID] {
			t.Errorf("%T: two rows are %q", l, r.ID)
		}
		seen[r.ID] = true
		text := strings.Join(append(append(r.Cells, r.About...), r.Group, r.Off, r.Also), "")
		if strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("%T: %q drives the terminal", l, text)
		}
		l.Choose(r.ID)
	}
	if o := l.Options(); o.Title == "" || strings.ContainsAny(o.Title+o.Right+o.None, "\x1b\n") {
		t.Errorf("%T: %+v", l, o)
	} else if !strings.HasSuffix(o.Keys, "esc back") {
		t.Errorf("%T: the keys are %q", l, o.Keys)
	}
}

func fits(t *testing.T, c Case) {
	t.Helper()
	for _, size := range [][2]int{{40, 12}, {50, 20}, {60, 24}, {80, 24}, {100, 30}, {120, 40}, {240, 50}} {
		look := &style.Look{Measure: style.Measure{Method: ansi.WcWidth}, Now: time.Now, Width: size[0], Height: size[1]}
		p := list.Open(look, c.Source, "")
		for range c.Source.Rows() {
			rows := p.Draw(size[0], size[1]).Rows
			if len(rows) != size[1] {
				t.Fatalf("%T at %v: %d rows", c.Source, size, len(rows))
			}
			for _, row := range rows {
				if look.Measure.Width(row) > size[0] || c.Whole && strings.Contains(row, "…") {
					t.Errorf("%T at %v: %q", c.Source, size, row)
				}
			}
			if !strings.Contains(rows[len(rows)-1], "esc") {
				t.Errorf("%T at %v: the keys are %q", c.Source, size, rows[len(rows)-1])
			}
			p.Update(tea.KeyPressMsg{Code: tea.KeyDown})
		}
	}
}
