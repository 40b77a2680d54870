package paint

import (
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// inline paints a frame below what is on the normal screen, and only as many rows as the frame has. What is finished is
// written above it once and never touched again, so that it is the terminal's own: it scrolls, can be searched and
// selected, and stays when the program ends.
//
// Where on the screen the frame is, is not known. All moves are therefore relative to the row of the cursor, and new rows
// come by line feeds, which scroll at the bottom. It uses the screen's buffer, pen and reader, and nothing else of it.
type inline struct {
	*screen
	reflows bool // the terminal breaks rows anew when it gets narrower

	rows  []inlineRow // of the frame, as the terminal shows them
	row   int         // of the frame in which the cursor is
	climb int         // rows that have to be wiped from the cursor upwards, because they are not where they were; -1 is none

	// A window that gets lower pushes rows of the frame into the scrollback, where they stay.
	high []string // rows of the frame above the cursor while they wait to be wiped, as far as they are known
	gone []string // rows that were pushed away, the first ones of what was not finished then
}

// inlineRow is a row of the frame.
type inlineRow struct {
	text  string
	cells uv.Line
	drift int
}

// reflows guesses whether the terminal breaks rows anew. Most do; these cut them.
func reflows(env uv.Environ) bool {
	term := env.Getenv("TERM")
	return env.Getenv("XTERM_VERSION") == "" && term != "linux" && !strings.HasPrefix(term, "screen") && !strings.HasPrefix(term, "vt")
}

// resize takes in the new size. A terminal that gets narrower may have broken rows of the frame in two, so all of them are
// wiped and written again; how many there are now follows from how wide they were.
func (p *inline) resize(w, h int) {
	rows := 0
	for y, r := range p.rows {
		n := 1
		if used := usedCells(r.cells); p.reflows && w < p.w && used > w {
			n = (used + w - 1) / w
		}
		if y < p.row {
			rows += n
		} else if y == p.row {
			rows += min(n, p.at.X/w+1) - 1
		}
	}
	if p.w > 0 && len(p.rows) > 0 {
		p.climb = max(p.climb, 0) + min(rows, h-1)
	}
	p.pushed(w, h)
	p.rows, p.row = nil, 0
	p.screen.w, p.screen.h, p.spare = w, h, uv.NewLine(w)
}

// pushed notes which rows of the frame a window of this size has pushed into the scrollback: it keeps the row of the cursor,
// so those above it that it has no room for. Where rows may have been broken anew, nothing is known of them.
func (p *inline) pushed(w, h int) {
	if w != p.w {
		p.high, p.gone = nil, nil
		return
	}
	for _, r := range p.rows[:min(p.row, len(p.rows))] {
		p.high = append(p.high, r.text)
	}
	p.climb = min(p.climb, h-1)
	p.pass(len(p.high) - (h - 1))
}

// pass lets so many rows stay above the frame as they are.
func (p *inline) pass(n int) {
	if n > 0 {
		p.gone = append(p.gone, p.high[:n]...)
		p.high = p.high[n:]
	}
}

// stay lets those rows stay for which the frame has no room in a lower window: it begins with one that stands below them.
func (p *inline) stay(rows []string) {
	at, most := 0, 0
	for i := range p.high {
		n := 0
		for i+n < len(p.high) && n < len(rows) && p.high[i+n] == rows[n] {
			n++
		}
		if n > most {
			at, most = i, n
		}
	}
	p.climb -= at
	p.pass(at)
}

// unsaid drops those of the finished rows that were pushed into the scrollback while they were part of the frame.
func (p *inline) unsaid(above []string) []string {
	if len(p.gone) == 0 || len(above) == 0 {
		return above
	}
	n := 0
	for n < len(above) && n < len(p.gone) && above[n] == p.gone[n] {
		n++
	}
	if p.gone = p.gone[n:]; n < len(above) {
		p.gone = nil // what follows is no longer what it was, and has to be said
	}
	return above[n:]
}

func usedCells(l uv.Line) int {
	n := len(l)
	for n > 0 && isBlank(&l[n-1]) {
		n--
	}
	return n
}

// forget lets go of the frame where it is: something else wrote to the terminal, so a new one begins at the cursor.
func (p *inline) forget() {
	p.rows, p.row, p.climb = nil, 0, -1
	p.high, p.gone = nil, nil
	p.pen, p.link = uv.Style{}, uv.Link{}
	p.at = Pos{-1, 0}
}

// again makes the next frame write all of its rows where they are.
func (p *inline) again() {
	if len(p.rows) > 0 {
		p.climb = max(p.climb, p.row)
	}
	p.rows, p.row = nil, 0
}

// paint adds what writes the finished rows and turns the frame into these rows. It returns how many rows changed.
func (p *inline) paint(above, rows []string, cursor Pos) (changed int) {
	if cut := len(rows) - p.h; cut > 0 { // as with a frame that was made before the window got lower
		rows, cursor.Y = rows[cut:], cursor.Y-cut
	}
	if len(above) == 0 {
		p.stay(rows)
	}
	p.wipe()
	cursor.X, cursor.Y = min(max(cursor.X, 0), p.w-1), min(max(cursor.Y, 0), max(len(rows)-1, 0))
	if above = p.adopt(p.unsaid(above)); len(above) > 0 {
		p.push(above)
	}
	p.widen(rows)
	for y, text := range rows {
		if y < len(p.rows) && p.rows[y].text == text {
			continue
		}
		p.goTo(y)
		p.writeRow(y, text)
		changed++
	}
	if len(rows) < len(p.rows) { // the frame got lower
		p.goTo(len(rows))
		p.column(0)
		p.setPen(uv.Style{}, uv.Link{})
		p.out.WriteString(ansi.EraseScreenBelow)
		p.rows = p.rows[:max(len(rows), 1)]
		if len(rows) == 0 {
			p.rows = p.rows[:0]
		}
		changed++
	}
	p.setPen(uv.Style{}, uv.Link{})
	p.goTo(cursor.Y)
	p.column(cursor.X)
	return changed
}

// wipe removes a frame that is not where it was.
func (p *inline) wipe() {
	if p.climb < 0 {
		return
	}
	p.out.WriteString(ansi.ResetStyle + "\r")
	if p.climb > 0 {
		p.sequence('A', p.climb)
	}
	p.out.WriteString(ansi.EraseScreenBelow)
	p.climb, p.row, p.at, p.pen, p.link, p.high = -1, 0, Pos{}, uv.Style{}, uv.Link{}, nil
}

// adopt lets finished rows stay where they are if the frame begins with them, which is how most rows finish: they are above
// it from then on. It returns those that have to be written.
func (p *inline) adopt(above []string) []string {
	if len(above) == 0 || len(above) >= len(p.rows) {
		return above
	}
	for i, text := range above {
		if p.rows[i].text != text {
			return above
		}
	}
	p.goTo(max(p.row, len(above))) // the cursor is never above the frame
	p.rows = append(p.rows[:0:0], p.rows[len(above):]...)
	p.row -= len(above)
	return nil
}

// widen makes room within the frame where rows come in above those at its end, so that these need not be written again.
func (p *inline) widen(rows []string) {
	old, more := len(p.rows), len(rows)-len(p.rows)
	if more <= 0 || old == 0 {
		return
	}
	same := 0
	for same < old && p.rows[old-1-same].text == rows[len(rows)-1-same] {
		same++
	}
	at := old - same
	if same < 2 || at == 0 {
		return
	}
	p.goTo(old - 1)
	p.setPen(uv.Style{}, uv.Link{}) // the rows that come in are blank in the colour of the pen
	for range more {
		p.out.WriteString("\r\n")
	}
	p.sequence('A', old-1+more-at)
	p.sequence('L', more)
	p.out.WriteByte('\r')
	p.row, p.at.X = at, 0
	for range more {
		p.rows = slices.Insert(p.rows, at, p.blankRow())
	}
}

// blankRow is a row of which nothing was written.
func (p *inline) blankRow() inlineRow {
	line := uv.NewLine(p.w)
	for x := range line {
		line[x] = uv.EmptyCell
	}
	return inlineRow{cells: line, drift: p.w}
}

// push writes finished rows where the frame begins; it begins behind them then.
func (p *inline) push(above []string) {
	p.goTo(0)
	p.column(0)
	p.setPen(uv.Style{}, uv.Link{})
	p.out.WriteString(ansi.EraseScreenBelow)
	p.rows, p.row = p.rows[:0], 0
	for _, text := range above {
		p.writeRow(0, text)
		p.setPen(uv.Style{}, uv.Link{})
		p.out.WriteString("\r\n")
		p.at.X = 0
		p.rows = p.rows[:0]
	}
}

// leave removes the frame, after the rows that were finished last, and leaves the cursor below them.
func (p *inline) leave(above []string) {
	p.paint(above, nil, Pos{})
}

// goTo moves the cursor to a row of the frame, or to the one behind the last, which is made for it. Down it goes by line
// feeds also where there is a row already: a window that has become lower than we know has dropped the rows below the
// cursor, and any other move would stop short at its end.
func (p *inline) goTo(y int) {
	if y < p.row {
		p.sequence('A', p.row-y)
	} else if y > p.row {
		p.setPen(uv.Style{}, uv.Link{}) // the row that comes in is blank in the colour of the pen
		for range y - p.row {
			p.out.WriteString("\r\n")
		}
		p.at.X = 0
	}
	p.row = y
}

// column moves the cursor within its row.
func (p *inline) column(x int) {
	switch {
	case x == p.at.X:
		return
	case x == 0:
		p.out.WriteByte('\r')
	default:
		p.sequence('G', x+1)
	}
	p.at.X = x
}

// writeRow makes the row that the cursor is in show the text: from the first cell that differs, or from the first that
// the terminal may draw with another width than we think.
func (p *inline) writeRow(y int, text string) {
	if y == len(p.rows) {
		p.rows = append(p.rows, p.blankRow())
	}
	old := &p.rows[y]
	drift := p.read.read(text, p.spare)
	from := min(nextChange(old.cells, p.spare, 0), drift, old.drift)
	for from > 0 && from < p.w && p.spare[from].Width == 0 {
		from-- // not into the middle of a wide character
	}
	had, end := usedCells(old.cells), usedCells(p.spare)
	if from < max(had, end) {
		p.column(from)
		if min(drift, old.drift) < p.w || had > end {
			p.setPen(uv.Style{}, uv.Link{})
			p.out.WriteString(ansi.EraseLineRight)
		}
		for x := from; x < end; x++ {
			p.write(p.spare[x : x+1])
			if c := p.spare[x].Content; p.spare[x].Width > 0 && p.read.drifts(c) {
				p.at.X = -1
				if next := x + p.spare[x].Width; next < end {
					p.column(next)
				}
			}
		}
	}
	old.text, old.drift = text, drift
	old.cells, p.spare = p.spare, old.cells
}
