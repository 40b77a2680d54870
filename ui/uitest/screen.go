package uitest

import (
	"fmt"
	"image/color"
	"io"
	"strings"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"parley/internal/crash"
)

// Screen is a terminal in memory. It is safe for concurrent use.
type Screen struct {
	mu      sync.Mutex
	emu     *vt.Emulator
	gate    chan struct{} // not nil while the terminal takes nothing
	bytes   int
	drained chan struct{} // closed when what the terminal answers is not read any more
	fail    error
	raw     []byte

	hidden bool // the cursor
}

// NewScreen makes a terminal of so many cells. Close must be called at the end.
func NewScreen(w, h int) *Screen {
	s := &Screen{emu: vt.NewEmulator(w, h)}
	s.emu.SetCallbacks(vt.Callbacks{CursorVisibility: func(visible bool) { s.hidden = !visible }}) // while it is written to
	// What the emulator answers has to be read, or writing to it blocks.
	s.drained = make(chan struct{})
	crash.Go(func() {
		defer close(s.drained)
		_, _ = io.Copy(io.Discard, s.emu)
	})
	return s
}

// Write draws. It blocks while the terminal is stalled.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	gate := s.gate
	s.mu.Unlock()
	if gate != nil {
		<-gate
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return 0, s.fail
	}
	s.bytes += len(p)
	s.raw = append(s.raw, p...)
	return s.emu.Write(p)
}

// Stall makes the terminal take nothing until the returned function is called.
func (s *Screen) Stall() (resume func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gate := make(chan struct{})
	s.gate = gate
	return func() {
		s.mu.Lock()
		s.gate = nil
		s.mu.Unlock()
		close(gate)
	}
}

// Bytes is how many bytes were drawn so far.
func (s *Screen) Bytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// Raw returns all bytes drawn so far.
func (s *Screen) Raw() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.raw)
}

// Resize changes the number of cells.
func (s *Screen) Resize(w, h int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emu.Resize(w, h)
}

// Close ends the terminal.
func (s *Screen) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The pipe ends the reader; the emulator's own end is not made for being read meanwhile.
	if pipe, ok := s.emu.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
		<-s.drained
	}
	_ = s.emu.Close()
}

// Rows returns the text of the screen, without blanks at the ends of rows.
func (s *Screen) Rows() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]string, s.emu.Height())
	for y := range rows {
		var b strings.Builder
		for x := 0; x < s.emu.Width(); x++ {
			c := s.emu.CellAt(x, y)
			switch {
			case c == nil || c.Content == "" && c.Width > 0:
				b.WriteByte(' ')
			case c.Width == 0:
			default:
				b.WriteString(c.Content)
			}
		}
		rows[y] = strings.TrimRight(b.String(), " ")
	}
	return rows
}

// Cursor is the column of the cursor.
func (s *Screen) Cursor() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emu.CursorPosition().X
}

// Text returns the screen as text.
func (s *Screen) Text() string { return strings.Join(s.Rows(), "\n") }

// Has reports whether a row holds the text.
func (s *Screen) Has(text string) bool {
	for _, r := range s.Rows() {
		if strings.Contains(r, text) {
			return true
		}
	}
	return false
}

// Dump returns the screen for comparison: its text, the cursor, and for every row the runs of cells that have a style.
func (s *Screen) Dump() string {
	rows := s.Rows()
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight("|"+r, " ") + "\n")
	}
	at := s.emu.CursorPosition()
	fmt.Fprintf(&b, "cursor %d,%d\n", at.X, at.Y)
	for y := range rows {
		var runs []string
		from, last, now := 0, 0, ""
		for x := 0; x <= s.emu.Width(); x++ {
			c := s.emu.CellAt(x, y)
			if x < s.emu.Width() && blank(c) {
				continue // a blank has the style of what is around it
			}
			st := ""
			if x < s.emu.Width() {
				st = styleOf(c)
			}
			if st != now || x == s.emu.Width() {
				if now != "" {
					runs = append(runs, fmt.Sprintf("%d-%d %s", from, last, now))
				}
				from, now = x, st
			}
			last = x
		}
		if runs != nil {
			fmt.Fprintf(&b, "%d: %s\n", y, strings.Join(runs, "; "))
		}
	}
	return b.String()
}

// blank reports whether a cell shows nothing at all.
func blank(c *uv.Cell) bool {
	return c == nil || strings.TrimSpace(c.Content) == "" && c.Style.Bg == nil && c.Style.Underline == 0 &&
		c.Style.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) == 0
}

// styleOf names the style of a cell, "" if it has none that can be seen.
func styleOf(c *uv.Cell) string {
	if c == nil {
		return ""
	}
	var parts []string
	if c.Style.Fg != nil && strings.TrimSpace(c.Content) != "" {
		parts = append(parts, "fg="+colorName(c.Style.Fg))
	}
	if c.Style.Bg != nil {
		parts = append(parts, "bg="+colorName(c.Style.Bg))
	}
	for _, a := range []struct {
		bit  uint8
		name string
	}{{uv.AttrBold, "bold"}, {uv.AttrFaint, "faint"}, {uv.AttrItalic, "italic"}, {uv.AttrReverse, "reverse"}, {uv.AttrStrikethrough, "struck"}} {
		if c.Style.Attrs&a.bit != 0 && (strings.TrimSpace(c.Content) != "" || a.bit == uv.AttrReverse) {
			parts = append(parts, a.name)
		}
	}
	if c.Style.Underline != 0 {
		parts = append(parts, "underlined")
	}
	return strings.Join(parts, " ")
}

func colorName(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
