package ui

import (
	"strings"

	"parley/session"
	"parley/ui/style"
)

// inlining is what an inline screen has written into the terminal's scrollback, where it stays as it is. Items go there in
// order once nothing can change them any more, and the part of an answer that is settled goes ahead of the rest of it.
type inlining struct {
	feed *feed // whose items; another one begins anew
	next int   // items of the list before it were written or passed over
	// part is the item of which the first rows were written: so many, at this width, holding so many letters and digits.
	part    item
	rows    int
	letters int
	width   int
	// asked is the ask whose subject was written in full, because it did not fit above the question.
	asked session.AskID
	// shown is the item that tab wrote last; the next tab writes the one before it.
	shown int
	ready []string // rows to be written with the next frame
}

// longHistory is how many rows of a conversation that is picked up again are written.
const longHistory = 400

// inlineChat is the chat as an inline frame: what still changes and what is yours, as low as it can be. above is what goes
// into the scrollback before it.
func (m *Model) inlineChat() (above, rows []string, cx, cy int) {
	r := divide(m.height, m.want())
	above = m.finish()
	live := m.liveRows()
	room := max(1, r.body+r.air)
	if q := m.prompt.Question(); q != nil && q.Ask != nil && len(live) > room && m.inl.asked != q.Ask.Ask {
		// Of what is asked nothing may be out of reach, and an inline frame cannot be scrolled.
		m.inl.asked = q.Ask.Ask
		above = append(above, m.spell(q.Ask, live)...)
		live = m.liveRows()
	}
	live = live[max(0, len(live)-room):]
	rows = append(m.rows[:0], live...)
	if len(live) > 0 && r.gap > 0 {
		rows = append(rows, "")
	}
	rows, cx, cy = m.lower(rows, r)
	return above, rows, cx, cy
}

// spell returns all rows of what an ask is about, which is not shown any more until it is answered: it stands right above.
// live are the rows shown so far, for asks that have no item of their own.
func (m *Model) spell(ask *session.Ask, live []string) []string {
	for _, it := range m.feed.list[min(m.inl.next, len(m.feed.list)):] {
		if s := it.state(); askedIn(it) == ask && !s.told && !s.hidden {
			rows := m.restOf(it)
			s.spelled = true
			return rows
		}
	}
	return live
}

// askedIn is the ask that waits for an answer and is shown by an item, nil if there is none.
func askedIn(it item) *session.Ask {
	switch it := it.(type) {
	case *toolItem:
		if it.waiting() {
			return it.ask
		}
	case *askItem:
		if !it.ask.Settled {
			return it.ask
		}
	}
	return nil
}

// finish returns the rows that can go into the scrollback now.
func (m *Model) finish() []string {
	in := &m.inl
	var above []string
	if in.feed != m.feed {
		above = m.beginInline()
	}
	above = append(above, in.ready...)
	in.ready = nil
	for ; in.next < len(m.feed.list); in.next++ {
		it := m.feed.list[in.next]
		s := it.state()
		if s.told || s.hidden && final(it) {
			continue
		}
		if !final(it) || !m.settled(it) {
			above = append(above, m.finishPart(it)...)
			break
		}
		above = append(above, m.restOf(it)...)
		s.told = true
	}
	return append(above, m.finishBehind()...)
}

// finishBehind writes what is finished behind child agents that work in the background, which may take longer than
// anybody wants to wait.
func (m *Model) finishBehind() (above []string) {
	for _, it := range m.feed.list[min(m.inl.next, len(m.feed.list)):] {
		s := it.state()
		switch c, ok := it.(*childItem); {
		case s.told || s.hidden && final(it):
		case ok && c.child.Background && !c.child.Ended:
		case !final(it) || !m.settled(it):
			return above
		default:
			above = append(above, m.restOf(it)...)
			s.told = true
		}
	}
	return above
}

// beginInline starts over with another conversation: its header, and the end of what it holds already.
func (m *Model) beginInline() []string {
	f := m.feed
	m.inl = inlining{feed: f, shown: -1}
	rows := []string{header(m.headerInfo(), m.look.Theme, m.look.Measure, m.width), ""}
	have, from := 0, len(f.list)
	for from > 0 && have < longHistory {
		from--
		have += len(f.list[from].layout(m.look)) + 1
	}
	for _, it := range f.list[:from] {
		it.state().told = true
	}
	if from > 0 {
		m.inl.next = from
		rows = append(rows, "  "+m.look.Theme.Dim.Of("… "+style.Count(from, "earlier row", "earlier rows")+" · /export writes all of it"), "")
	}
	return rows
}

