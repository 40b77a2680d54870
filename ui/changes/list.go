package changes

import (
	"fmt"
	"strings"

	"parley/internal/human"
	"parley/session/changes"
	"parley/ui/changes/listing"
	"parley/ui/style"
)

// list is the changes as rows to choose from, each one row high.
type list struct {
	rows []listing.Row
	at   int // the selected row
	top  int // the first row on the screen
	// left says why files stayed as they are when they were last undone, by path.
	left map[string]string
}

// selected returns the selected row, nil if there are none.
func (l *list) selected() *listing.Row {
	if l.at < 0 || l.at >= len(l.rows) {
		return nil
	}
	return &l.rows[l.at]
}

// set replaces the rows, and keeps the selection on the same row, else on one of the same file, else in its place.
func (l *list) set(rows []listing.Row) {
	was := l.selected()
	l.rows = rows
	if was == nil {
		l.at, l.top = 0, 0
		return
	}
	key, path, turn := was.Key, was.Path, was.Turn
	near := -1
	for i, r := range rows {
		if r.Key == key {
			l.at = i
			return
		}
		if near < 0 && (path != "" && r.Path == path || path == "" && turn != "" && r.Turn == turn) {
			near = i
		}
	}
	if near >= 0 {
		l.at = near
	}
	l.at = max(0, min(l.at, len(rows)-1))
}

// find selects the first row that fits, and reports whether there is one.
func (l *list) find(fits func(listing.Row) bool) bool {
	for i, r := range l.rows {
		if fits(r) {
			l.at = i
			return true
		}
	}
	return false
}

// move moves the selection by so many rows.
func (l *list) move(by int) { l.at = max(0, min(l.at+by, len(l.rows)-1)) }

// jump selects the next row that is a head, or the previous one for a negative step.
func (l *list) jump(step int) {
	for i := l.at + step; i >= 0 && i < len(l.rows); i += step {
		if !l.rows[i].Under {
			l.at = i
			return
		}
	}
}

// view draws rows of a list.
type view struct {
	look  *style.Look
	names listing.Names
	diffs *diffs
	left  map[string]string
}

// layout returns at most height rows of the list in w columns. Only these are looked at.
func (l *list) layout(v view, w, height int, focused bool) []string {
	l.top = max(0, min(l.top, l.at, len(l.rows)-height))
	if l.at >= l.top+height {
		l.top = l.at - height + 1
	}
	if l.top == l.at && l.at > 0 && l.rows[l.at].Under && !l.rows[l.at-1].Under && height > 2 {
		l.top-- // the head of its group
	}
	var rows []string
	for i := l.top; i < len(l.rows) && len(rows) < height; i++ {
		rows = append(rows, v.row(&l.rows[i], i == l.at, focused, w))
	}
	return rows
}

// row draws a row: its mark, its name, who made it, and how many lines it adds and removes.
func (v view) row(r *listing.Row, selected, focused bool, w int) string {
	th, ms := v.look.Theme, v.look.Measure
	lead, name := "  ", func(s string) string { return s }
	switch {
	case selected && focused:
		lead, name = th.Accent.Of("❯")+" ", th.Chosen.Over
	case selected:
		lead, name = th.Dim.Of("❯")+" ", th.Bold.Over
	case !r.Under:
		name = th.Bold.Over
	}
	if r.Under {
		lead += "  "
	}
	lead += v.mark(r) + " "
	right := v.counts(r)
	room := w - ms.Width(lead) - 1
	if right != "" {
		room -= ms.Width(right) + 1
	}
	text, rest := v.name(r, room)
	row := lead + name(text) + th.Dim.Of(rest)
	row = ms.Spread(row, right, max(1, w-1))
	if selected && focused {
		row = th.Lift(row, w, ms)
	}
	return row
}

// name returns what a row is called in room columns, and what follows it in less.
func (v view) name(r *listing.Row, room int) (text, rest string) {
	ms := v.look.Measure
	clean := func(s string) string { return style.Visible(style.OneLine(s)) }
	switch {
	case r.Path == "" || r.Under && !strings.HasPrefix(r.Key, "turn "):
		text, rest = "Turn "+human.Number(r.Number), clean(r.Prompt)
		if r.Number == 0 {
			text = "Outside of turns"
		}
	default:
		text, rest = ms.ClipMiddle(clean(v.names.Short(r.Path)), room), ms.Clip(clean(r.By), maxBy)
	}
	if r.Path != "" {
		switch why := v.left[r.Path]; {
		case why != "":
			rest = clean(why)
		case rest == "" && r.Fixed(r.Path) != "":
			rest = "can't be undone"
		}
	}
	left := room - ms.Width(text) - 2
	if rest == "" || left < 6 {
		return ms.Clip(text, room), ""
	}
	return text, "  " + ms.Clip(rest, left)
}

// maxBy is the most columns of a command in a row of the list: the difference has all of it.
const maxBy = 32

// mark returns the sign of what the user's choices left of a row.
func (v view) mark(r *listing.Row) string {
	th := v.look.Theme
	if v.left[r.Path] != "" && r.Path != "" {
		return th.Warn.Of("!")
	}
	switch r.Status() {
	case changes.Open:
		return th.Accent.Of("●")
	case changes.Accepted:
		return th.Good.Of("✓")
	}
	return th.Dim.Of("↶")
}

// maxSpans is the most differences that a row adds up. Beyond, its number of files says enough.
const maxSpans = 200

// counts returns how many files a turn changed and how many lines were added and removed if that is known.
func (v view) counts(r *listing.Row) string {
	th := v.look.Theme
	files := ""
	if r.Path == "" {
		files = human.Count(r.Files, "file", "files")
	}
	if r.Path == "" && r.Files > maxSpans {
		return th.Dim.Of(files)
	}
	added, removed, ok := 0, 0, true
	for _, s := range r.Spans() {
		a, d, known := v.diffs.count(s)
		added, removed, ok = added+a, removed+d, ok && known
	}
	if !ok {
		return th.Dim.Of(files)
	}
	lines := th.Good.Of(fmt.Sprintf("+%d", added)) + " " + th.Bad.Of(fmt.Sprintf("-%d", removed))
	if added+removed == 0 {
		lines = ""
	}
	if files != "" && lines != "" {
		return th.Dim.Of(files) + " " + lines
	}
	return th.Dim.Of(files) + lines
}
