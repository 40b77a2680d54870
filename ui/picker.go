package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

// picker is a list to choose from, filtered by what is typed. It takes the whole screen while it is open.
type picker struct {
	title, right string
	// gives are the columns that go first where there is no room, in that order; the others go from the last one on.
	gives []int
	// heads say what the columns are, where their words do not; the title row names those that are shown.
	heads []string
	// keys are the keys that work in it, for its last row.
	keys string
	// wait is what is being waited for, and trouble what went wrong; the list is empty then.
	wait, trouble string
	// none is said when there is nothing to choose from.
	none string
	// text explains the choice above the list; it is wrapped, never cut.
	text string

	filter style.LineInput
	all    []pickRow
	shown  []int // rows of all that match the filter
	at     int   // the selected one, as a position in shown
	top    int   // the first one on the screen

	// pick is called with the chosen row; refuse with one that cannot be chosen.
	pick func(m *Model, r pickRow) tea.Cmd
	// drop takes a row away where that can be done, nil otherwise.
	drop func(m *Model, r pickRow) tea.Cmd
	// move puts a row so many places further down, nil where they have an order of their own. The owner sets the rows anew.
	move func(m *Model, r pickRow, step int)
	// fork goes on in a copy of what a row names, nil where that cannot be done.
	fork func(m *Model, r pickRow) tea.Cmd
	// peek asks for the preview of a row; previews holds what came, by id.
	peek     func(m *Model, r pickRow) tea.Cmd
	previews map[string][]string
}

// pickRow is one thing to choose. Its texts were made visible.
type pickRow struct {
	id, group string
	cells     []string // the first is the name and gets the room the others leave
	also      string   // what else finds it, and is not shown
	off       string   // why it cannot be chosen, empty if it can
	mark      bool     // it is the one in use
}

// shown are the cells as they are shown: the one in use says so.
func (r pickRow) shown() []string {
	if !r.mark || len(r.cells) == 0 {
		return r.cells
	}
	return append([]string{r.cells[0] + " (in use)"}, r.cells[1:]...)
}

// setRows replaces what there is to choose from, and keeps the selection where it can.
func (p *picker) setRows(rows []pickRow) {
	id := ""
	if r, ok := p.selected(); ok {
		id = r.id
	}
	p.all, p.wait = rows, ""
	p.match()
	for i, n := range p.shown {
		if p.all[n].id == id && id != "" || id == "" && p.all[n].mark {
			p.at = i
		}
	}
}

// match filters the rows: best match first within each group, the groups in their order.
func (p *picker) match() {
	p.shown = p.shown[:0]
	p.at, p.top = 0, 0
	words := strings.TrimSpace(p.filter.String())
	if words == "" {
		for i := range p.all {
			p.shown = append(p.shown, i)
		}
		return
	}
	var groups []string
	by := map[string][]int{}
	for _, r := range p.all {
		if by[r.group] == nil {
			groups = append(groups, r.group)
			by[r.group] = []int{}
		}
	}
	for _, n := range filtered(p.all, words) {
		by[p.all[n].group] = append(by[p.all[n].group], n)
	}
	for _, g := range groups {
		p.shown = append(p.shown, by[g]...)
	}
}

func (p *picker) selected() (pickRow, bool) {
	if p.at < 0 || p.at >= len(p.shown) {
		return pickRow{}, false
	}
	return p.all[p.shown[p.at]], true
}

// key handles a key and reports whether the picker is to be closed.
func (p *picker) key(m *Model, k tea.KeyPressMsg) (closed bool, cmd tea.Cmd) {
	page := max(1, m.pickerHeight()-6)
	before := p.at
	switch k.String() {
	case "esc", "ctrl+c":
		return true, nil
	case "enter":
		r, ok := p.selected()
		if !ok || p.pick == nil {
			return false, nil
		}
		if r.off != "" {
			m.say(r.cells[0]+": "+r.off, true)
			return false, nil
		}
		return true, p.pick(m, r)
	case "ctrl+f":
		r, ok := p.selected()
		if p.fork == nil { // a key of the filter
			p.filter.Key(k.String(), keymap.Typed(k))
			return false, nil
		}
		if !ok {
			return false, nil
		}
		return true, p.fork(m, r)
	case "ctrl+x":
		r, ok := p.selected()
		if !ok || p.drop == nil {
			return false, nil
		}
		return true, p.drop(m, r)
	case "alt+up", "alt+down":
		if r, ok := p.selected(); ok && p.move != nil {
			p.move(m, r, map[string]int{"alt+up": -1, "alt+down": 1}[k.String()])
		}
		return false, nil
	case "up", "ctrl+p":
		p.at = max(0, p.at-1)
	case "down", "ctrl+n":
		p.at = min(max(0, len(p.shown)-1), p.at+1)
	case "pgup":
		p.at = max(0, p.at-page)
	case "pgdown":
		p.at = min(max(0, len(p.shown)-1), p.at+page)
	case "ctrl+home":
		p.at = 0
	case "ctrl+end":
		p.at = max(0, len(p.shown)-1)
	default:
		old := p.filter.String()
		if !p.filter.Key(k.String(), keymap.Typed(k)) {
			return false, nil
		}
		if p.filter.String() != old {
			p.match()
			before = -1
		}
	}
	if p.at != before {
		cmd = p.look(m)
	}
	return false, cmd
}

