package view

import (
	"slices"
	"strings"

	"parley/internal/human"
	"parley/ui/question"
	"parley/ui/style"
)

// formRows is the layout of a step.
type formRows struct {
	tabs string   // the list of steps; empty if there is only one
	rows []string // the question and its options
	// from and to bound the rows that must be visible for an answer: the selected option, or the line being written.
	from, to int
	cx, cy   int // the cursor among the rows, -1, -1 for none
	hint     string
	hits     []zone // the options, by the rows
}

// lay lays out the current step. Previews get what is left of so many rows.
func (f *form) lay(l *style.Look, focused bool, room int) formRows {
	v := formRows{cx: -1, cy: -1}
	if len(f.Fields) == 0 {
		v.hint = "esc decline"
		return v
	}
	if f.Steps() > 1 {
		v.tabs = f.tabs(l)
	}
	switch {
	case f.Reviewing():
		f.layReview(l, &v)
	case f.Reading():
		f.layReading(l, &v)
	default:
		f.layField(l, &v, focused, room)
	}
	if f.Leaving() {
		v.hint = "Close unanswered? d decline · enter back · esc close (it may ask again)"
		v.cx, v.cy = -1, -1
	}
	return v
}

// tabs returns the row that lists the questions, which of them are answered, and which is shown.
func (f *form) tabs(l *style.Look) string {
	var full, short []string
	for i := range f.Steps() {
		name, mark := "review", ""
		if i < len(f.Fields) {
			fd := &f.Fields[i]
			if name = style.Visible(style.OneLine(fd.Tab)); name == "" {
				name = style.Visible(style.OneLine(fd.Text))
			}
			switch {
			case fd.Trouble != "":
				mark = " !"
			case fd.Answered():
				mark = " ✓"
			}
			name = human.Number(i+1) + " " + l.Measure.Clip(name, 16)
		}
		st := l.Theme.Dim
		if i == f.At {
			st = l.Theme.Chosen
			short = append(short, st.Of(name+mark))
		} else if i < len(f.Fields) && near(i, f.At, len(f.Fields)) {
			short = append(short, st.Of(human.Number(i+1)+mark))
		}
		full = append(full, st.Of(name+mark))
	}
	sep := l.Theme.Dim.Of(" · ")
	if row := strings.Join(full, sep); l.Measure.Width(row) <= l.Width-4 {
		return "  " + row
	}
	if len(f.Fields) > maxTabs {
		short = append(short, l.Theme.Dim.Of("of "+human.Number(len(f.Fields))))
	}
	return "  " + l.Measure.Clip(strings.Join(short, sep), l.Width-4)
}

// maxTabs is how many steps are listed: of more, those around the one that is shown.
const maxTabs = 9

// near reports whether a step is listed where there is no room for all.
func near(i, at, of int) bool {
	from := max(0, min(at-2, of-maxTabs+4))
	return of <= maxTabs || i >= from && i < from+5
}

// layField lays out a question with its options and the line being written.
func (f *form) layField(l *style.Look, v *formRows, focused bool, room int) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	fd := &f.Fields[f.At]
	about := func(st style.Style, lead, text string) {
		if text == "" {
			return
		}
		for _, s := range ms.Wrap(lead+style.Visible(text), w) {
			v.rows = append(v.rows, "  "+st.Of(s))
		}
	}
	about("", "", fd.Text)
	about(th.Dim, "", fd.Expects)
	about(th.Warn, "! ", fd.Warning)
	below := f.belowOptions(l, fd)
	if f.Input != nil {
		room--
	}
	f.layOptions(l, v, focused, room-len(v.rows)-len(below))
	if f.Input != nil {
		lead := "  > "
		switch {
		case f.Noting():
			lead = "      note: "
		case len(fd.Options) > 0:
			lead = "      > "
		}
		text, at := f.Input.View(ms, w-ms.Width(lead))
		v.cx, v.cy = ms.Width(lead)+at, len(v.rows)
		v.from, v.to = len(v.rows), len(v.rows)+1
		v.rows = append(v.rows, th.Accent.Of(lead)+text)
	}
	v.rows = append(v.rows, below...)
	if fd.Trouble != "" {
		v.to = len(v.rows)
	}
	v.hint = f.hint(fd)
}