// restOf are the rows of an item that were not written yet.
func (m *Model) restOf(it item) []string {
	rows := it.layout(m.look)
	if t, ok := it.(*toolItem); ok && t.spelled && t.tool.Ended && len(t.tool.Edits) > 0 {
		rows = append([]string{rows[0]}, t.denialRows(m.look)...) // the change stands above
	}
	from := m.written(it, rows)
	if from == 0 && it.state().gap && len(rows) > 0 {
		return append([]string{""}, rows...)
	}
	return append([]string(nil), rows[from:]...)
}

// written is how many of an item's rows were written, at whatever width they are laid out now.
func (m *Model) written(it item, rows []string) int {
	in := &m.inl
	if in.part != it {
		return 0
	}
	if in.width == m.width {
		return min(in.rows, len(rows))
	}
	n, seen := 0, 0
	for n < len(rows) && seen < in.letters {
		seen += letters(rows[n])
		n++
	}
	return n
}

// finishPart returns those rows of an answer that still grows which nothing can change any more.
func (m *Model) finishPart(it item) []string {
	p, ok := it.(*partItem)
	if !ok || p.part.Kind != session.PartText || p.part.Retracted {
		return nil
	}
	rows := p.layout(m.look)
	if p.doc == nil {
		return nil
	}
	from, to := m.written(it, rows), min(p.doc.doc.Stable(), len(rows))
	if to <= from {
		return nil
	}
	above := append([]string(nil), rows[from:to]...)
	if from == 0 && it.state().gap {
		above = append([]string{""}, above...)
	}
	in := &m.inl
	in.part, in.rows, in.width, in.letters = it, to, m.width, 0
	for _, r := range rows[:to] {
		in.letters += letters(r)
	}
	return above
}

// liveRows are the rows of what may still change.
func (m *Model) liveRows() []string {
	var rows []string
	for _, it := range m.feed.list[min(m.inl.next, len(m.feed.list)):] {
		if s := it.state(); !s.told && !s.hidden && !(s.spelled && askedIn(it) != nil) {
			rows = append(rows, m.restOf(it)...)
		}
	}
	if len(rows) > 0 && rows[0] == "" && m.inl.part == nil && m.inl.next == 0 {
		rows = rows[1:] // the header has a blank row below it already
	}
	return rows
}

// final reports whether nothing will change an item any more. What is thrown away or corrected after it was final stays in
// the scrollback as it was seen, and what comes instead stands below it.
func final(it item) bool {
	switch it := it.(type) {
	case *partItem:
		return it.part.Ended || it.part.Retracted
	case *toolItem:
		return it.covered || it.tool.Ended
	case *childItem:
		return it.child.Ended
	case *askItem:
		return it.ask.Settled
	case *endItem:
		return it.quiet() || !it.last // it says how to send the prompt again, as long as that is so
	}
	return true
}

// showFolded writes the last item that hides something, whole; again, and it is the one before that.
func (m *Model) showFolded() {
	in, list := &m.inl, m.feed.list
	at := in.shown
	if at < 0 || at > len(list) {
		at = len(list)
	}
	for at--; at >= 0; at-- {
		it := list[at]
		if s := it.state(); s.hidden || !it.foldable() || !final(it) {
			continue
		}
		in.shown = at
		s := it.state()
		was, open := s.turned, s.open
		s.turned, s.open = true, true
		in.ready = append(in.ready, "")
		in.ready = append(in.ready, it.layout(m.look)...)
		s.turned, s.open = was, open
		m.feed.renew(it)
		m.touch()
		return
	}
	in.shown = -1
	m.say("nothing more is folded", false)
}

// inlineTail is what stays below the finished rows when the program ends.
func (m *Model) inlineTail() []string {
	above := m.finish()
	m.look.Highlighter.Finish()
	above = append(above, m.finish()...)
	for _, it := range m.feed.list[min(m.inl.next, len(m.feed.list)):] {
		if s := it.state(); !s.told && !s.hidden {
			above = append(above, m.restOf(it)...)
		}
	}
	return above
}

// cover is how many rows there are for what covers the chat. Inline it is half of the window: each row it takes scrolls one
// away, and there is nothing to put into its place when it is gone.
func (m *Model) cover() int {
	if !m.opts.Appearance.Inline {
		return m.height
	}
	return min(m.height, max(style.MinHeight, (m.height+1)/2)) - 1 // for the rule above it
}

// pickerHeight is how many rows the open picker gets: inline not more than it has use for, whatever its filter leaves.
func (m *Model) pickerHeight() int {
	h := m.cover()
	if m.opts.Appearance.Inline {
		h = m.picker.Want(m.width, h)
	}
	return h
}

// lowered is a view that covers the screen, as an inline frame: no higher than what it holds.
func lowered(rows []string) []string {
	for len(rows) > 0 && strings.TrimSpace(style.Unstyled(rows[len(rows)-1])) == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}
