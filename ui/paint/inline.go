package paint

import (
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// inline paints a frame below what is on the normal screen, with only the frame's rows. Finished rows are written above it
// once and belong to the terminal from then on: they scroll, can be searched and selected, and stay when the program ends.
//
// The place of the frame on the screen is unknown. All moves are therefore relative to the row of the cursor, and line feeds
// make new rows, which scrolls at the bottom. It uses the screen's buffer, pen and reader, and nothing else of it.
type inline struct {
	*screen
	reflows bool // the terminal wraps rows again when it gets narrower

	rows  []inlineRow // of the frame, as the terminal shows them
	row   int         // of the frame that the cursor is in
	climb int         // rows to erase from the cursor upwards, because they have moved; -1 is none
	back  scrollback
}

// inlineRow is a row of the frame.
type inlineRow struct {
	text  string
	cells uv.Line
	drift int
	// filled reports that the terminal has the ground of the last cells up to the edge.
	filled bool
}

// reflows guesses whether the terminal wraps rows again. Most do; these cut them.
func reflows(env uv.Environ) bool {
	term := env.Getenv("TERM")
	return env.Getenv("XTERM_VERSION") == "" && term != "linux" && !strings.HasPrefix(term, "screen") && !strings.HasPrefix(term, "vt")
}

// resize sets the size. A terminal that gets narrower may have wrapped rows of the frame, so all of them are erased and
// written again; their widths determine how many rows they take now.
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

// pushed records which rows of the frame a window of this size has pushed into the scrollback: those above the cursor that
// do not fit. Where rows may have been wrapped again, it records nothing.
func (p *inline) pushed(w, h int) {
	if w != p.w {
		p.back = scrollback{}
		return
	}
	for _, r := range p.rows[:min(p.row, len(p.rows))] {
		p.back.high = append(p.back.high, r.text)
	}
	p.climb = min(p.climb, h-1)
	p.back.pass(len(p.back.high) - (h - 1))
}

func usedCells(l uv.Line) int {
	n := len(l)
	for n > 0 && isBlank(&l[n-1]) {
		n--
	}
	return n
}

// forget abandons the frame where it is, because something else wrote to the terminal. A new one begins at the cursor.
func (p *inline) forget() {
	p.rows, p.row, p.climb = nil, 0, -1
	p.back = scrollback{}
	p.pen, p.link = uv.Style{}, uv.Link{}
	p.at = Pos{-1, 0}
}

// again makes the next paint write all rows again, where they are.
func (p *inline) again() {
	if len(p.rows) > 0 {
		p.climb = max(p.climb, p.row)
	}
	p.rows, p.row = nil, 0
}

// paint adds what writes the finished rows and updates the frame to rows. It returns how many rows changed.
func (p *inline) paint(above, rows []string, cursor Pos) (changed int) {
	if cut := len(rows) - p.h; cut > 0 { // the frame was drawn before the window got lower
		rows, cursor.Y = rows[cut:], cursor.Y-cut
	}
	if len(above) == 0 {
		p.climb -= p.back.stay(rows)
	}
	p.wipe()
	cursor.X, cursor.Y = min(max(cursor.X, 0), p.w-1), min(max(cursor.Y, 0), max(len(rows)-1, 0))
	if above = p.adopt(p.back.drop(above)); len(above) > 0 {
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

// wipe erases a frame that has moved.
func (p *inline) wipe() {
	if p.climb < 0 {
		return
	}
	p.out.WriteString(ansi.ResetStyle + "\r")
	if p.climb > 0 {
		p.sequence('A', p.climb)
	}
	p.out.WriteString(ansi.EraseScreenBelow)
	p.climb, p.row, p.at, p.pen, p.link, p.back.high = -1, 0, Pos{}, uv.Style{}, uv.Link{}, nil
}

// adopt leaves finished rows where they are if the frame begins with them, as it usually does: they are above the frame from
// then on. It returns the rows to write.
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

// widen inserts rows within the frame where rows are added above its last ones, which then need not be written again.
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
	p.setPen(uv.Style{}, uv.Link{}) // new rows are blank in the color of the pen
	for range more {
		p.out.WriteString("\r\n")
	}
	p.sequence('A', old-1+more-at)
	p.sequence('L', more)
	p.out.WriteByte('\r')
	p.row, p.at.X = at, 0
	for range more {
		p.rows = slices.Insert(p.rows, at, blankRow(p.w))
	}
}

// blankRow returns a row of w cells without text.
func blankRow(w int) inlineRow {
	line := uv.NewLine(w)
	for x := range line {
		line[x] = uv.EmptyCell
	}
	return inlineRow{cells: line, drift: w}
}

// push writes finished rows where the frame begins, and the frame behind them.
func (p *inline) push(above []string) {
	p.goTo(0)
	p.column(0)
	p.setPen(uv.Style{}, uv.Link{})
	p.out.WriteString(ansi.EraseScreenBelow)
	p.rows, p.row = p.rows[:0], 0
	for _, text := range above {
		p.writeFinished(text)
		p.setPen(uv.Style{}, uv.Link{})
		p.out.WriteString("\r\n")
		p.at.X = 0
	}
}

// writeFinished writes a finished row. The ground at its end is erased in its color and not written as spaces, which one would
// copy, and which a terminal wraps when it gets narrower.
func (p *inline) writeFinished(text string) {
	p.read.read(text, p.spare)
	end := usedCells(p.spare)
	p.writeCells(0, end)
}

// groundFrom returns the cell of a line from which it has nothing but one background up to its end.
func groundFrom(line uv.Line, end int) int {
	tail := end
	for tail > 0 && isGround(&line[tail-1]) && line[tail-1].Style.Equal(&line[end-1].Style) {
		tail--
	}
	return tail
}

// isGround reports whether a cell shows nothing but its background.
func isGround(c *uv.Cell) bool {
	return c.Content == " " && c.Link.IsZero() && c.Style.Attrs == 0 && c.Style.Underline == uv.UnderlineNone
}

// leave writes the last finished rows and erases the frame. The cursor is below them then.
func (p *inline) leave(above []string) {
	p.paint(above, nil, Pos{})
}

// goTo moves the cursor to a row of the frame, or to a new one behind the last. It moves down by line feeds: if the window
// has become lower, the rows below the cursor are gone, and any other move would stop at its end.
func (p *inline) goTo(y int) {
	if y < p.row {
		p.sequence('A', p.row-y)
	} else if y > p.row {
		p.setPen(uv.Style{}, uv.Link{}) // a new row is blank in the color of the pen
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

// writeRow updates the cursor's row to the text, from the first cell that differs, or from the first whose width is
// doubtful.
func (p *inline) writeRow(y int, text string) {
	if y == len(p.rows) {
		p.rows = append(p.rows, blankRow(p.w))
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
		if min(drift, old.drift) < p.w || had > end || old.filled {
			p.setPen(uv.Style{}, uv.Link{})
			p.out.WriteString(ansi.EraseLineRight)
		}
		p.writeCells(from, end)
	}
	old.text, old.drift, old.filled = text, drift, groundFrom(p.spare, end) < end
	old.cells, p.spare = p.spare, old.cells
}

// writeCells writes cells of the row that was read last at the cursor, and erases the ground at its end in its color.
func (p *inline) writeCells(from, end int) {
	tail := min(max(from, groundFrom(p.spare, end)), end)
	for x := from; x < tail; x++ {
		p.write(p.spare[x : x+1])
		if c := p.spare[x].Content; p.spare[x].Width > 0 && p.read.drifts(c) {
			p.at.X = -1
			if next := x + p.spare[x].Width; next < tail {
				p.column(next)
			}
		}
	}
	if from <= tail && tail < end {
		p.column(tail)
		p.setPen(p.spare[tail].Style, uv.Link{})
		p.out.WriteString(ansi.EraseLineRight)
	}
}
