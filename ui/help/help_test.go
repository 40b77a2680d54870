package help

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/list/listtest"
	"parley/ui/panel"
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
			rows := m.Draw(width, 12).Rows
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
	first := rowsOf(m)
	m.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	if got := rowsOf(m); got[3] != first[3] {
		t.Error("it scrolls over its beginning")
	}
	for range 500 {
		m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	end := rowsOf(m)
	m.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	if got := rowsOf(m); got[3] == end[3] {
		t.Error("it was scrolled over its end")
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); act != (panel.Pass{}) {
		t.Errorf("%v", act)
	}
}

// rowsOf returns the rows in a small window.
func rowsOf(m *Model) []string {
	rows := m.Draw(80, 12).Rows
	return rows
}

func TestHelpIsFiltered(t *testing.T) {
	m := open(t)
	shown := func() string { rows := m.Draw(80, 200).Rows; return style.Unstyled(strings.Join(rows, "\n")) }
	for _, r := range "cut word" {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if got := shown(); !strings.Contains(got, "ctrl+w") || strings.Contains(got, "/model") || strings.Contains(got, "cut to the end") {
		t.Errorf("filtered by two words:\n%s", got)
	}
	m.Update(tea.KeyPressMsg{Code: 'q', Text: "q"})
	if got := shown(); !strings.Contains(got, "nothing matches") {
		t.Errorf("without a match:\n%s", got)
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: '?', Text: "?"}); act != nil {
		t.Error("a question mark in the filter closes the help")
	}
}

// The help begins with commands and the keys of every day, and ends with those of editing.
func TestHelpBeginsWithWhatIsNeeded(t *testing.T) {
	m := open(t)
	rows := m.Draw(80, 400).Rows
	text := style.Unstyled(strings.Join(rows, "\n"))
	last := -1
	for _, heading := range []string{"  commands\n", "  every day\n", "  the prompt\n", "  reading\n", "  editing\n"} {
		at := strings.Index(text, heading)
		if at <= last {
			t.Errorf("%q stands at %d, after %d", heading, at, last)
		}
		last = at
	}
}

// The palette has what the help has, and does it.
func TestPalette(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	palette := Palette{Commands: keymap.Commands, Keys: keys}
	listtest.Check(t, listtest.Case{Source: palette, First: panel.Command{Name: "model"}, Whole: true})
	rows := palette.Rows()
	if _, is := palette.Choose(rows[len(rows)-1].ID).(panel.Key); !is {
		t.Error("a key does nothing")
	}
}
