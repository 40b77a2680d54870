package delegate

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/human"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// The height from which the form has blank rows and names files, in at most so many rows.
const (
	airFrom  = 18
	maxFiles = 3
)

const title = "Hand over to GitHub"

// labels are the names of the fields.
var labels = map[field]string{repository: "Repository", base: "Base branch", agent: "Custom agent", work: "Not on GitHub", after: "Then"}

// Draw returns at most height rows. Its hints are in the last.
func (f *form) Draw(width, height int) (drawn panel.Frame) {
	drawn.Rows, drawn.X, drawn.Y = f.rows(width, height)
	return drawn
}

func (f *form) rows(width, height int) (rows []string, cx, cy int) {
	l := f.o.Look
	th, ms, w := l.Theme, l.Measure, max(8, width-4)
	air := height >= airFrom
	below, bx, by := f.fieldRows(w, air)
	foot := f.footRows(w)
	if air {
		below, by = append([]string{""}, below...), by+1
		foot = append([]string{""}, foot...)
	}
	room := height - 2 - len(below) - len(foot)
	if air {
		room--
	}
	if room < 1 { // the field that is written stays
		room = 1
		from := max(0, min(by, len(below)-1))
		below = below[from:min(len(below), from+max(1, height-3-len(foot)))]
		by -= from
	}
	rows = append(rows, "  "+ms.Spread(th.Bold.Of(title), th.Dim.Of(ms.Clip(f.state(), max(0, w-len(title)-2))), w))
	if air {
		rows = append(rows, "")
	}
	text, tx, ty := f.textRows(w, room)
	cx, cy = -1, -1
	if f.at == statement {
		cx, cy = tx, len(rows)+ty
	}
	rows = append(rows, text...)
	if by >= 0 && bx >= 0 {
		cx, cy = bx, len(rows)+by
	}
	rows = append(append(rows, below...), foot...)
	if over := len(rows) - height; over > 0 { // which keys work stays
		rows = append(rows[:height-len(foot)], foot...)
	}
	if f.phase == pushing || cy >= height {
		cx, cy = -1, -1
	}
	return rows[:min(len(rows), height)], cx, cy
}

// state says what the form waits for.
func (f *form) state() string {
	switch {
	case f.phase == summarizing:
		return "the agent writes the statement…"
	case f.phase == pushing:
		return "pushing " + f.draft.Branch() + "…"
	case !f.looked:
		return "looking at the repository…"
	}
	return f.note
}

// textRows returns the statement in height rows and its head, and the cell of the cursor among them.
func (f *form) textRows(w, height int) (rows []string, cx, cy int) {
	th, ms := f.o.Look.Theme, f.o.Look.Measure
	f.text.SetWidthMethod(ms.Method == ansi.GraphemeWidth)
	f.text.SetSize(max(2, w-3), height)
	v := f.text.View()
	line, of := f.text.Position()
	where := ""
	if v.Above || v.Below {
		where = "line " + human.Number(line) + " of " + human.Number(of)
	}
	rows = []string{"  " + ms.Spread(f.label("Problem statement", statement, 0), th.Dim.Of(where), w)}
	bar := th.Dim
	if f.at == statement {
		bar = th.Accent
	}
	for _, r := range v.Rows {
		rows = append(rows, "  "+bar.Of("│")+" "+r)
	}
	return rows, 4 + v.X, 1 + v.Y
}

// label returns the name of a field, marked if the keys go to it.
func (f *form) label(name string, at field, width int) string {
	th := f.o.Look.Theme
	if width > 0 {
		name = f.o.Look.Measure.Pad(name, width)
	}
	if f.at == at {
		return th.Chosen.Of(name)
	}
	return th.Dim.Of(name)
}

// fieldRows returns the fields below the statement, with the names of files if there is room for them, and the cell of the cursor among them, -1, -1 for none.
func (f *form) fieldRows(w int, files bool) (rows []string, cx, cy int) {
	th, ms := f.o.Look.Theme, f.o.Look.Measure
	const wide = 14
	cx, cy = -1, -1
	d := f.current()
	for _, at := range f.fields()[1:] {
		lead := "  " + f.label(labels[at], at, wide) + "  "
		room := max(2, w-wide-2)
		switch {
		case at == work:
			rows = append(rows, lead+ms.Clip(style.Visible(d.Missing()), room))
			rows = append(rows, f.workRows(w, wide, files)...)
		case at == after:
			value := "stay in this chat"
			if f.open {
				value = "open it here"
			}
			rows = append(rows, lead+f.turn(value, at))
		case at == base && d.Send != nil:
			rows = append(rows, lead+ms.Clip(style.Visible(d.Branch()), max(2, room-5))+th.Dim.Of(" new"))
		default:
			text, x := f.lines[at].View(ms, room)
			if f.at == at {
				cx, cy = 2+wide+2+x, len(rows)
			} else if text == "" {
				text = th.Dim.Of(map[field]string{repository: "owner/name", base: "the default branch", agent: "none"}[at])
			}
			rows = append(rows, lead+text)
		}
	}
	return rows, cx, cy
}

// turn returns a value that the arrow keys change.
func (f *form) turn(value string, at field) string {
	if f.at != at {
		return value
	}
	return f.o.Look.Theme.Dim.Of("‹ ") + value + f.o.Look.Theme.Dim.Of(" ›")
}

// workRows returns what becomes of the work that is only here, with the names of the files if there is room for them.
func (f *form) workRows(w, wide int, files bool) (rows []string) {
	th, ms := f.o.Look.Theme, f.o.Look.Measure
	lead := strings.Repeat(" ", 2+wide+2)
	room := max(2, w-wide-2)
	value := f.draft.Choices()[f.draft.At()].Label
	rows = append(rows, lead+f.turn(ms.Clip(value, max(2, room-4)), work))
	names := f.draft.Names()
	if len(names) == 0 || !files {
		return rows
	}
	shown := ms.Wrap(style.Visible(style.OneLine(strings.Join(names[:min(len(names), 40)], "  "))), room)
	if len(shown) > maxFiles || len(names) > 40 {
		shown = shown[:min(len(shown), maxFiles)]
		last := &shown[len(shown)-1]
		*last = ms.Clip(*last, max(1, room-2)) + " …"
	}
	for _, s := range shown {
		rows = append(rows, lead+th.Dim.Of(s))
	}
	return rows
}

// footRows returns what is wrong, and which keys work.
func (f *form) footRows(w int) (rows []string) {
	th, ms := f.o.Look.Theme, f.o.Look.Measure
	if f.trouble != "" {
		for _, s := range ms.Wrap("! "+f.trouble, w) {
			rows = append(rows, "  "+th.Warn.Of(s))
		}
	}
	return append(rows, "  "+th.Dim.Of(ms.Hints(f.hint(), w)))
}

// hint returns which keys work.
func (f *form) hint() string {
	key := cmp.Or(f.o.Keys.Key(keymap.Steer), handKey)
	switch f.phase {
	case pushing:
		return "esc to stop the push"
	case summarizing:
		return key + " hands it over · esc lets you write it"
	}
	hint := key + " hands it over · tab next field"
	switch f.at {
	case statement:
		if key := f.o.Keys.Key(keymap.Editor); key != "" {
			hint += " · " + key + " your editor"
		}
	case work, after:
		hint += " · ← → changes"
	}
	return hint + " · esc back"
}
