package transcript

import (
	"parley/internal/human"
	"parley/session"
)

// Scrollback is the rows that an inline screen has written into the terminal's scrollback, where it cannot change. Finished items are
// written in order, and of an unfinished answer the settled rows.
type Scrollback struct {
	conv *Model
	feed *feed // whose items; another one starts over
	next int   // items before it were written or skipped
	// part is the item whose first rows were written: their number, their letters and digits, and the width.
	part    item
	rows    int
	letters int
	width   int
	// asked is the ask whose subject was written in full because it did not fit above the question.
	asked session.AskID
	// shown is the item that ShowFolded wrote last.
	shown int
	ready []string // rows for the next frame
}

// longHistory is the number of rows of a resumed conversation that are written.
const longHistory = 400

// NewScrollback returns an empty scrollback of the conversation.
func NewScrollback(conv *Model) *Scrollback { return &Scrollback{conv: conv, shown: -1} }

// Rows returns the rows to write above the frame, and at most room rows that may still change. header returns the first row of
// another conversation. The subject of ask, which may be nil, is written in full if it does not fit, because an inline frame
// does not scroll.
func (in *Scrollback) Rows(header func() string, ask *session.Ask, room int) (above, live []string) {
	above = in.finish(header)
	live = in.live()
	if ask != nil && !among(in.feed.below, ask) && len(live) > room && in.asked != ask.Ask {
		in.asked = ask.Ask
		above = append(above, in.spell(ask, live)...)
		live = in.live()
	}
	return above, live[max(0, len(live)-room):]
}

// spell returns all rows of an ask's subject, which the frame leaves out until the ask is answered. For an ask without an item
// it returns live.
func (in *Scrollback) spell(ask *session.Ask, live []string) []string {
	for _, it := range in.conv.win.feed.list[min(in.next, len(in.conv.win.feed.list)):] {
		if s := it.state(); it.openAsk() == ask && !s.written && s.shown() {
			rows := in.restOf(it)
			s.spelledOut = true
			return rows
		}
	}
	return live
}

// finish returns the rows that can go into the scrollback now.
func (in *Scrollback) finish(header func() string) []string {
	var above []string
	if in.feed != in.conv.win.feed {
		above = in.begin(header())
	}
	above = append(above, in.ready...)
	in.ready = nil
	for ; in.next < len(in.conv.win.feed.list); in.next++ {
		it := in.conv.win.feed.list[in.next]
		s := it.state()
		if s.written || !s.shown() && it.finished() {
			continue
		}
		if !it.finished() || in.feed.grows(in.next) || !settled(it, in.conv.win.look) {
			above = append(above, in.finishPart(it)...)
			break
		}
		above = append(above, in.restOf(it)...)
		in.wrote(it)
	}
	return append(above, in.finishedAfterChildren()...)
}

// wrote records that an item is in the scrollback, with the calls for which its row stands. No later call joins them.
func (in *Scrollback) wrote(it item) {
	it.state().written = true
	if g, ok := it.(*groupItem); ok {
		for _, m := range g.members {
			m.written = true
			in.feed.renew(m)
		}
	}
	if it.gathers() {
		in.feed.renew(it)
	}
}

// finishedAfterChildren returns the rows of items that are finished behind child agents in the background, which may take long.
func (in *Scrollback) finishedAfterChildren() (above []string) {
	for i := in.next; i < len(in.feed.list); i++ {
		it := in.feed.list[i]
		s := it.state()
		switch c, ok := it.(*childItem); {
		case s.written || !s.shown() && it.finished():
		case ok && c.child.Background && !c.child.Ended:
		case !it.finished() || in.feed.grows(i) || !settled(it, in.conv.win.look):
			return above
		default:
			above = append(above, in.restOf(it)...)
			in.wrote(it)
		}
	}
	return above
}

// begin starts another conversation: its header and the end of its history.
func (in *Scrollback) begin(header string) []string {
	f, l := in.conv.win.feed, in.conv.win.look
	*in = Scrollback{conv: in.conv, feed: f, shown: -1}
	rows := []string{header, ""}
	have, from := 0, len(f.list)
	for from > 0 && have < longHistory {
		from--
		if f.list[from].state().shown() {
			have += len(f.list[from].layout(l)) + 1
		}
	}
	for _, it := range f.list[:from] {
		it.state().written = true
	}
	if from > 0 {
		in.next = from
		rows = append(rows, "  "+l.Theme.Dim.Of("… "+human.Count(from, "earlier row", "earlier rows")+" · /export saves everything"), "")
	}
	return rows
}

