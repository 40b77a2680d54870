package background

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// place is where the parts of the last frame are.
type place struct {
	listRows          int
	rowAt             map[int]int // entries by the row of the panel
	paneTop, paneRows int
}

// In a lower window there is no empty row, and no output below the list.
const (
	airFrom  = 20
	paneFrom = 14
)

// Draw returns the panel in so many rows.
func (m *model) Draw(width, height int) panel.Frame {
	m.list()
	l := m.o.Look
	m.place = place{rowAt: map[int]int{}}
	foot, cx := m.foot(width)
	rows := []string{m.head(width)}
	if height >= airFrom {
		rows = append(rows, "")
	}
	room := max(0, height-len(rows)-len(foot))
	e := m.selected()
	switch {
	case e == nil:
		rows = append(rows, "", "  "+l.Theme.Dim.Of(l.Measure.Clip("Nothing runs in the background.", width-4)))
	case m.reads:
		rows = append(rows, m.title(*e, width))
		rows = m.output(rows, e.Work, width, room-1)
	default:
		rows = m.listed(rows, width, room)
		if left := height - len(foot) - len(rows); height >= paneFrom && left >= 4 {
			rows = append(rows, l.Theme.Dim.Of(style.Rule(width)))
			rows = m.output(rows, e.Work, width, left-1)
		}
	}
	rows = rows[:min(len(rows), height-len(foot))]
	for len(rows) < height-len(foot) {
		rows = append(rows, "")
	}
	cy := -1
	if cx >= 0 {
		cy = len(rows)
	}
	return panel.Frame{Rows: append(rows, foot...), X: cx, Y: cy, Writes: cx >= 0 || m.stop != (session.Work{})}
}

// head returns the first row.
func (m *model) head(width int) string {
	th, ms := m.o.Look.Theme, m.o.Look.Measure
	n := 0
	for _, e := range m.rows {
		if e.where == inBackground {
			n++
		}
	}
	return "  " + ms.Spread(th.Bold.Of("Background"), th.Dim.Of(human.Number(n)+" running"), width-4)
}

// groups are the headings of the parts of the list.
var groups = map[where]string{inBackground: "in the background", front: "in this turn", over: "ended"}

// listed appends the list in at most room rows, the selected one among them.
func (m *model) listed(rows []string, width, room int) []string {
	th := m.o.Look.Theme
	var all []string
	at := map[int]int{}
	first, last := 0, where(-1)
	for i, e := range m.rows {
		if e.where != last {
			last = e.where
			all = append(all, "  "+th.Dim.Of(groups[e.where]))
		}
		if i == m.at {
			first = len(all)
		}
		at[len(all)] = i
		all = append(all, m.row(e, i == m.at, width))
	}
	most := room
	if room >= paneFrom-4 { // the output gets the other half
		most = max(4, room/2)
	}
	top := max(0, min(first-most+1, len(all)-most))
	if first == 1 {
		top = 0
	}
	shown := all[top:min(len(all), top+most)]
	for y := range shown {
		if i, ok := at[top+y]; ok {
			m.place.rowAt[len(rows)+y] = i
		}
	}
	m.place.listRows = len(shown)
	return append(rows, shown...)
}

// row returns a row of the list: kind, what it is, its last line, how long.
func (m *model) row(e entry, chosen bool, width int) string {
	th, ms := m.o.Look.Theme, m.o.Look.Measure
	mark := "  "
	if chosen {
		mark = th.Accent.Of("❯") + " "
	}
	right := m.state(e)
	room := width - 6 - ms.Width(right) - 2
	label := ms.Clip(core.WorkLabel(e.Work, m.o.Dir), room)
	left := th.Dim.Of(core.WorkIcon(e.Work)) + " " + th.Bold.Of(label)
	if rest := room - ms.Width(label) - 2; rest >= 12 {
		if line := lastLine(e.Work); line != "" {
			left += "  " + th.Dim.Of(ms.Clip(line, rest))
		}
	}
	style := th.Dim
	if e.where == over && core.WorkFailed(e.Work) {
		style = th.Bad
	}
	row := mark + ms.Spread(left, style.Of(right), width-4)
	if chosen {
		row = th.Lift(row, width-2, ms)
	}
	return row
}