// belowOptions returns what stands below the options: the note to the answer, and what is wrong with it.
func (f *form) belowOptions(l *style.Look, fd *question.Field) (rows []string) {
	if fd.Note != "" && !f.Noting() {
		for _, s := range l.Measure.Wrap("note: "+style.Visible(fd.Note), l.Width-10) {
			rows = append(rows, "      "+l.Theme.Dim.Of(s))
		}
	}
	if fd.Trouble != "" {
		for _, s := range l.Measure.Wrap("! "+style.Visible(fd.Trouble), l.Width-4) {
			rows = append(rows, "  "+l.Theme.Warn.Of(s))
		}
	}
	return rows
}

// layOptions lays out the options of a question, and the preview of the selected one beside or below them.
func (f *form) layOptions(l *style.Look, v *formRows, focused bool, room int) {
	fd, w := &f.Fields[f.At], l.Width-4
	wide, about := 0, 0
	for _, o := range fd.Options {
		wide = max(wide, l.Measure.Width(style.Visible(style.OneLine(o.Label))))
		about = max(about, l.Measure.Width(style.Visible(style.OneLine(o.Description))))
	}
	begin, beside, edge := len(v.rows), fd.HasPreviews() && l.Width >= besideFrom, l.Width
	if beside {
		w = min(max(wide+about+10, w/4), w*2/5)
		edge = w + 2
	}
	for i := range fd.Rows() {
		from := len(v.rows)
		f.layOption(l, v, i, w, min(wide, w/2), focused)
		for row := from; row < len(v.rows); row++ {
			v.hits = append(v.hits, zone{row: row, x0: 2, x1: edge, at: i})
		}
		if i == f.Sel {
			v.from, v.to = from, len(v.rows)
		}
	}
	options := len(v.rows) - begin
	switch {
	case beside:
		rows := f.beside(l, v.rows[begin:], w, max(options, min(room, max(12, l.Height/2))))
		v.rows = append(v.rows[:begin:begin], rows...)
	case fd.Preview(f.Sel) != "":
		rows := f.unfolded(l, 4, max(1, min(room-options, max(8, l.Height/2))))
		v.rows = slices.Insert(v.rows, v.to, rows...)
		for i := range v.hits {
			if v.hits[i].row >= v.to {
				v.hits[i].row += len(rows)
			}
		}
		v.to += len(rows)
	}
}

// layOption lays out an option in so many columns: its label in full, its description beside it or, where that is too long,
// below.
func (f *form) layOption(l *style.Look, v *formRows, i, w, wide int, focused bool) {
	th, ms := l.Theme, l.Measure
	fd := &f.Fields[f.At]
	label, about, picked := question.FreeLabel, "", fd.Own != ""
	if i < len(fd.Options) {
		o := fd.Options[i]
		label, about = style.Visible(style.OneLine(o.Label)), style.Visible(style.OneLine(o.Description))
		picked = slices.Contains(fd.Chosen, fd.Value(i))
	} else if fd.Own != "" {
		label = style.Visible(style.OneLine(fd.Own))
	}
	lead, st := "  ", style.Style("")
	if i == f.Sel && focused && f.Input == nil {
		lead, st = "❯ ", th.Chosen
	}
	lead += human.Number(i+1) + " "
	switch {
	case fd.Multi && picked:
		lead += "[x] "
	case fd.Multi:
		lead += "[ ] "
	}
	if !fd.Multi && picked {
		label += " ✓"
	}
	in := ms.Width(lead)
	blank := strings.Repeat(" ", in)
	rest := w - in - wide - 2
	if ms.Width(label) <= wide && ms.Width(about) <= rest {
		v.rows = append(v.rows, strings.TrimRight("  "+st.Of(lead+ms.Pad(label, wide))+"  "+th.Dim.Of(about), " "))
		return
	}
	for n, s := range ms.Wrap(label, w-in) {
		if n > 0 {
			lead = blank
		}
		v.rows = append(v.rows, "  "+st.Of(lead+s))
	}
	if about == "" {
		return
	}
	for _, s := range ms.Wrap(about, w-in-2) {
		v.rows = append(v.rows, "  "+blank+"  "+th.Dim.Of(s))
	}
}