// restOf returns the rows of an item that are not written yet.
func (in *Scrollback) restOf(it item) []string {
	rows := it.layout(in.conv.win.look)
	if t, ok := it.(*toolItem); ok && t.spelledOut && t.row.Tool.Ended && len(t.row.Tool.Edits) > 0 {
		rows = append([]string{rows[0]}, t.row.SaidRows(in.conv.win.look, t.fold())...) // the change is written
	}
	from := in.written(it, rows)
	if from == 0 && it.state().gap && len(rows) > 0 {
		return append([]string{""}, rows...)
	}
	return append([]string(nil), rows[from:]...)
}

// written returns how many of an item's rows are written, at the current width.
func (in *Scrollback) written(it item, rows []string) int {
	if in.part != it {
		return 0
	}
	if in.width == in.conv.win.look.Width {
		return min(in.rows, len(rows))
	}
	n, seen := 0, 0
	for n < len(rows) && seen < in.letters {
		seen += letters(rows[n])
		n++
	}
	return n
}

// finishPart returns the rows of a growing answer that can no longer change.
func (in *Scrollback) finishPart(it item) []string {
	p, ok := it.(*partItem)
	if !ok || p.part.Kind != session.PartText || p.part.Retracted {
		return nil
	}
	rows := p.layout(in.conv.win.look)
	if p.doc == nil {
		return nil
	}
	from, to := in.written(it, rows), min(p.doc.doc.Stable(), len(rows))
	if to <= from {
		return nil
	}
	above := append([]string(nil), rows[from:to]...)
	if from == 0 && it.state().gap {
		above = append([]string{""}, above...)
	}
	in.part, in.rows, in.width, in.letters = it, to, in.conv.win.look.Width, 0
	for _, r := range rows[:to] {
		in.letters += letters(r)
	}
	return above
}

// Live returns the last n rows that may still change.
func (in *Scrollback) Live(n int) []string {
	live := in.live()
	return live[max(0, len(live)-n):]
}

// live returns the rows that may still change.
func (in *Scrollback) live() []string {
	var rows []string
	for _, it := range in.conv.win.feed.list[min(in.next, len(in.conv.win.feed.list)):] {
		if s := it.state(); !s.written && s.shown() && !(s.spelledOut && it.openAsk() != nil) {
			rows = append(rows, in.restOf(it)...)
		}
	}
	if len(rows) > 0 && rows[0] == "" && in.part == nil && in.next == 0 {
		rows = rows[1:] // the header has a blank row below it
	}
	return rows
}

// ShowFolded writes the last folded item in full, and with each further call the one before it. It reports whether there was
// one.
func (in *Scrollback) ShowFolded() bool {
	list := in.conv.win.feed.list
	at := in.shown
	if at < 0 || at > len(list) {
		at = len(list)
	}
	for at--; at >= 0; at-- {
		it := list[at]
		if _, group := it.(*groupItem); group || it.state().hidden || !it.foldable() || !it.finished() {
			continue // the calls of a group come one by one
		}
		in.shown = at
		s := it.state()
		was, open := s.turned, s.open
		s.turned, s.open = true, true
		in.ready = append(in.ready, "")
		in.ready = append(in.ready, it.layout(in.conv.win.look)...)
		s.turned, s.open = was, open
		in.conv.win.feed.renew(it)
		return true
	}
	in.shown = -1
	return false
}

// Tail returns the rows that are not written when the program ends.
func (in *Scrollback) Tail(header func() string) []string {
	above := in.finish(header)
	if h := in.conv.win.look.Highlighter; h != nil {
		h.Finish()
	}
	above = append(above, in.finish(header)...)
	for _, it := range in.conv.win.feed.list[min(in.next, len(in.conv.win.feed.list)):] {
		if s := it.state(); !s.written && s.shown() {
			above = append(above, in.restOf(it)...)
		}
	}
	return above
}
