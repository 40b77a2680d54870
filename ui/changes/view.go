package changes

import (
	"strings"

	"parley/internal/human"
	"parley/session/changes"
	"parley/ui/changes/listing"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// From how many columns on the difference stands beside the list, and lines can stand side by side.
const (
	besideFrom = 110
	splitFrom  = 100
)

// In a narrower window words are shorter, and in a lower one there is no empty row.
const (
	shortUnder = 60
	airFrom    = 20
)

// minBody is the least number of rows for the list and the difference.
const minBody = 4

// place is where the parts of the last frame are.
type place struct {
	listTop, listRows, listWidth         int
	paneTop, paneLeft, paneRows, paneEnd int
	choices                              int // the row in which the choices of a question begin
}

// inPane reports whether a cell is in the difference.
func (p place) inPane(x, y int) bool {
	return p.paneRows > 0 && y >= p.paneTop && y < p.paneTop+p.paneRows && x >= p.paneLeft && x < p.paneEnd
}

// Draw returns the panel in so many rows. It draws no cursor.
func (m *model) Draw(width, height int) panel.Frame {
	return panel.Frame{Rows: m.rows(width, height), Y: -1}
}

func (m *model) rows(width, height int) []string {
	l := m.o.Look
	th, ms := l.Theme, l.Measure
	m.width, m.place = width, place{}
	foot := m.footRows(width, height)
	var rows []string
	if m.ask != nil {
		rows, m.place.choices = m.ask.rows(l, width, height-len(foot)+1)
		return append(rows[:min(len(rows), height-len(foot))], foot...)
	}
	rows = append(rows, m.head(width))
	if height >= airFrom {
		rows = append(rows, "")
	}
	room := height - len(rows) - len(foot)
	switch text := m.instead(); {
	case text != "":
		rows = append(rows, "")
		for _, s := range ms.Wrap(text, width-4) {
			rows = append(rows, "  "+th.Dim.Of(ms.Clip(s, width-4)))
		}
	default:
		rows = append(rows, m.body(width, room, len(rows))...)
	}
	rows = rows[:min(len(rows), height-len(foot))]
	for len(rows) < height-len(foot) {
		rows = append(rows, "")
	}
	return append(rows, foot...)
}

// instead returns what is shown instead of rows, "" if there are some.
func (m *model) instead() string {
	switch {
	case m.trouble != "":
		return "Couldn't read the changes of this session: " + style.Visible(m.trouble)
	case !m.loaded:
		return "reading the changes…"
	case len(m.list.rows) == 0:
		return "No file was changed in this session."
	}
	return ""
}

// head returns the first row.
func (m *model) head(width int) string {
	th, ms := m.o.Look.Theme, m.o.Look.Measure
	var right []string
	if m.loaded && len(m.all) > 0 {
		if m.open > 0 {
			many := human.Count(m.open, "file", "files")
			if width < shortUnder {
				many = human.Number(m.open)
			}
			right = append(right, many+" changed")
		}
		right = append(right, map[bool]string{true: "by file", false: "by turn"}[m.byFile])
	}
	if m.busy != "" {
		right = []string{m.busy}
	}
	return "  " + ms.Spread(th.Bold.Of("Changes"), th.Dim.Of(strings.Join(right, " · ")), width-4)
}

// body returns the list and the difference in room rows, the first of which is row top of the panel.
func (m *model) body(width, room, top int) []string {
	split := m.split && width >= splitFrom
	m.full = m.reads && (width < besideFrom || split)
	if room < minBody {
		return nil // the list of keys needs it
	}
	v := view{m.o.Look, m.o.Names, &m.diffs, m.list.left}
	th := m.o.Look.Theme
	switch {
	case m.full:
		m.place.paneTop, m.place.paneRows, m.place.paneLeft, m.place.paneEnd = top, room, 0, width
		m.pane.size(width-4, room)
		m.show(split)
		rows := m.pane.rows()
		for i := range rows {
			rows[i] = "  " + rows[i]
		}
		return rows
	case width >= besideFrom:
		listW := max(44, min(width*2/5, 64))
		m.place.listTop, m.place.listRows, m.place.listWidth = top, room, listW
		m.place.paneTop, m.place.paneRows, m.place.paneLeft, m.place.paneEnd = top, room, listW+3, width
		m.pane.size(width-listW-5, room)
		m.show(false)
		list, pane := m.list.layout(v, listW, room, !m.reads), m.pane.rows()
		bar := th.Dim.Of("│")
		if m.reads {
			bar = th.Accent.Of("│")
		}
		rows := make([]string, room)
		for i := range rows {
			left, right := "", ""
			if i < len(list) {
				left = list[i]
			}
			if i < len(pane) {
				right = pane[i]
			}
			rows[i] = m.o.Look.Measure.Pad(left, listW) + " " + bar + " " + right
		}
		return rows
	}
	listH := min(len(m.list.rows), max(3, room*2/5))
	paneH := max(0, room-listH-1)
	m.place.listTop, m.place.listRows, m.place.listWidth = top, listH, width
	m.place.paneTop, m.place.paneRows, m.place.paneLeft, m.place.paneEnd = top+listH+1, paneH, 0, width
	m.pane.size(width-4, paneH)
	m.show(false)
	rows := m.list.layout(v, width-1, listH, true)
	rows = append(rows, th.Dim.Of(style.Rule(width)))
	for _, s := range m.pane.rows() {
		rows = append(rows, "  "+s)
	}
	return rows
}

// show puts the difference of the selected row into the pane, unless it is there.
func (m *model) show(split bool) {
	r := m.list.selected()
	if r == nil || m.shownKey == r.Key && m.shownSplit == split {
		return
	}
	m.shownKey, m.shownSplit = r.Key, split
	var all []section
	for _, s := range r.Spans() {
		all = append(all, section{span: s, head: m.fileHead(*r, s)})
	}
	m.pane.set(all, split)
}

// fileHead returns the function that draws the head of a file's difference: its name, what became of it, and why it cannot
// be undone.
func (m *model) fileHead(r listing.Row, s listing.Span) func(int) []string {
	one := r
	one.Changes = nil
	for _, c := range r.Changes {
		if c.Path == s.Path {
			one.Changes = append(one.Changes, c)
		}
	}
	var notes []string
	switch one.Status() {
	case changes.Accepted:
		notes = append(notes, "kept")
	case changes.Undone:
		notes = append(notes, "undone")
	}
	if what := happened(s); what != "" {
		notes = append(notes, what)
	}
	if who := m.o.Names.By(one); who != "" {
		notes = append(notes, who)
	}
	why := one.Fixed(s.Path)
	plain := m.title(s.Path, strings.Join(notes, " · "), false)
	th, ms := &m.o.Look.Theme, m.o.Look.Measure
	return func(width int) []string {
		rows := plain(width)
		if why == "" {
			return rows
		}
		for _, row := range ms.Wrap(style.Visible("Can't be undone: "+style.OneLine(why)), width) {
			rows = append(rows, th.Warn.Of(ms.Clip(row, width)))
		}
		return rows
	}
}

// footRows returns the last rows: the keys that work.
func (m *model) footRows(width, height int) []string {
	th, ms := m.o.Look.Theme, m.o.Look.Measure
	if m.keys && m.ask == nil {
		return append([]string{th.Dim.Of(style.Rule(width))}, m.keyRows(width, max(2, height-2))...)
	}
	return []string{"  " + th.Dim.Of(ms.Hints(m.hints(), width-4))}
}

// hints are the keys that matter now, the last of which is how to leave.
func (m *model) hints() string {
	switch {
	case m.ask != nil:
		return "↑↓ choose · enter do it · pgup pgdn scroll · esc leave it"
	case len(m.list.rows) == 0:
		return "esc close"
	case m.reads:
		how := "s side by side"
		if m.shownSplit {
			how = "s unified"
		}
		return "↑↓ scroll · n p changes · a keep · x undo what is not kept · u undo · r redo · ? keys · " + how + " · e editor · esc list"
	}
	other := "tab by file"
	if m.byFile {
		other = "tab by turn"
	}
	return "enter read · a keep · u undo · r redo · ? keys · " + other + " · s side by side · e editor · y path · esc close"
}

// keyRows returns at most so many rows of all keys of the panel, in columns.
func (m *model) keyRows(width, most int) (rows []string) {
	th, ms := m.o.Look.Theme, m.o.Look.Measure
	editor := "e"
	if k := m.o.Keys.Key(keymap.Editor); k != "" {
		editor += " " + k
	}
	keys := [][2]string{{"a", "keep"}, {"x", "undo what is not kept"}, {"u", "undo, kept or not"}, {"r", "redo what was undone"},
		{"enter", "read the difference"}, {"n p", "next and previous change"}, {"tab", "by turn, or by file"}, {"s", "side by side, or unified"},
		{editor, "open in your editor"}, {"y", "copy the path"}, {"esc", "back, close"}, {"↑ ↓", "choose a row, or scroll"}}
	const column = 38
	columns := max(1, (width-4)/column)
	high := (len(keys) + columns - 1) / columns
	for y := range min(high, most) {
		row := ""
		for x := range columns {
			if i := x*high + y; i < len(keys) {
				row += ms.Pad(th.Accent.Of(ms.Pad(keys[i][0], 9))+th.Dim.Of(keys[i][1]), min(column, width-4))
			}
		}
		rows = append(rows, "  "+ms.Clip(strings.TrimRight(row, " "), width-4))
	}
	return rows
}

// happened returns what a difference did besides changing lines, "" for nothing.
func happened(s listing.Span) string { return listing.Happened(s) }

// nothingBetween returns what to say of a difference without lines.
func nothingBetween(s listing.Span) string {
	if s.From.Same(s.To) {
		return "It is as it was before."
	}
	if what := listing.Happened(s); what != "" {
		return strings.ToUpper(what[:1]) + what[1:] + "."
	}
	return "No line was changed."
}
