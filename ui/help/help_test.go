package help

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

func open(t *testing.T) *Model {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return New(&style.Look{Theme: style.NewTheme(true, true, nil)}, keys)
}

func TestEveryKeyAndCommandIsReached(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		m, seen := open(t), map[string]bool{}
		for range 200 {
			rows := m.Rows(width, 12)
			if len(rows) > 12 {
				t.Fatalf("%d rows in 12", len(rows))
			}
			for _, r := range rows {
				if n := m.look.Measure.Width(r); n > width {
					t.Fatalf("%q takes %d of %d columns", r, n, width)
				}
				seen[strings.Fields(style.Unstyled(r) + " .")[0]] = true
			}
			m.Update(tea.KeyPressMsg{Code: tea.KeyPgDown})
		}
		for _, c := range keymap.Commands {
			if !seen["/"+c.Name] {
				t.Errorf("%d columns: /%s is not shown", width, c.Name)
			}
		}
	}
}

func TestScrollingStopsAtTheEnds(t *testing.T) {
	m := open(t)
	first := m.Rows(80, 12)
	m.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	if got := m.Rows(80, 12); got[2] != first[2] {
		t.Error("it scrolls over its beginning")
	}
	for range 500 {
		m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	end := m.Rows(80, 12)
	m.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	if got := m.Rows(80, 12); got[2] == end[2] {
		t.Error("it was scrolled over its end")
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); act != (Closed{}) {
		t.Errorf("%v", act)
	}
}
