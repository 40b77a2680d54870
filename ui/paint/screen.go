package paint

import (
	"bytes"
	"hash/maphash"
	"runtime"
	"strconv"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// screen holds what the terminal shows and writes the bytes that update it. It is used by one goroutine.
//
// Only a row whose text differs is converted to cells, and of it only the cells that differ are written. The cells and
// styles are ultraviolet's. Its renderer compares all rows in every frame and rewrites those with wide cells; restricted to
// the changed rows, it erases others.
//
// The sequences are those that every terminal of the last decades supports: absolute positions, carriage return and line
// feed, erase to the end of the row, scroll regions. None depends on how the terminal maps line feeds or wraps at the margin.
// Only if fills is set, cells are erased in another color than the default.
type screen struct {
	out    bytes.Buffer // what has to be written
	read   *rowReader
	scroll bool // scroll regions may be used
	fills  bool // erased cells take the background of the pen

	w, h  int
	shown []shownRow
	spare uv.Line        // for the next row
	where map[uint64]int // of commonShift, as are from and to

	from, to []int
	next     []uint64 // of findShift
	hasher   maphash.Hash

	clear bool     // what the terminal shows is unknown
	at    Pos      // the terminal's cursor; -1 is unknown
	pen   uv.Style // what the terminal writes with
	link  uv.Link
}

// shownRow is a row as the terminal shows it.
type shownRow struct {
	text string
	// letters is the hash of the text without its styles.
	letters uint64

	cells uv.Line
	drift int // the first cell of doubtful width; the width of the row if there is none
}

func newScreen(profile colorprofile.Profile, scroll bool) *screen {
	return &screen{
		read: newRowReader(profile),
		// Windows Terminal moves the cursor out of a scroll region.
		scroll: scroll && runtime.GOOS != "windows",
		where:  map[uint64]int{},
		clear:  true,
	}
}

// resize sets the size and clears the screen.
func (s *screen) resize(w, h int) {
	s.w, s.h = w, h
	s.shown = make([]shownRow, h)
	for y := range s.shown {
		s.shown[y].cells = uv.NewLine(w)
	}
	s.spare = uv.NewLine(w)
	s.clear = true
}

// setGraphemes sets whether the terminal draws a grapheme cluster as one character or code point by code point.
func (s *screen) setGraphemes(on bool) {
	s.read.method = ansi.WcWidth
	if on {
		s.read.method = ansi.GraphemeWidth
	}
	s.clear = true
}

// forget makes the next frame paint the whole screen, because something else wrote to it.
func (s *screen) forget() { s.clear = true }

// paint adds to out what updates the screen to rows and moves the cursor. It returns how many rows changed.
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

// wipe clears the terminal and what the screen holds about it.
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
	r.text, r.letters, r.drift = "", 0, s.w
}

// paintRow updates a row to the text.
func (s *screen) paintRow(y int, text string) {
	old := &s.shown[y]
	drift := s.read.read(text, s.spare)
	if from := min(drift, old.drift); from < s.w {
		s.rewrite(y, old.cells, s.spare, from)
	} else {
		s.update(y, old.cells, s.spare)
	}
	old.text, old.letters, old.drift = text, s.hash(text), drift
	old.cells, s.spare = s.spare, old.cells
}

// jumpCells is the number of unchanged cells from which the cursor jumps over them.
const jumpCells = 8

// update writes the cells that differ. A wide cell and its place holders always differ together.
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
			if new[next].Equal(&old[next]) {
				continue
			}
			if jumpPays(new, to, next) {
				break
			}
			to = next + 1
		}
		if to > end && s.w-end > jumpCells/2 {
			to = max(x+1, end)
		}
		s.moveTo(Pos{x, y})
		s.write(new[x:to])
		x = to
	}
}

// jumpPays reports whether it takes fewer bytes to move over unchanged cells than to write them, because of their styles.
func jumpPays(line uv.Line, from, to int) bool {
	if from == to {
		return false
	}
	change := func(a, b *uv.Cell) int {
		switch {
		case b.Width == 0 || a.Style.Equal(&b.Style):
			return 0
		case b.Style.IsZero():
			return len(ansi.ResetStyle)
		}
		return len("\x1b[38;5;1m")
	}
	write, jump := to-from, len("\x1b[2C")
	for x := from; x <= to; x++ {
		write += change(&line[x-1], &line[x])
	}
	return jump+change(&line[from-1], &line[to]) < write
}

func nextChange(old, new uv.Line, x int) int {
	for x < len(new) && new[x].Equal(&old[x]) {
		x++
	}
	return x
}

// rewrite writes the row from its first difference, or from the first cell of doubtful width, behind which the place of each
// cell is unknown. An absolute position follows every such cell.
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

// eraseCells is the number of blanks from which they are erased instead of written.
const eraseCells = 12

// write writes cells at the cursor.
func (s *screen) write(cells uv.Line) {
	for i := 0; i < len(cells); i++ {
		c := &cells[i]
		if c.Width == 0 {
			continue // part of a wide cell
		}
		if n := s.ground(cells[i:]); n >= eraseCells {
			if i+n == len(cells) {
				n-- // the last cell is written: tmux does not copy erased cells at the end of a row
			}
			s.setPen(c.Style, c.Link)
			s.sequence('X', n)
			s.moveTo(Pos{s.at.X + n, s.at.Y})
			i += n - 1
			continue
		}
		s.setPen(c.Style, c.Link)
		s.out.WriteString(c.Content)
		s.at.X += c.Width
	}
	if s.at.X >= s.w {
		s.at.X = -1 // at the margin or behind it, depending on the terminal
	}
}

// ground returns how many of the first cells are blanks on the same background that can be erased.
func (s *screen) ground(cells uv.Line) (n int) {
	first := &cells[0]
	ground := uv.Cell{Content: " ", Width: 1, Style: uv.Style{Bg: first.Style.Bg}}
	if !s.fills || ground.Style.Bg == nil || !first.Equal(&ground) {
		return 0
	}
	for n < len(cells) && cells[n].Equal(first) {
		n++
	}
	return n
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

// moveTo moves the cursor with the shortest sequence that works everywhere.
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
	case p.Y == s.at.Y && s.at.X >= 0 && p.X > s.at.X && p.X-s.at.X < 10:
		s.sequence('C', p.X-s.at.X)
	case p.Y == s.at.Y:
		s.sequence('G', p.X+1)
	default:
		s.sequence('H', p.Y+1, p.X+1)
	}
	s.at = p
}

// sequence writes a control sequence.
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
