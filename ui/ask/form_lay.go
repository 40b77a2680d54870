package ask

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

// lay lays out the current step.
func (f *form) lay(l *style.Look, focused bool) formRows {
	v := formRows{cx: -1, cy: -1}
	if len(f.Fields) == 0 {
		v.hint = "esc declines"
		return v
	}
	if f.Steps() > 1 {
		v.tabs = f.tabs(l)
	}
	if f.Reviewing() {
		f.layReview(l, &v)
	} else {
		f.layField(l, &v, focused)
	}
	if f.Trouble != "" {
		v.rows = append(v.rows, "  "+l.Theme.Warn.Of("! "+style.Visible(f.Trouble)))
		v.to = len(v.rows)
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
			if len(fd.Answer()) > 0 {
				mark = " ✓"
			}
			name = human.Number(i+1) + " " + l.Measure.Clip(name, 16)
		}
		st := l.Theme.Dim
		if i == f.At {
			st = l.Theme.Chosen
			short = append(short, st.Of(name+mark))
		} else if i < len(f.Fields) {
			short = append(short, st.Of(human.Number(i+1)+mark))
		}
		full = append(full, st.Of(name+mark))
	}
	sep := l.Theme.Dim.Of(" · ")
	if row := strings.Join(full, sep); l.Measure.Width(row) <= l.Width-4 {
		return "  " + row
	}
	return "  " + l.Measure.Clip(strings.Join(short, sep), l.Width-4)
}

// layField lays out a question with its options and the line being written.
func (f *form) layField(l *style.Look, v *formRows, focused bool) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	fd := &f.Fields[f.At]
	if fd.Text != "" {
		for _, s := range ms.Wrap(style.Visible(fd.Text), w) {
			v.rows = append(v.rows, "  "+s)
		}
	}
	if fd.Note != "" {
		for _, s := range ms.Wrap(style.Visible(fd.Note), w) {
			v.rows = append(v.rows, "  "+th.Dim.Of(s))
		}
	}
	wide := 0
	for _, o := range fd.Options {
		wide = max(wide, ms.Width(style.Visible(style.OneLine(o.Label))))
	}
	for i := range fd.Rows() {
		from := len(v.rows)
		f.layOption(l, v, i, min(wide, w/2), focused)
		for row := from; row < len(v.rows); row++ {
			v.hits = append(v.hits, zone{row: row, x0: 2, x1: l.Width, at: i})
		}
		if i == f.Sel {
			v.from, v.to = from, len(v.rows)
		}
	}
	if f.Input != nil {
		lead := "  > "
		if len(fd.Options) > 0 {
			lead = "      > "
		}
		text, at := f.Input.View(ms, w-ms.Width(lead))
		v.cx, v.cy = ms.Width(lead)+at, len(v.rows)
		v.from, v.to = len(v.rows), len(v.rows)+1
		v.rows = append(v.rows, th.Accent.Of(lead)+text)
	}
	v.hint = f.hint(fd)
}

// layOption lays out an option: its label in full, its description beside it or, where that is too long, below.
func (f *form) layOption(l *style.Look, v *formRows, i, wide int, focused bool) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
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

// layReview lays out every question with its answer.
func (f *form) layReview(l *style.Look, v *formRows) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	for i := range f.Fields {
		fd := &f.Fields[i]
		for n, s := range ms.Wrap(style.Visible(style.OneLine(fd.Text)), w-3) {
			lead := "   "
			if n == 0 {
				lead = ms.Pad(human.Number(i+1), 3)
			}
			v.rows = append(v.rows, "  "+th.Dim.Of(lead+s))
		}
		said, st := fd.Words(), style.Style("")
		if said == "" {
			said, st = "not answered", th.Warn
		}
		for _, s := range ms.Wrap(said, w-5) {
			v.rows = append(v.rows, "       "+st.Of(s))
		}
	}
	v.hint = "enter sends the answers · 1 to " + human.Number(min(9, len(f.Fields))) + " changes one · esc goes back"
}

// hint returns which keys work in the step.
func (f *form) hint(fd *question.Field) string {
	var parts []string
	if fd.Multi && f.Input == nil {
		parts = append(parts, "space picks several")
	}
	if f.Steps() > 1 {
		parts = append(parts, "enter goes on", "tab next")
	} else {
		parts = append(parts, "enter answers")
	}
	switch {
	case f.Input == nil:
		parts = append(parts, "esc declines", "m says why")
	case len(fd.Options) > 0:
		parts = append(parts, "esc goes back")
	default:
		parts = append(parts, "esc declines")
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
		case strings.HasPrefix(s, "esc "):
			out = s
		case s == "space picks several":
			front = append(front, "space picks")
		case s != "m says why" && s != "tab next": // the tabs stand above, and declining is an answer, too
			front = append(front, s)
		}
	}
	if out == "" {
		return hint
	}
	return m.Hints(strings.Join(append(front, out), " · "), w)
}