// look asks for the preview of the selected row.
func (p *picker) look(m *Model) tea.Cmd {
	r, ok := p.selected()
	if !ok || p.peek == nil || m.previewWidth() == 0 {
		return nil
	}
	if _, known := p.previews[r.id]; known {
		return nil
	}
	return p.peek(m, r)
}

// previewFrom is the width from which a preview has room beside the list, previewBelow the height from which it has room
// below the list otherwise.
const (
	previewFrom  = 100
	previewBelow = 20
)

// previewWidth is how wide a preview may be, 0 if there is no room for one.
func (m *Model) previewWidth() int {
	switch {
	case m.width >= previewFrom:
		return max(20, m.width/3)
	case m.cover() >= previewBelow:
		return max(20, m.width-4)
	}
	return 0
}

// textRows are the rows of the text above the list, with an empty one below them.
func (p *picker) textRows(ms style.Measure, w int) []string {
	if p.text == "" {
		return nil
	}
	rows := ms.Wrap(p.text, w)
	for i, row := range rows {
		rows[i] = "  " + row
	}
	return append(rows, "")
}

// pickerFrame is how many rows a picker has besides its list: title, filter, an empty one, keys.
const pickerFrame = 4

// listRows is how many rows the whole list has, with the headings of its groups.
func (p *picker) listRows() int {
	n, group := 0, ""
	for _, r := range p.all {
		if r.group != group {
			group, n = r.group, n+1
		}
		n++
	}
	return max(1, n)
}

// view lays the picker out in so many rows.
func (p *picker) view(l *style.Look, width, height int, notice string) (rows []string, cx, cy int) {
	th, ms := l.Theme, l.Measure
	w := width - 4
	text, at := p.filter.View(ms, w)
	listW := w
	split := p.peek != nil && width >= previewFrom
	if split {
		listW = w * 2 / 3
	}
	rows = append(rows, "  "+ms.Spread(th.Bold.Of(p.title), th.Dim.Of(p.about(ms, listW)), w), th.Accent.Of(">")+" "+text)
	said := p.textRows(ms, w)
	rows = append(rows, said...)
	listH := max(1, height-pickerFrame-len(said))
	under := p.peek != nil && !split && height >= previewBelow
	if under {
		listH = listH * 3 / 5
	}
	body := p.list(l, listW, listH)
	switch {
	case split:
		body = p.beside(l, body, listW, w-listW-3, listH)
	case under:
		body = p.beneath(l, body, w, listH, height-pickerFrame)
	}
	rows = append(rows, body...)
	for len(rows) < height-1 {
		rows = append(rows, "")
	}
	foot := th.Dim.Of(ms.Hints(p.keys, w))
	if notice != "" {
		foot = th.Warn.Of(ms.Clip(notice, w))
	}
	return append(rows, "  "+ms.Clip(foot, w)), 2 + at, 1
}

// about stands at the right of the title: what the columns are that are shown, or what the picker's owner says.
func (p *picker) about(ms style.Measure, w int) string {
	if len(p.heads) == 0 || len(p.shown) == 0 {
		return p.right
	}
	var shown []string
	for i, width := range p.columns(ms, w-2) {
		if i < len(p.heads) && p.heads[i] != "" && width > 0 {
			shown = append(shown, p.heads[i])
		}
	}
	return strings.Join(shown, " · ")
}

