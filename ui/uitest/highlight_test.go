package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"parley/session"
)

// keyword is the color of keywords of code on a dark background.
const keyword = "fg=#7fb4ff"

// colored reports whether the row that holds a text has the color of keywords.
func (p *Program) colored(text string) bool {
	p.T.Helper()
	for y, row := range p.Rows() {
		if !strings.Contains(row, text) {
			continue
		}
		for line := range strings.Lines(p.Dump()) {
			if strings.HasPrefix(line, fmt.Sprintf("%d: ", y)) && strings.Contains(line, keyword) {
				return true
			}
		}
		return false
	}
	p.T.Fatalf("%q is not shown:\n%s", text, p.Dump())
	return false
}

// TestStreamedCodeGetsItsColors follows the lines of a block that streams: plain at first, in color a moment later, and
// nothing is left to be done when it is complete.
func TestStreamedCodeGetsItsColors(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("show me code")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText)
		emit := func(text string) { turn.Emit(session.PartDelta{Part: part, Text: text}) }
		emit("Here:\n\n```go\nreturn 1\n")
		p.Settle()
		if !p.colored("return 1") {
			t.Errorf("the first line has no color:\n%s", p.Dump())
		}
		emit("return 2\n")
		p.Settle()
		if p.colored("return 2") {
			t.Error("one line was lexed at once")
		}
		p.Pass(windowDue)
		if !p.colored("return 2") {
			t.Errorf("a line that waited has no color:\n%s", p.Dump())
		}
		emit("return 3\nreturn 4\nreturn 5\nreturn 6\nretu")
		p.Settle()
		if !p.colored("return 6") {
			t.Errorf("four lines have no color:\n%s", p.Dump())
		}
		if p.colored("retu") && strings.Contains(p.Text(), "return 7") {
			t.Error("a line that is not complete has a color")
		}
		emit("rn 7\n```\n")
		turn.Emit(session.PartEnded{Part: part})
		turn.End(session.TurnCompleted)
		p.Settle()
		if !p.colored("return 7") {
			t.Errorf("the last line has no color:\n%s", p.Dump())
		}
		p.Pass(time.Second)
		before := p.Bytes()
		p.Pass(10 * time.Second)
		if n := p.Bytes() - before; n > 0 {
			t.Errorf("%d bytes were written while nothing happened", n)
		}
	})
}

// windowDue is how long a finished line may wait for its color, and to be drawn.
const windowDue = 350 * time.Millisecond

// TestInlineCodeIsWrittenInItsColors holds that code stays in the frame until its fence is closed, and enters the
// scrollback in color.
func TestInlineCodeIsWrittenInItsColors(t *testing.T) {
	Run(t, Config{Width: 60, Height: 12, Options: inlined}, func(p *Program) {
		p.Type("show me code")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText)
		turn.Emit(session.PartDelta{Part: part, Text: "Here:\n\n```go\n"})
		for i := range 30 {
			turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("return %d\n", i)})
			p.Settle()
		}
		if all := strings.Join(p.Everything(), "\n"); strings.Contains(all, "return 1\n") {
			t.Errorf("an open block is in the scrollback:\n%s", all)
		}
		turn.Emit(session.PartDelta{Part: part, Text: "```\n\nDone.\n"}, session.PartEnded{Part: part})
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Settle()
		rows := p.Everything()
		for i := range 30 {
			want := fmt.Sprintf("return %d", i)
			n := 0
			for y, row := range rows {
				if strings.TrimSpace(strings.TrimSuffix(row, " go")) != want {
					continue
				}
				n++
				if x := strings.Index(row, want); !strings.Contains(styleOf(p.anyCell(x, y)), keyword) {
					t.Errorf("%q has no color in row %d", want, y)
				}
			}
			if n != 1 {
				t.Errorf("%q is there %d times", want, n)
			}
		}
	})
}

// anyCell returns a cell of what the terminal remembers.
func (p *Program) anyCell(x, y int) *uv.Cell {
	p.Screen.mu.Lock()
	defer p.Screen.mu.Unlock()
	if n := p.emu.ScrollbackLen(); y >= n {
		return p.emu.CellAt(x, y-n)
	}
	return p.emu.ScrollbackCellAt(x, y)
}
