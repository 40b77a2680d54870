package paint

import (
	"bytes"
	"runtime"
	"strconv"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// screen knows what the terminal shows and writes the bytes that make it show something else. It is used by one
// goroutine.
//
// Only a row whose text differs from what is there is laid out as cells and compared, and of it only the cells that
// differ are written. The cells and styles are ultraviolet's. Its renderer is not used: it writes a row with wide cells
// anew whenever it looks at it, looks at all rows in every frame, and when made to look at the changed ones only, it
// erases others.
//
// The sequences are those that every terminal of the last decades knows: absolute positions, carriage return and line
// feed, erase to the end of the row, scroll regions. None of them depends on how the terminal maps line feeds, wraps at
// the margin or fills erased cells.
type screen struct {
	out    bytes.Buffer // what has to be written
	read   *rowReader
	scroll bool // scroll regions may be used

	w, h  int
	shown []shownRow
	spare uv.Line        // the next row is laid out here
	where map[string]int // of commonShift, as are from and to

	from, to []int

	clear bool     // what the terminal shows is unknown
	at    Pos      // the terminal's cursor; -1 is unknown
	pen   uv.Style // what the terminal writes with
	link  uv.Link
}

// shownRow is a row as the terminal shows it.
type shownRow struct {
	text  string
	cells uv.Line
	drift int // the first cell that the terminal may draw wider or narrower than we think; the width if there is none
}

func newScreen(profile colorprofile.Profile, scroll bool) *screen {
	return &screen{
		read: newRowReader(profile),
		// Windows Terminal moves the cursor out of a scroll region.
		scroll: scroll && runtime.GOOS != "windows",
		where:  map[string]int{},
		clear:  true,
	}
}

// resize starts over with another size.
func (s *screen) resize(w, h int) {
	s.w, s.h = w, h
	s.shown = make([]shownRow, h)
	for y := range s.shown {
		s.shown[y].cells = uv.NewLine(w)
	}
	s.spare = uv.NewLine(w)
	s.clear = true
}

// setGraphemes says whether the terminal draws a grapheme cluster as one character or each of its code points by
// itself.
func (s *screen) setGraphemes(on bool) {
	s.read.method = ansi.WcWidth
	if on {
		s.read.method = ansi.GraphemeWidth
	}
	s.clear = true
}

// forget makes the next frame paint the whole screen, because something else wrote to it.
func (s *screen) forget() { s.clear = true }

// paint adds to out what turns the screen into these rows and puts the cursor there. It returns how many rows changed.
func (s *screen) paint(rows []string, cursor Pos) (changed int) {
	row := func(y int) string {
		if y < len(rows) {
			return rows[y]
		}
		return ""
	}
	if s.clear {
		s.wipe()
	} else if s.scroll {
		s.shift(row)
	}
	for y := range s.shown {
		if text := row(y); text != s.shown[y].text {
			s.paintRow(y, text)
			changed++
		}
	}
	s.setPen(uv.Style{}, uv.Link{})
	s.moveTo(cursor)
	return changed
}

// wipe clears the terminal and everything that was known about it.
func (s *screen) wipe() {
	s.out.WriteString(ansi.ResetStyle + ansi.CursorHomePosition + ansi.EraseScreenBelow)
	s.at, s.pen, s.link = Pos{}, uv.Style{}, uv.Link{}
	for y := range s.shown {
		s.blank(&s.shown[y])
	}
	s.clear = false
}

func (s *screen) blank(r *shownRow) {
	for x := range r.cells {
		r.cells[x] = uv.EmptyCell
	}
	r.text, r.drift = "", s.w
}

// paintRow makes the row show the text.
func (s *screen) paintRow(y int, text string) {
	old := &s.shown[y]
	drift := s.read.read(text, s.spare)
	if from := min(drift, old.drift); from < s.w {
		s.rewrite(y, old.cells, s.spare, from)
	} else {
		s.update(y, old.cells, s.spare)
	}
	old.text, old.drift = text, drift
	old.cells, s.spare = s.spare, old.cells
}

// Cells between two changes are written again rather than jumped over while they are so few.
const jumpCells = 8

// update writes the cells that differ. A wide cell and the place holders behind it always differ together, so that no
// half of one is left over.
func (s *screen) update(y int, old, new uv.Line) {
	end := s.w // behind the last cell that is not blank
	for end > 0 && isBlank(&new[end-1]) {
		end--
	}
	for x := 0; x < s.w; {
		x = nextChange(old, new, x)
		if x >= s.w {
			return
		}
		if x >= end && s.w-x > jumpCells/2 {
			s.eraseFrom(Pos{x, y})
			return
		}
		to := x + 1
		for next := x + 1; next < s.w && next-to < jumpCells; next++ {
			if !new[next].Equal(&old[next]) {
				to = next + 1
			}
		}
		if to > end && s.w-end > jumpCells/2 {
			to = max(x+1, end)
		}
		s.moveTo(Pos{x, y})
		s.write(new[x:to])
		x = to
	}
}

func nextChange(old, new uv.Line, x int) int {
	for x < len(new) && new[x].Equal(&old[x]) {
		x++
	}
	return x
}

// rewrite writes all of the row from its first difference on, or from the first cell that the terminal may have drawn
// with another width than we think, because from there on it is unknown which cell stands where. Every such cell is
// followed by an absolute position.
func (s *screen) rewrite(y int, old, new uv.Line, drift int) {
	from := min(nextChange(old, new, 0), drift)
	s.eraseFrom(Pos{from, y})
	end := s.w
	for end > from && isBlank(&new[end-1]) {
		end--
	}
	for x := from; x < end; x++ {
		if new[x].Width == 0 {
			continue
		}
		s.moveTo(Pos{x, y})
		s.write(new[x : x+1])
		if s.read.drifts(new[x].Content) {
			s.at = Pos{-1, -1}
		}
	}
}

func isBlank(c *uv.Cell) bool { return c.Equal(&uv.EmptyCell) }

func (s *screen) eraseFrom(p Pos) {
	s.moveTo(p)
	s.setPen(uv.Style{}, uv.Link{})
	s.out.WriteString(ansi.EraseLineRight)
}

// write writes cells from where the cursor is.
func (s *screen) write(cells uv.Line) {
	for i := range cells {
		c := &cells[i]
		if c.Width == 0 {
			continue // the wide cell before it fills it
		}
		s.setPen(c.Style, c.Link)
		s.out.WriteString(c.Content)
		s.at.X += c.Width
	}
	if s.at.X >= s.w {
		s.at.X = -1 // at the margin or behind it, depending on the terminal
	}
}

func (s *screen) setPen(style uv.Style, link uv.Link) {
	if !style.Equal(&s.pen) {
		if style.IsZero() {
			s.out.WriteString(ansi.ResetStyle)
		} else {
			s.out.WriteString(style.Diff(&s.pen))
		}
		s.pen = style
	}
	if link != s.link {
		s.out.WriteString(ansi.SetHyperlink(link.URL, link.Params))
		s.link = link
	}
}

// moveTo puts the cursor there with the shortest sequence that is sure to work.
func (s *screen) moveTo(p Pos) {
	switch {
	case p == s.at:
		return
	case p.X == 0 && p.Y == s.at.Y:
		s.out.WriteByte('\r')
	case p.X == 0 && p.Y == s.at.Y+1 && s.at.Y >= 0:
		s.out.WriteString("\r\n")
	case p.Y == s.at.Y && s.at.X >= 0 && p.X == s.at.X+1:
		s.out.WriteString("\x1b[C")
	case p.Y == s.at.Y && s.at.X >= 0 && p.X == s.at.X-1:
		s.out.WriteByte('\b')
	case p.Y == s.at.Y:
		s.sequence('G', p.X+1)
	default:
		s.sequence('H', p.Y+1, p.X+1)
	}
	s.at = p
}

// sequence writes a control sequence with these parameters.
func (s *screen) sequence(final byte, params ...int) {
	b := append(s.out.AvailableBuffer(), "\x1b["...)
	for i, n := range params {
		if i > 0 {
			b = append(b, ';')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	s.out.Write(append(b, final))
}