// layReview lays out every question with its answer, its note and what is wrong with it.
func (f *form) layReview(l *style.Look, v *formRows) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	add := func(st style.Style, text string) {
		for _, s := range ms.Wrap(text, w-5) {
			v.rows = append(v.rows, "       "+st.Of(s))
		}
	}
	for i := range f.Fields {
		fd := &f.Fields[i]
		for n, s := range ms.Wrap(style.Visible(style.OneLine(fd.Text)), w-3) {
			lead := "   "
			if n == 0 {
				lead = ms.Pad(human.Number(i+1), 3)
			}
			v.rows = append(v.rows, "  "+th.Dim.Of(lead+s))
		}
		if said := fd.Words(); said != "" {
			add("", said)
		} else {
			add(th.Warn, "not answered")
		}
		if fd.Note != "" {
			add(th.Dim, "note: "+style.Visible(style.OneLine(fd.Note)))
		}
		if fd.Trouble != "" {
			add(th.Warn, "! "+style.Visible(fd.Trouble))
		}
	}
	sends := "enter send the answers"
	switch {
	case f.Wrong():
		sends = "enter go to what is missing or wrong"
	case !f.Closes() && f.Unanswered() == len(f.Fields):
		sends = "nothing is answered: enter decline"
	}
	v.hint = sends + " · 1 to " + human.Number(min(9, len(f.Fields))) + " change one · esc back"
}

// hint returns which keys work in the step.
func (f *form) hint(fd *question.Field) string {
	if f.Noting() {
		return "enter keep the note · esc drop"
	}
	var parts []string
	if fd.Multi && f.Input == nil {
		parts = append(parts, "space pick several")
	}
	switch {
	case f.Steps() > 1 && fd.Answered():
		parts = append(parts, "enter go on", "tab next")
	case f.Steps() > 1:
		parts = append(parts, "enter go on", "tab skip")
	default:
		parts = append(parts, "enter answer")
	}
	if f.Input == nil && fd.Notes {
		parts = append(parts, "n add a note")
	}
	switch {
	case f.Input != nil && len(fd.Options) > 0:
		parts = append(parts, "esc back")
	case f.Closes():
		parts = append(parts, "esc leave")
	case f.Input == nil:
		parts = append(parts, "esc decline", "m say why")
	default:
		parts = append(parts, "esc decline")
	}
	return strings.Join(parts, " · ")
}

// formHint shortens the hints of a form to w columns where there is no room for all: how to leave it is always among them.
func formHint(m style.Measure, hint string, w int) string {
	if m.Width(hint) <= w {
		return hint
	}
	var front []string
	out := ""
	for s := range strings.SplitSeq(hint, " · ") {
		switch {
		case strings.HasPrefix(s, "esc close"):
			out = "esc close"
		case strings.HasPrefix(s, "esc "):
			out = s
		case s == "space pick several":
			front = append(front, "space pick")
		case s == "Close unanswered? d decline":
			front = append(front, "d decline")
		case s != "m say why" && s != "tab next" && s != "tab skip": // the tabs stand above, and declining is an answer, too
			front = append(front, s)
		}
	}
	if out == "" {
		return hint
	}
	return m.Hints(strings.Join(append(front, out), " · "), w)
}
