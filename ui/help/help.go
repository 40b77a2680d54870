package help

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

// Action is what the root carries out within the call that returned it. nil is nothing.
type Action interface{ action() }

// Closed says that the user closed the help.
type Closed struct{}

func (Closed) action() {}

// Model is the open help.
type Model struct {
	look *style.Look
	keys *keymap.Map

	top, height int // the first row that is shown, and how many are
	most        int // the largest top
}

// New returns the help on these keys, from its beginning.
func New(l *style.Look, keys *keymap.Map) *Model { return &Model{look: l, keys: keys} }

// Update handles a key.
func (m *Model) Update(msg tea.Msg) (Action, tea.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, nil
	}
	switch k.String() {
	case "up":
		m.top--
	case "down":
		m.top++
	case "pgup":
		m.top -= m.height - 1
	case "pgdown":
		m.top += m.height - 1
	case "esc", "q", "?", "f1", "enter", "ctrl+c":
		return Closed{}, nil
	}
	m.top = max(0, min(m.top, m.most))
	return nil, nil
}

// Rows returns at most height rows.
func (m *Model) Rows(width, height int) []string {
	th := m.look.Theme
	body := m.lay(width)
	m.height = height - 2
	m.most = max(0, len(body)-m.height)
	m.top = min(m.top, m.most)
	body = body[m.top:]
	head := "  " + m.look.Measure.Spread(th.Bold.Of("Keys and commands"), th.Dim.Of("esc closes · ↑ ↓ scroll"), width-4)
	return append([]string{head, ""}, body[:min(len(body), m.height)]...)
}

// besideWidth is how many columns the description of a key needs beside it; in a narrower window it stands below.
const besideWidth = 32

// lay returns all rows, made from the table of keys and that of commands.
func (m *Model) lay(width int) []string {
	th, ms, km := m.look.Theme, m.look.Measure, m.keys
	wide := 0
	for _, b := range km.Rows {
		wide = max(wide, ms.Width(strings.Join(b.Keys, " ")))
	}
	for _, c := range keymap.Commands {
		wide = max(wide, ms.Width(c.Usage()))
	}
	var rows []string
	heading := ""
	line := func(group, left, right string) {
		if group != heading {
			if heading != "" {
				rows = append(rows, "")
			}
			heading = group
			rows = append(rows, "  "+th.Bold.Of(group))
		}
		if width < wide+besideWidth {
			for _, s := range ms.Wrap(left, width-4) {
				rows = append(rows, "  "+th.Accent.Of(ms.Clip(s, width-4)))
			}
			for _, s := range ms.Wrap(right, max(1, width-8)) {
				rows = append(rows, "    "+ms.Clip(s, width-6))
			}
			return
		}
		for i, s := range ms.Wrap(right, max(20, width-wide-8)) {
			if i > 0 {
				left = ""
			}
			rows = append(rows, "  "+ms.Clip("  "+th.Accent.Of(ms.Pad(left, wide))+"  "+s, width-4))
		}
	}
	for _, b := range km.Rows {
		if len(b.Keys) > 0 {
			line(b.Group, strings.Join(b.Keys, " "), b.Help)
		}
	}
	for _, w := range keymap.Written {
		line("at the start of a word", w.Text, w.Help)
	}
	if km.Vim {
		for _, k := range keymap.VimRows {
			line("in vim's normal mode", k.Text, k.Help)
		}
	}
	for _, c := range keymap.Commands {
		line("commands", c.Usage(), c.Help)
	}
	return rows
}
