package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// readKey handles the keys of those who read: what is found, selected, copied, jumped to. done is false for all others.
func (m *Model) readKey(k tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	s := k.String()
	a := m.does(s).Act
	switch {
	case m.finding.open:
		return m.findKey(k), true
	case m.walking.on:
		return m.walkKey(k), true
	}
	if sel := m.on().sel; !sel.Empty() {
		if s == "ctrl+c" && m.opts.KeepSelection {
			cmd = m.copySelection()
			sel.Clear()
			return cmd, true
		}
		if a != keymap.PageUp && a != keymap.PageDown {
			sel.Clear()
		}
	}
	return m.readAct(a)
}

// readAct does what those keys do, and reports whether an action is one of theirs.
func (m *Model) readAct(a keymap.Action) (cmd tea.Cmd, done bool) {
	f := m.on()
	if m.inlineHere() {
		switch a {
		case keymap.Find, keymap.Select, keymap.TurnUp, keymap.TurnDown, keymap.Fresh, keymap.FoldAll, keymap.Mouse:
			m.say("the screen is inline: the terminal itself scrolls, finds and selects", false)
			return nil, true
		}
	}
	switch a {
	case keymap.Find:
		return m.find(), true
	case keymap.CopyAnswer:
		return m.copyAnswer(), true
	case keymap.CopyCode:
		return m.copyCode(), true
	case keymap.Select:
		return m.startWalk(), true
	case keymap.TurnUp:
		f.rows.JumpTurn(-1)
	case keymap.TurnDown:
		f.rows.JumpTurn(1)
	case keymap.Fresh:
		m.toFresh()
	case keymap.FoldAll:
		m.foldAll()
	case keymap.Times:
		m.look.Times = !m.look.Times
		m.restyle()
		m.say(map[bool]string{true: "times are shown", false: "times are hidden"}[m.look.Times], false)
	case keymap.Mouse:
		m.toggleMouse()
	default:
		return nil, false
	}
	m.touch()
	return nil, true
}

// readCursor is where the cursor stands for those who read, -1 if it is where something is written.
func (m *Model) readCursor() (x, y int) {
	switch {
	case m.finding.open:
		if _, x = m.findBar(m.width); x >= 0 {
			return x, m.statusTop
		}
		return m.matchCursor()
	case m.walking.on:
		return m.walking.x, m.bodyTop + m.walking.y
	}
	return -1, -1
}

// inlineHere reports whether what is on the screen is the terminal's own, and cannot be scrolled or drawn over.
func (m *Model) inlineHere() bool { return m.opts.Appearance.Inline && !m.viewing() }

// reading reports whether the keys go to the conversation, so that nothing else may take the keyboard.
func (m *Model) reading() bool { return m.finding.open || m.walking.on || m.mouse.dragging }

// foldAll opens everything that can be folded, or folds it if all of it is open.
func (m *Model) foldAll() {
	f := m.on()
	open := f.foldAll()
	m.chosen = false
	if open {
		m.say("everything is open", false)
		return
	}
	m.say("everything is folded", false)
}

// foldAll opens all items, or folds them if all are open, and says which.
func (f *feed) foldAll() (open bool) {
	for _, it := range f.list {
		if s := it.state(); !s.hidden && it.foldable() && !s.isOpen(false) {
			open = true
			break
		}
	}
	for _, it := range f.list {
		if s := it.state(); it.foldable() && s.isOpen(false) != open {
			s.open, s.turned = open, true
			f.renew(it)
		}
	}
	return open
}

// noteFresh notes the first item that came while the reader was elsewhere. It stays the first until the reader has been
// at the end and the place is off the screen.
func (f *feed) noteFresh() {
	if f.fresh != nil {
		return
	}
	i, ok := f.rows.FirstUnseen()
	for ; ok && i < len(f.list); i++ {
		if it := f.list[i]; !it.state().hidden {
			f.fresh = it
			return
		}
	}
}

// drawFresh draws a line above what is new.
func (f *feed) drawFresh(rows []string, l *style.Look) {
	if f.fresh == nil {
		return
	}
	for y := range rows {
		i, row, ok := f.rows.ItemAt(y)
		if !ok {
			break
		}
		if f.list[i] != f.fresh {
			continue
		}
		if row < 0 {
			side := strings.Repeat("─", max(0, (l.Inner()-5)/2))
			rows[y] = "  " + l.Theme.Dim.Of(side) + l.Theme.Accent.Of(" new ") + l.Theme.Dim.Of(side)
		}
		return
	}
	if f.rows.Following() {
		f.fresh = nil
	}
}

// toFresh goes to what came since the reader left the end.
func (m *Model) toFresh() {
	f := m.on()
	if f.fresh == nil {
		f.rows.JumpUnseen()
		return
	}
	for i := len(f.list) - 1; i >= 0; i-- {
		if f.list[i] == f.fresh {
			f.rows.Jump(i)
			f.rows.Scroll(-1) // the line above it
			return
		}
	}
}

// exactly says how long something took, also if that was not long.
func exactly(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return style.Seconds(d)
}

// timesRow says when a prompt was sent, how long the turn took and what it cost, as far as that is known.
func timesRow(l *style.Look, t *session.Turn) string {
	var parts []string
	if at := l.Clock(t.Started); at != "" {
		parts = append(parts, "sent "+at)
	}
	if t.Outcome != "" && t.Duration > 0 {
		parts = append(parts, "took "+exactly(t.Duration))
	}
	if t.Model != "" {
		parts = append(parts, style.Visible(style.OneLine(style.ShortModel(t.Model))))
	}
	if in, out := t.Usage.Input+t.Usage.CacheRead+t.Usage.CacheWrite, t.Usage.Output; in+out > 0 {
		parts = append(parts, style.Thousands(in)+" tokens in, "+style.Thousands(out)+" out")
	}
	return l.Measure.Clip(strings.Join(parts, " · "), l.Inner())
}
