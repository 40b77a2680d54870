package signin

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// Model is the screen of a user who is not signed in.
type Model struct {
	look    *style.Look
	signIn  *core.SignIn
	options []option
	at      int
}

// option is one way to go on.
type option struct {
	choice      core.Choice
	label, what string
}

// New returns the choices that the user has, the first one selected.
func New(l *style.Look, s *core.SignIn) *Model {
	m := &Model{look: l, signIn: s}
	if s.GH {
		m.options = append(m.options, option{core.ChooseSignIn, "sign in with gh", "runs: gh auth login --web"})
	}
	if s.Code {
		m.options = append(m.options, option{core.ChooseCode, "sign in with a code", "entered on GitHub; Copilot may refuse such a login"})
	}
	m.options = append(m.options, option{core.ChooseDemo, "try the demo", "a simulated model, real tools in a scratch folder"},
		option{core.ChooseQuit, "quit", ""})
	return m
}

// Update handles a key. There is no chat to go back to: esc leaves.
func (m *Model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return panel.Pass{}, nil
	}
	switch k.String() {
	case "up", "k":
		m.at = max(0, m.at-1)
	case "down", "j", "tab":
		m.at = min(len(m.options)-1, m.at+1)
	case "enter":
		return panel.SignIn{Choice: m.options[m.at].choice}, nil
	case "q", "esc", "ctrl+c", "ctrl+d":
		return panel.SignIn{Choice: core.ChooseQuit}, nil
	}
	return nil, nil
}

// Close loses nothing.
func (m *Model) Close() panel.Effect { return nil }

// Draw returns the whole screen, without a cursor.
func (m *Model) Draw(width, height int) panel.Frame {
	return panel.Frame{Rows: m.rows(width, height), Y: -1}
}

// rows returns the whole screen. In a low window the last ways to sign in are left out: the choices matter more.
func (m *Model) rows(width, height int) []string {
	th, ms := m.look.Theme, m.look.Measure
	w := width - 4
	rows := []string{""}
	for _, s := range ms.Fold("parley talks to coding agents with your GitHub Copilot plan.", w) {
		rows = append(rows, "  "+s)
	}
	rows = append(rows, "")
	choices := m.choices(width, false)
	if len(rows)+1+len(choices) > height {
		choices = m.choices(width, true)
	}
	var ways [][]string
	if p := m.signIn.Problem; p != nil {
		rows = append(rows, style.Gutter(th.Warn.Of("!"), ms.Fold(style.Visible(p.What), w))...)
		for _, s := range ms.Fold(style.Visible(p.Next), w) {
			rows = append(rows, "  "+th.Dim.Of(s))
		}
	} else {
		const missing = "No GitHub login found"
		found := ms.Fold(missing+" (looked at "+style.Visible(strings.Join(m.signIn.Looked, ", "))+").", w)
		if len(m.signIn.Looked) == 0 || len(rows)+len(found)+len(choices) > height {
			found = []string{missing + "."}
		}
		for _, s := range found {
			rows = append(rows, "  "+s)
		}
		if !m.signIn.GH && !m.signIn.Code {
			for _, way := range m.signIn.Ways {
				ways = append(ways, m.way(style.Visible(way), w))
			}
		}
	}
	room := height - len(rows) - len(choices)
	for _, way := range ways {
		if room -= len(way); room < 0 {
			break
		}
		rows = append(rows, way...)
	}
	rows = append(rows, choices...)
	for i := 0; len(rows) > height && i < len(rows); {
		if rows[i] != "" {
			i++
			continue
		}
		rows = slices.Delete(rows, i, i+1)
	}
	return rows
}

// way returns the rows of a way to sign in, below an empty one. Commands, which stand between backquotes, have rows of their own.
func (m *Model) way(text string, w int) []string {
	rows := []string{""}
	for i, part := range strings.Split(text, "`") {
		if part == "" {
			continue
		}
		if i%2 == 1 {
			for _, s := range m.look.Measure.Fold(part, w-2) {
				rows = append(rows, "    "+s)
			}
			continue
		}
		for _, s := range m.look.Measure.Fold(strings.TrimSpace(part), w) {
			rows = append(rows, "  "+m.look.Theme.Dim.Of(s))
		}
	}
	return rows
}

// choices returns the rows of the choices and the keys. What a choice does is below its label where there is no room beside it;
// brief leaves it out for all but the selected one.
func (m *Model) choices(width int, brief bool) []string {
	th, ms := m.look.Theme, m.look.Measure
	wide, what := 0, 0
	for _, o := range m.options {
		wide, what = max(wide, ms.Width(o.label)), max(what, ms.Width(o.what))
	}
	const lead, gap = 4, 4
	rows := []string{""}
	for i, o := range m.options {
		mark, st := "  ", style.Style("")
		if i == m.at {
			mark, st = "❯ ", th.Chosen
		}
		if o.what != "" && lead+wide+gap+what < width {
			rows = append(rows, "  "+st.Of(mark+ms.Pad(o.label, wide))+strings.Repeat(" ", gap)+th.Dim.Of(o.what))
			continue
		}
		rows = append(rows, "  "+st.Of(mark+o.label))
		if brief && i != m.at {
			continue
		}
		for _, s := range ms.Fold(o.what, width-lead-4) {
			if s != "" {
				rows = append(rows, strings.Repeat(" ", lead+2)+th.Dim.Of(s))
			}
		}
	}
	return append(rows, "", "  "+th.Dim.Of("↑ ↓ move · enter choose"))
}
