package help

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/builtin"
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
	return New(&style.Look{Theme: style.NewTheme(true, true, nil)}, keys, nil, "")
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

// At 120 by 40 the help is one screen: every command, also those of parley's own agent, and every key of the table, nothing cut.
func TestHelpIsOneScreen(t *testing.T) {
	agent := builtin.New(builtin.Options{}).Commands("")
	if len(agent) < 4 {
		t.Fatalf("%d commands of the agent", len(agent))
	}
	m := open(t)
	m.agent = agent
	rows := m.Draw(120, 40).Rows
	text := style.Unstyled(strings.Join(rows, "\n"))
	if m.most != 0 || len(m.sections) != 0 || len(rows) > 40 || strings.Contains(text, "…") {
		t.Fatalf("not one screen:\n%s", text)
	}
	for _, r := range rows {
		if n := m.look.Measure.Width(r); n > 118 {
			t.Errorf("%q takes %d columns", r, n)
		}
	}
	for _, c := range keymap.Commands {
		if !strings.Contains(text, "/"+c.Name+" ") {
			t.Errorf("/%s is missing", c.Name)
		}
	}
	for _, c := range agent {
		if !strings.Contains(text, "/"+c.Name+" ") {
			t.Errorf("/%s is missing", c.Name)
		}
	}
	for _, b := range m.keys.Rows {
		if !strings.Contains(text, keymap.Brief(b.Name, b.Help)) {
			t.Errorf("%s is missing", b.Name)
		}
	}
	if t.Failed() {
		t.Log("\n" + text)
	}
}

// An agent with many commands does not push the keys off the screen; the filter finds all of them.
func TestManyCommandsOfAnAgent(t *testing.T) {
	m := open(t)
	for i := range 40 {
		m.agent = append(m.agent, session.SlashCommand{Name: fmt.Sprintf("skill%d", i), About: "a skill of which a plugin says much more than there is room for"})
	}
	text := style.Unstyled(strings.Join(m.Draw(120, 40).Rows, "\n"))
	if m.most != 0 || !strings.Contains(text, "36 more") || !strings.Contains(text, "Editing") {
		t.Errorf("not one screen:\n%s", text)
	}
	for _, r := range "skill39" {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if text := style.Unstyled(strings.Join(m.Draw(120, 40).Rows, "\n")); !strings.Contains(text, "/skill39") || strings.Contains(text, "/skill38") {
		t.Errorf("filtered:\n%s", text)
	}
}

// Left and right go from section to section in the list.
func TestSectionsOfTheList(t *testing.T) {
	m := open(t)
	top := func() string { return strings.TrimSpace(style.Unstyled(m.Draw(80, 24).Rows[headRows])) }
	if got := top(); !strings.HasPrefix(got, "Say what you want done; parley asks before it acts") {
		t.Fatalf("the list begins with %q", got)
	}
	for _, want := range []string{"Every day", "At the start of a word", "Commands"} {
		m.Update(tea.KeyPressMsg{Code: tea.KeyRight})
		if got := top(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
	if got := top(); got != "At the start of a word" {
		t.Errorf("back at %q", got)
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
	if got := shown(); !strings.Contains(got, "Nothing matches") {
		t.Errorf("without a match:\n%s", got)
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: '?', Text: "?"}); act != nil {
		t.Error("a question mark in the filter closes the help")
	}
}

// The help begins with the keys of every day and the commands, and ends with those of editing.
func TestHelpBeginsWithWhatIsNeeded(t *testing.T) {
	m := open(t)
	rows := m.Draw(80, 400).Rows
	text := style.Unstyled(strings.Join(rows, "\n"))
	last := -1
	for _, heading := range []string{"  Every day\n", "  Commands\n", "  The prompt\n", "  Reading\n", "  Editing\n"} {
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

// Pasted text filters as typed text does, from the first row on; a line break in it is a space.
func TestPasteFilters(t *testing.T) {
	m := open(t)
	m.Draw(40, 12)
	m.Update(tea.KeyPressMsg{Code: tea.KeyPgDown})
	if e, _ := m.Update(tea.PasteMsg{Content: "reorder\nqueued"}); e != nil {
		t.Errorf("%#v", e)
	}
	if text := style.Unstyled(strings.Join(m.Draw(40, 12).Rows, "\n")); !strings.Contains(text, "reorder queued") || !strings.Contains(text, "/queue") || strings.Contains(text, "/resume") {
		t.Error(text)
	}
}
