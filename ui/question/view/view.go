package view

import (
	"strings"

	"parley/internal/human"
	"parley/ui/style"
)

// Want returns how many rows the question needs at a width, at most so many; 0 without one.
func (m *View) Want(width, most int) int {
	if m.cur == nil {
		return 0
	}
	return min(sketch{m.cur, m.look(width), m.turn}.height(), most)
}

// Rows returns the question at a width in at most height rows, of which it needs three, and the cell of the cursor among
// them, -1, -1 unless text is written there.
func (m *View) Rows(width, height int) (rows []string, x, y int) {
	m.laid = 0
	if m.cur == nil {
		return nil, -1, -1
	}
	rows, x, y = sketch{m.cur, m.look(width), m.turn}.view(height)
	rows = rows[:min(len(rows), height)]
	m.laid = len(rows)
	if !m.cur.writes() {
		return rows, -1, -1
	}
	return rows, x, y
}

// look returns what layouts depend on, at a width.
func (m *View) look(width int) *style.Look {
	if m.o.Look.Width == width {
		return m.o.Look
	}
	l := *m.o.Look
	l.Width = width
	return &l
}

// sketch draws a question of a turn as it looks now.
type sketch struct {
	of   *prompt
	look *style.Look
	turn ofTurn
}

// height returns how many rows the question needs.
func (sk sketch) height() int {
	if sk.of.editing() {
		return sk.editorWants()
	}
	if sk.of.form != nil && sk.of.reason == nil {
		v := sk.of.form.lay(sk.look, sk.of.focus.has(), 1<<20)
		n := 2 + len(sk.formAbout()) + len(v.rows)
		if v.tabs != "" {
			n++
		}
		return max(n, 3)
	}
	rows, _, _ := sk.view(1 << 20)
	return len(rows)
}

// view lays the question out in at most limit rows, of which it needs three. The answers are always among them; what does
// not fit above them scrolls. The cursor is -1, -1 unless text is being written.
func (sk sketch) view(limit int) (rows []string, cx, cy int) {
	sk.of.clicks.hits = sk.of.clicks.hits[:0]
	if sk.aside() {
		limit = min(limit, asideRows)
	}
	if sk.of.editing() {
		return sk.editorRows(limit)
	}
	if sk.of.form != nil && sk.of.reason == nil {
		return sk.formRows(limit)
	}
	cx, cy = -1, -1
	above, begin := sk.above()
	tail := sk.tail(&cx)
	head := sk.headRows()
	keys := sk.keyRows()
	if len(head)+len(above)+len(tail.rows)+len(keys.rows) > limit {
		keys = keys.first()
	}
	if len(head)+len(above)+len(tail.rows)+len(keys.rows) <= limit {
		tail.add(keys)
	}
	if sk.airy() && len(head)+len(above)+len(tail.rows) < limit {
		above = append(above, "")
	}
	if len(head)+len(above)+len(tail.rows) > limit {
		if short := len(tail.rows) > limit-1-min(2, len(above)); short && sk.of.line() == nil {
			tail = sk.shortAnswers(max(1, limit-1-min(2, len(above))))
			above = append(above, sk.sentenceRows()...) // what the short answers leave out scrolls
		}
		if !sk.aside() {
			above, begin = sk.allAbove(above, begin)
		}
		shown, where := sk.window(above, begin, max(0, limit-1-len(tail.rows)))
		head, above = []string{sk.head(where)}, shown
	} else {
		sk.of.scroll.rows, sk.of.scroll.fits = len(above), len(above)
	}
	rows = append(head, above...)
	if cx >= 0 {
		cy = len(rows)
	}
	for _, h := range tail.hits {
		h.row += len(rows)
		sk.of.clicks.hits = append(sk.of.clicks.hits, h)
	}
	return append(rows, tail.rows...), cx, cy
}

// airy reports whether an empty row stands above the answers: where the window is high.
func (sk sketch) airy() bool {
	return sk.look.Height >= airyHeight && !sk.aside() && sk.of.line() == nil
}

// airyHeight is the height of a window from which on questions have an empty row.
const airyHeight = 30

// asideRows bounds a question beside which the chat goes on: the head, four rows of what it is about, and the way to it.
const asideRows = 6

// aside reports whether the chat goes on beside the question until it is called.
func (sk sketch) aside() bool { return sk.of.q.Summoned && !sk.of.focus.has() }

