package help

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// Model is the open help.
type Model struct {
	look   *style.Look
	keys   *keymap.Map
	filter style.LineInput

	top, height int // the first row that is shown, and how many are
	most        int // the largest top
}

// New returns the help on these keys, from its beginning.
func New(l *style.Look, keys *keymap.Map) *Model { return &Model{look: l, keys: keys} }

// Update handles a key: it scrolls, closes, or filters.
func (m *Model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return panel.Pass{}, nil
	}
	switch name := k.String(); {
	case name == "up":
		m.top--
	case name == "down":
		m.top++
	case name == "pgup":
		m.top -= m.height - 1
	case name == "pgdown":
		m.top += m.height - 1
	case name == "?" && m.filter.String() == "", name == "f1", name == "enter":
		return panel.Pop{}, nil
	default:
		before := m.filter.String()
		if !m.filter.Key(name, keymap.Typed(k)) {
			return panel.Pass{}, nil
		}
		if m.filter.String() != before {
			m.top = 0
		}
		return nil, nil
	}
	m.top = max(0, min(m.top, m.most))
	return nil, nil
}

// Close loses nothing.
func (m *Model) Close() panel.Effect { return nil }

// Draw returns at most height rows, with the cursor in the filter.
func (m *Model) Draw(width, height int) panel.Frame {
	th, ms := m.look.Theme, m.look.Measure
	body := m.lay(width, m.entries())
	if len(body) == 0 {
		body = []string{"  " + th.Dim.Of("nothing matches")}
	}
	m.height = height - 3
	m.most = max(0, len(body)-m.height)
	m.top = min(m.top, m.most)
	body = body[m.top:]
	text, at := m.filter.View(ms, width-4)
	if m.filter.String() == "" {
		text += th.Dim.Of(ms.Clip("type to filter", width-4))
	}
	rows := []string{"  " + ms.Spread(th.Bold.Of("Help"), th.Dim.Of("esc closes · ↑ ↓ scroll"), width-4), th.Accent.Of(">") + " " + text, ""}
	return panel.Frame{Rows: append(rows, body[:min(len(body), m.height)]...), X: 2 + at, Y: 1}
}

// entry is one command or key with its description, under a heading.
type entry struct{ group, left, right string }

// entries returns what matches the filter: the commands, the keys of every day, the other keys, those of editing last.
func (m *Model) entries() []entry {
	var all, editing []entry
	for _, c := range keymap.Commands {
		all = append(all, entry{"commands", c.Usage(), c.Help})
	}
	key := func(group string, keys []string, help string) entry {
		return entry{group, strings.Join(keys, " "), help}
	}
	for _, name := range keymap.Everyday {
		for _, b := range m.keys.Rows {
			if b.Name == name && len(b.Keys) > 0 {
				all = append(all, key("every day", b.Keys, b.Help))
			}
		}
	}
	for _, w := range keymap.Written {
		all = append(all, entry{"at the start of a word", w.Text, w.Help})
	}
	if m.keys.Vim {
		for _, k := range keymap.VimRows {
			all = append(all, entry{"in vim's normal mode", k.Text, k.Help})
		}
	}
	for _, b := range m.keys.Rows {
		switch {
		case len(b.Keys) == 0, slices.Contains(keymap.Everyday, b.Name):
		case b.Group == "editing":
			editing = append(editing, key(b.Group, b.Keys, b.Help))
		default:
			all = append(all, key(b.Group, b.Keys, b.Help))
		}
	}
	all = append(all, editing...)
	words := strings.Fields(strings.ToLower(m.filter.String()))
	return slices.DeleteFunc(all, func(e entry) bool {
		text := strings.ToLower(e.group + " " + e.left + " " + e.right)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

// besideWidth is how many columns the description of a key needs beside it; in a narrower window it stands below.
const besideWidth = 32

// lay returns the rows of entries below their headings.
func (m *Model) lay(width int, list []entry) []string {
	th, ms := m.look.Theme, m.look.Measure
	wide := 0
	for _, e := range list {
		wide = max(wide, ms.Width(e.left))
	}
	var rows []string
	heading := ""
	for _, e := range list {
		if e.group != heading {
			if heading != "" {
				rows = append(rows, "")
			}
			heading = e.group
			rows = append(rows, "  "+th.Bold.Of(e.group))
		}
		if width < wide+besideWidth {
			for _, s := range ms.Wrap(e.left, width-4) {
				rows = append(rows, "  "+th.Accent.Of(ms.Clip(s, width-4)))
			}
			for _, s := range ms.Wrap(e.right, max(1, width-8)) {
				rows = append(rows, "    "+ms.Clip(s, width-6))
			}
			continue
		}
		left := e.left
		for i, s := range ms.Wrap(e.right, max(20, width-wide-8)) {
			if i > 0 {
				left = ""
			}
			rows = append(rows, "  "+ms.Clip("  "+th.Accent.Of(ms.Pad(left, wide))+"  "+s, width-4))
		}
	}
	return rows
}
