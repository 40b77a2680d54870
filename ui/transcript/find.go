package transcript

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/ui/keymap"
	"parley/ui/scroll"
	"parley/ui/style"
)

// Find opens the search, or returns to its query.
func (m *Model) Find() (Action, tea.Cmd) {
	if m.win.inline() {
		return m.read(keymap.Find)
	}
	f := &m.finding
	if f.open {
		f.typing = true
		return nil, nil
	}
	m.copying.end()
	on := m.win.on()
	*f = finding{win: m.win, open: true, typing: true, feed: on, finder: scroll.NewFinder(on.rows), from: on.rows.Bookmark(), stepping: f.stepping, last: f.last}
	on.finder = f.finder
	on.sel.Clear()
	return nil, nil
}

// FindAgain searches the last query again from the window on: 1 forward, -1 back in time.
func (m *Model) FindAgain(dir int) (Action, tea.Cmd) {
	if m.finding.last == "" && !m.win.inline() {
		return say("No earlier search")
	}
	action, _ := m.Find()
	if !m.finding.open {
		return action, nil
	}
	m.finding.typing = false
	m.finding.input.Set(m.finding.last)
	return nil, m.finding.restart(dir)
}

// FindBar returns the row of the search, at most w columns, and the column of its cursor, -1 while keys do not write the
// query. ok is false while the search is closed.
func (m *Model) FindBar(w int) (row string, cx int, ok bool) {
	f, th, ms := &m.finding, m.win.look.Theme, m.win.look.Measure
	if !f.open {
		return "", -1, false
	}
	right := ""
	if f.finder.Query() != "" {
		n, all := f.finder.Count()
		switch {
		case n == 0 && all:
			right = th.Warn.Of("not found")
		case f.current.ok:
			right = human.Number(f.current.found.Number) + " of " + human.Number(n)
		default:
			right = human.Number(n)
		}
		if !all {
			right += "…"
		}
	}
	if f.typing && f.input.String() == "" && f.last != "" {
		right = th.Dim.Of("↑ " + ms.Clip(style.Visible(f.last), 20) + " again")
	}
	hints := []string{" · ↑ ↓ · enter keep · esc back", " · esc back", " · esc", ""}
	if !f.typing {
		hints = []string{" · n before · N after · / change · esc close", " · n N · esc close", " · n N esc", ""}
	}
	label, room := "find ", 12
	for _, h := range hints {
		if ms.Width(right+h)+ms.Width(label)+room+5 <= w {
			right += th.Dim.Of(h)
			break
		}
	}
	text, at := f.input.View(ms, max(4, w-5-ms.Width(label)-ms.Width(right)))
	cx = -1
	if f.typing {
		cx = 2 + ms.Width(label) + at
	}
	return "  " + ms.Spread(th.Accent.Of(label)+text, right, w-4), cx, true
}