// keyRows returns what other keys do, unless a text is written or the chat goes on beside the question.
func (sk sketch) keyRows() answerRows {
	if sk.aside() || sk.of.line() != nil {
		return answerRows{}
	}
	return sk.hintRows()
}

// sentenceRows returns the lasting answer in full, for a window in which only its short label has room.
func (sk sketch) sentenceRows() (rows []string) {
	for _, c := range sk.of.q.Choices {
		if !c.Lasts {
			continue
		}
		words, _ := sk.of.q.Permission.HowLong()
		for _, s := range sk.look.Measure.Wrap(c.Key+": "+c.Label+" ("+words+")", sk.look.Width-4) {
			rows = append(rows, "  "+sk.look.Theme.Dim.Of(s))
		}
	}
	return rows
}

// tail returns the rows below the subject: the answers, the text being written, or how to call the question.
func (sk sketch) tail(cx *int) answerRows {
	th, ms, w := sk.look.Theme, sk.look.Measure, sk.look.Width-4
	switch {
	case sk.of.rule.text != nil:
		return sk.ruleTail(cx)
	case sk.of.reason != nil:
		why := sk.of.q.Choices[sk.of.q.At].Why
		if why == "" {
			why = "with your answer"
		}
		lead := "  tell the agent " + why + ": "
		text, at := sk.of.reason.View(ms, max(1, w-ms.Width(lead)-2))
		*cx = ms.Width(lead) + at
		hint := "enter send it · esc back"
		if !sk.of.writes() {
			hint = "enter write here · esc back"
		}
		return answerRows{rows: []string{th.Accent.Of(lead) + text, "  " + th.Dim.Of(hint)}}
	case sk.aside():
		hint := strings.TrimPrefix(sk.look.AnswerKeys()+" decides · ", " decides · ") + "/trust · the chat goes on without it"
		if ms.Width(hint) > w {
			hint, _, _ = strings.Cut(hint, " · the chat")
		}
		return answerRows{rows: []string{"  " + th.Dim.Of(ms.Clip(hint, w))}}
	}
	a := answerRows{rows: sk.missRow()}
	a.add(sk.answers())
	if note := sk.of.q.Permission.Note(); note != "" && sk.look.Width >= narrow {
		a.rows = append(a.rows, "  "+th.Dim.Of(ms.Clip(note, w)))
	}
	return a
}

// above returns the rows between the head and the answers, and the index of the one that matters most.
func (sk sketch) above() (rows []string, begin int) {
	rows = sk.detailRows()
	if _, right := sk.beside(""); sk.of.q.About != "" && !strings.Contains(right, sk.of.q.About) {
		for _, s := range sk.look.Measure.Wrap(sk.of.q.About, sk.look.Width-4) {
			rows = append(rows, "  "+sk.look.Theme.Dim.Of(s))
		}
	}
	begin = len(rows)
	if sk.of.changed() {
		return append(rows, sk.changeRows()...), begin + sk.of.editor.diff.first
	}
	for i, line := range sk.of.q.Body {
		if i == sk.of.q.First {
			begin = len(rows)
		}
		rows = append(rows, sk.bodyRows(i, line)...)
	}
	if sk.of.q.Permission != nil && sk.of.q.Permission.Why {
		return append(rows, sk.whyRows()...), begin
	}
	return append(rows, sk.partsRow()...), begin
}

// allAbove adds what the head of a question that scrolls leaves out: a long title.
func (sk sketch) allAbove(above []string, begin int) (rows []string, from int) {
	if sk.look.Measure.Width(sk.of.q.Title) > (sk.look.Width-4)/2 && !sk.of.changed() {
		for _, s := range sk.look.Measure.Wrap(sk.of.q.Title, sk.look.Width-4) {
			rows = append(rows, "  "+sk.look.Theme.Bold.Of(s))
		}
	}
	return append(rows, above...), begin + len(rows)
}