// state returns how long something runs, or how it ended.
func (m *model) state(e entry) string {
	if e.where == over {
		s := core.WorkState(e.Work)
		if e.Tool != nil && e.Tool.Duration >= style.Noticeable {
			s += ", " + human.Seconds(e.Tool.Duration)
		}
		return s
	}
	since := e.Since()
	if since.IsZero() {
		return ""
	}
	return human.Seconds(max(0, m.o.Look.Now().Sub(since)))
}

// lastLine returns the last line of the output with anything in it, visible; of a child agent the call it makes.
func lastLine(w session.Work) string {
	if c := w.Child; c != nil {
		for i := len(c.Entries) - 1; i >= 0; i-- {
			switch e := c.Entries[i].(type) {
			case *session.Tool:
				return core.WorkLabel(session.Work{Tool: e}, "")
			case *session.Part:
				if e.Kind == session.PartText && e.Len() > 0 {
					return style.Visible(style.OneLine(strings.TrimSpace(e.Text())))
				}
			}
		}
		return ""
	}
	text, _ := style.LastLines(strings.TrimRight(core.WorkOutput(w), "\n"), 1)
	return style.Visible(style.OneLine(strings.TrimSpace(style.PlainOutput(text))))
}

// title returns the row above the output that is read.
func (m *model) title(e entry, width int) string {
	th, ms := m.o.Look.Theme, m.o.Look.Measure
	right := m.state(e)
	if m.pane.away {
		right = "more below · end follows"
	}
	left := ms.Clip(core.WorkIcon(e.Work)+" "+core.WorkLabel(e.Work, m.o.Dir), max(8, width-6-ms.Width(right)))
	return "  " + ms.Spread(th.Bold.Of(left), th.Dim.Of(right), width-4)
}

// output appends the output of work in room rows.
func (m *model) output(rows []string, w session.Work, width, room int) []string {
	if room <= 0 {
		return rows
	}
	m.place.paneTop, m.place.paneRows = len(rows), room
	m.pane.show(w, width-4, room)
	shown := m.pane.frame()
	if len(m.pane.rows) == 0 {
		shown = []string{m.o.Look.Theme.Dim.Of("no output yet")}
		if w.Child == nil && w.Tool.Ended && !w.Tool.Result.Background {
			shown[0] = m.o.Look.Theme.Dim.Of("no output")
		}
	}
	for _, r := range shown {
		rows = append(rows, "  "+r)
	}
	return rows
}

// foot returns the last row, and the column of the cursor in it, -1 for none.
func (m *model) foot(width int) (rows []string, cx int) {
	th, ms := m.o.Look.Theme, m.o.Look.Measure
	switch {
	case m.write != nil:
		to := ms.Clip("to "+core.WorkLabel(session.Work{Child: m.to}, m.o.Dir), max(8, width/3)) + " > "
		m.write.SetSize(max(1, width-4-ms.Width(to)), 1)
		v := m.write.View()
		text := ""
		if len(v.Rows) > 0 {
			text = v.Rows[0]
		}
		return []string{"  " + th.Accent.Of(to) + text}, 2 + ms.Width(to) + v.X
	case m.pane.find.typing:
		text := "/" + style.Visible(m.pane.find.words)
		return []string{"  " + text}, 2 + ms.Width(text)
	case m.stop != (session.Work{}):
		return []string{"  " + th.Warn.Of(ms.Clip("x to stop it, and lose what it has not reported · esc to leave it running", width-4))}, -1
	}
	return []string{"  " + th.Dim.Of(ms.Clip(m.keys(width), width-4))}, -1
}

// keys returns the keys that work now.
func (m *model) keys(width int) string {
	e, can := m.selected(), m.can()
	if e == nil {
		return "esc close"
	}
	var parts []string
	switch {
	case m.reads:
		parts = append(parts, "/ finds", "end follows")
	case e.Child != nil:
		parts = append(parts, "enter open")
	default:
		parts = append(parts, "enter reads")
	}
	if can.stop {
		parts = append(parts, "x stop")
	}
	if can.background {
		parts = append(parts, "b to the background")
	}
	if can.write {
		parts = append(parts, map[bool]string{true: "m resume with a message", false: "m write to it"}[e.where == over])
	}
	if width >= 60 && !m.reads && e.Tool != nil {
		parts = append(parts, "y copy")
	}
	if m.reads {
		return strings.Join(append(parts, "esc back"), " · ")
	}
	return strings.Join(append(parts, "esc close"), " · ")
}