// list is the rows of the list that fit into h rows, with the headings of their groups.
func (p *picker) list(l *style.Look, w, h int) []string {
	th, ms := l.Theme, l.Measure
	switch {
	case p.trouble != "":
		return style.Gutter(th.Warn.Of("!"), ms.Wrap(p.trouble, w-2))
	case p.wait != "":
		return []string{"  " + th.Dim.Of(p.wait)}
	case len(p.all) == 0:
		return []string{"  " + th.Dim.Of(p.none)}
	case len(p.shown) == 0:
		return []string{"  " + th.Dim.Of("nothing matches")}
	}
	widths := p.columns(ms, w-2)
	var all []string
	selected := 0
	group := ""
	for i, n := range p.shown {
		r := p.all[n]
		if r.group != group {
			group = r.group
			all = append(all, "  "+th.Dim.Of(ms.Clip(group, w)))
		}
		if i == p.at {
			selected = len(all)
		}
		all = append(all, p.row(l, r, i == p.at, widths, w))
	}
	p.top = min(max(p.top, selected-h+1), selected)
	if selected == 1 && p.top == 1 && group != "" {
		p.top = 0 // the heading of the first group
	}
	p.top = max(0, min(p.top, len(all)-h))
	return all[p.top:min(len(all), p.top+h)]
}

// row is one row of the list.
func (p *picker) row(l *style.Look, r pickRow, selected bool, widths []int, w int) string {
	ms := l.Measure
	var b strings.Builder
	for i, c := range r.shown() {
		if i >= len(widths) || widths[i] == 0 {
			continue
		}
		if i > 0 {
			b.WriteString("  ")
		}
		if i == 1 && r.off != "" { // the reason takes the place of what follows the name
			b.WriteString(r.off)
			break
		}
		b.WriteString(ms.Pad(c, widths[i]))
	}
	text := strings.TrimRight(b.String(), " ")
	lead := "    "
	st := style.Style("")
	switch {
	case selected:
		lead, st = "  ❯ ", l.Theme.Chosen
	case r.off != "":
		st = l.Theme.Dim
	}
	return st.Of(lead) + st.Of(ms.Clip(text, w-2))
}

// columns decides how wide each column is. Where there is no room some of them go.
func (p *picker) columns(ms style.Measure, w int) []int {
	n := 0
	for _, r := range p.all {
		n = max(n, len(r.cells))
	}
	widths := make([]int, n)
	for _, i := range p.shown {
		for c, s := range p.all[i].shown() {
			widths[c] = max(widths[c], min(ms.Width(s), 48))
		}
	}
	total := func() int {
		t := -2
		for _, x := range widths {
			if x > 0 {
				t += x + 2
			}
		}
		return t
	}
	name := widths[0]
	widths[0] = min(name, 24)
	order := slices.Clone(p.gives)
	for c := n - 1; c > 0; c-- {
		order = append(order, c)
	}
	for _, c := range order {
		if total() > w && c < n {
			widths[c] = 0
		}
	}
	widths[0] = min(name, max(8, widths[0]+w-total())) // what is left over is the name's
	return widths
}

// beneath puts the end of the preview of the selected row below the list.
func (p *picker) beneath(l *style.Look, list []string, w, listH, h int) []string {
	rows := append([]string(nil), list...)
	for len(rows) < listH {
		rows = append(rows, "")
	}
	rows = append(rows, "  "+l.Theme.Dim.Of(strings.Repeat("┄", w)))
	r, ok := p.selected()
	prev := p.previews[r.id]
	if !ok {
		prev = nil
	}
	for _, row := range prev[max(0, len(prev)-(h-len(rows))):] {
		rows = append(rows, "  "+l.Theme.Dim.Of(l.Measure.Clip(row, w)))
	}
	return rows
}

// beside puts the preview of the selected row right of the list.
func (p *picker) beside(l *style.Look, list []string, listW, w, h int) []string {
	var prev []string
	if r, ok := p.selected(); ok {
		prev = p.previews[r.id]
	}
	if len(prev) > h {
		prev = prev[len(prev)-h:]
	}
	rows := make([]string, h)
	for i := range rows {
		left := ""
		if i < len(list) {
			left = list[i]
		}
		right := ""
		if i < len(prev) {
			right = l.Theme.Dim.Of(l.Measure.Clip(prev[i], w))
		}
		rows[i] = l.Measure.Pad(left, listW+2) + " " + l.Theme.Dim.Of("┆") + " " + right
	}
	return rows
}