// window returns the rows that are shown, and a text that says which part of all they are.
func (sk sketch) window(all []string, begin, limit int) (rows []string, where string) {
	sk.of.scroll.rows, sk.of.scroll.fits = len(all), len(all)
	if len(all) <= limit {
		return all, ""
	}
	sk.of.scroll.fits = max(1, limit)
	if !sk.of.scroll.moved {
		if sk.of.scroll.top = begin; len(sk.of.q.Body) == 0 && !sk.of.changed() || limit >= begin+3 || sk.aside() {
			sk.of.scroll.top = 0 // there is room for what stands before it
		}
	}
	sk.of.scroll.top = max(0, min(sk.of.scroll.top, len(all)-sk.of.scroll.fits))
	from, to := sk.of.scroll.top, min(sk.of.scroll.top+sk.of.scroll.fits, len(all))
	where = "rows " + human.Number(from+1) + " to " + human.Number(to) + " of " + human.Number(len(all)) + " · pgup pgdn"
	if sk.aside() { // nothing scrolls before it is called
		where = human.Number(len(all)-limit) + " more"
	} else if sk.look.Width < 60 {
		where = human.Number(to) + "/" + human.Number(len(all)) + " pgdn"
	}
	return all[from:min(to, from+limit)], where
}

// headRows returns the title in full, with the rest of the head.
func (sk sketch) headRows() []string {
	th, ms, w := sk.look.Theme, sk.look.Measure, sk.look.Width-4
	_, right := sk.beside("")
	titles := ms.Wrap(sk.of.q.Title, w)
	if ms.Width(sk.of.q.Title)+1+ms.Width(right) <= w {
		return []string{sk.head("")}
	}
	title := th.Bold
	if !sk.of.focus.has() {
		title = th.Dim
	}
	var rows []string
	for _, s := range titles {
		rows = append(rows, "  "+title.Of(s))
	}
	last := titles[len(titles)-1]
	if ms.Width(last)+1+ms.Width(right) <= w {
		rows[len(rows)-1] = "  " + ms.Spread(title.Of(last), th.Dim.Of(right), w)
	} else {
		rows = append(rows, "  "+ms.Spread("", th.Dim.Of(ms.Clip(right, w)), w))
	}
	return rows
}

// beside returns the text beside the title: how many asks are open, which rows are shown, and which key gives the keyboard to
// a question that does not have it.
func (sk sketch) beside(where string) (style.Style, string) {
	var parts []string
	room := sk.look.Width - 5 - sk.look.Measure.Width(sk.of.q.Title)
	for _, text := range []string{sk.of.q.Change, sk.of.q.Caution, sk.waits(sk.turn.waiting)} {
		if text != "" {
			parts = append(parts, text)
			room -= sk.look.Measure.Width(text) + 3
		}
	}
	if about := sk.of.q.About; where == "" && about != "" && sk.of.q.Permission != nil && sk.look.Measure.Width(about) <= room-keyRoom {
		parts = append([]string{about}, parts...)
	}
	if where != "" {
		parts = append(parts, where)
	}
	if keys := sk.look.AnswerKeys(); !sk.of.q.Summoned && !sk.of.focus.has() && keys != "" {
		parts = append(parts, keys+" to answer")
	}
	st := sk.look.Theme.Dim
	if where != "" || sk.of.q.Caution != "" {
		st = sk.look.Theme.Warn
	}
	return st, strings.Join(parts, " · ")
}

// head returns title and text beside it cut to one row.
func (sk sketch) head(where string) string {
	th, ms, w := sk.look.Theme, sk.look.Measure, sk.look.Width-4
	st, right := sk.beside(where)
	right = ms.Clip(right, w-1)
	title := th.Bold
	if !sk.of.focus.has() {
		title = th.Dim
	}
	return "  " + ms.Spread(title.Of(ms.Clip(sk.of.q.Title, w-ms.Width(right)-1)), st.Of(right), w)
}

// keyRoom is the width that the head leaves for the keys that call the question, whether they are shown or not.
const keyRoom = len(" · F2 or alt+q to answer")

// detailRows returns the reason for the question. What only says that no rule allows a call is left for those who ask.
func (sk sketch) detailRows() []string {
	m := sk.of.q.Permission
	if _, ok := m.Rule(); sk.of.q.Detail == "" || ok && !m.Why && strings.HasPrefix(sk.of.q.Detail, "no rule ") {
		return nil
	}
	var rows []string
	for _, s := range sk.look.Measure.Wrap(sk.of.q.Detail, sk.look.Width-4) {
		rows = append(rows, "  "+sk.look.Theme.Dim.Of(s))
	}
	return rows
}
