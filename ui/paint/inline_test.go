package paint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/repeat"
)

// everything returns the rows of a terminal and its scrollback as text, without blank ones at the end.
func (v *virtual) everything() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var rows []string
	w := v.emu.Width()
	for y := range v.emu.ScrollbackLen() {
		rows = append(rows, plainRow(w, func(x int) *uv.Cell { return v.emu.ScrollbackCellAt(x, y) }))
	}
	for y := range v.emu.Height() {
		rows = append(rows, plainRow(w, func(x int) *uv.Cell { return v.emu.CellAt(x, y) }))
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

func plainRow(w int, at func(int) *uv.Cell) string {
	var b strings.Builder
	for x := range w {
		if c := at(x); c != nil && c.Width > 0 {
			b.WriteString(c.Content)
		} else if c == nil {
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// page paints inline on an emulator, without a Painter.
type page struct {
	t    *testing.T
	v    *virtual
	p    *inline
	done []string // what is above the frame, what was there before included
	rows []string
}

func newPage(t *testing.T, w, h int, before ...string) *page {
	g := &page{t: t, v: newVirtual(t, w, h), p: &inline{screen: newScreen(colorprofile.TrueColor, false), climb: -1}, done: before}
	for _, row := range before {
		_, _ = g.v.Write([]byte(row + "\r\n"))
	}
	_, _ = g.v.Write([]byte(noWrap.take))
	g.p.resize(w, h)
	g.p.forget()
	return g
}

// draw paints and checks the terminal and its scrollback.
func (g *page) draw(above, rows []string, at Pos) {
	g.t.Helper()
	g.p.out.Reset()
	g.p.paint(above, rows, at)
	_, _ = g.v.Write(g.p.out.Bytes())
	for _, row := range above {
		g.done = append(g.done, strings.TrimRight(ansi.Strip(row), " "))
	}
	g.rows = rows
	g.check(at)
}

func (g *page) check(at Pos) {
	g.t.Helper()
	rows := g.rows
	if cut := len(rows) - g.p.h; cut > 0 {
		rows, at.Y = rows[cut:], at.Y-cut
	}
	want := append([]string(nil), g.done...)
	for _, row := range rows {
		want = append(want, strings.TrimRight(ansi.Truncate(ansi.Strip(row), g.p.w, ""), " "))
	}
	for len(want) > 0 && want[len(want)-1] == "" {
		want = want[:len(want)-1]
	}
	got := g.v.everything()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		g.t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "|\n"), strings.Join(want, "|\n"))
	}
	if len(rows) > 0 {
		c := g.v.cursor()
		if c.X != min(max(at.X, 0), g.p.w-1) {
			g.t.Fatalf("the cursor is in column %d, not %d", c.X, at.X)
		}
	}
}

func TestInlineFramesStandBelowWhatIsFinished(t *testing.T) {
	g := newPage(t, 20, 6, "$ ls", "a  b", "$ parley")
	g.draw(nil, []string{"> "}, Pos{2, 0})
	g.draw(nil, []string{"working", "> x"}, Pos{3, 1})
	g.draw([]string{"> hello", ""}, []string{"one", "> "}, Pos{2, 1})
	g.draw(nil, []string{"one", "two", "three", "> "}, Pos{2, 3})
	g.draw([]string{"one", "two"}, []string{"three", "> "}, Pos{2, 1})
	g.draw(nil, []string{"\x1b[1;31mthree\x1b[m", "漢字 wide", "> "}, Pos{2, 2})
	g.draw([]string{"three", "漢字 wide", strings.Repeat("x", 20), "end"}, []string{"> "}, Pos{2, 0})
	g.draw(nil, []string{"1", "2", "3", "4", "5", "6", "7", "8"}, Pos{0, 7})
	g.draw(nil, []string{"> "}, Pos{0, 0})
	g.draw(nil, nil, Pos{})
	g.draw(nil, []string{"again"}, Pos{0, 0})
}

func TestInlineErasesTheGroundOfFinishedRows(t *testing.T) {
	g := newPage(t, 40, 5)
	ground := "\x1b[48;2;30;30;30m"
	g.draw([]string{ground + "x := 1" + strings.Repeat(" ", 20) + "\x1b[m", ground + strings.Repeat(" ", 26) + "\x1b[m"}, []string{"> "}, Pos{2, 0})
	if out := g.p.out.String(); strings.Contains(out, "   ") {
		t.Errorf("the ground is written as spaces: %q", out)
	}
	for y := range 2 {
		if c := g.v.emu.CellAt(20, y); c == nil || c.Style.Bg == nil {
			t.Errorf("row %d has no ground", y)
		}
	}
	if c := g.v.emu.CellAt(20, 2); c != nil && c.Style.Bg != nil {
		t.Error("the frame has the ground too")
	}
}

func TestInlineWritesWhatChangedAndNoMore(t *testing.T) {
	g := newPage(t, 80, 24)
	rows := []string{strings.Repeat("a", 60), strings.Repeat("b", 60), "> "}
	g.draw(nil, rows, Pos{2, 2})
	g.draw(nil, rows, Pos{2, 2})
	if n := g.p.out.Len(); n != 0 {
		t.Errorf("%d bytes for nothing: %q", n, g.p.out.String())
	}
	g.draw(nil, []string{rows[0], rows[1], "> x"}, Pos{3, 2})
	if got := g.p.out.String(); got != "x" {
		t.Errorf("%q for a key", got)
	}
	g.draw(nil, []string{rows[0], rows[1] + " word", "> x"}, Pos{3, 2})
	if n := g.p.out.Len(); n > 25 {
		t.Errorf("%d bytes for a word: %q", n, g.p.out.String())
	}
}

func TestInlineRandomly(t *testing.T) {
	for seed := range uint64(repeat.Times(10, 20, 60)) {
		r := rand.New(rand.NewPCG(seed, 9))
		w, h := 10+r.IntN(20), 3+r.IntN(6)
		g := newPage(t, w, h, "before")
		bits := []string{"word ", "漢字", "\x1b[1mbold\x1b[m ", "é", "x", " ", "\x1b]8;;http://a.bc\x1b\\link\x1b]8;;\x1b\\", "\x1b[41m \x1b[m"}
		row := func() string {
			var s string
			for range r.IntN(5) {
				s += bits[r.IntN(len(bits)-1)]
			}
			return ansi.Truncate(s, w, "")
		}
		rows := []string{"> "}
		for range 60 {
			var above []string
			switch r.IntN(4) {
			case 0:
				for range 1 + r.IntN(4) {
					above = append(above, row())
				}
			case 1:
				rows = append(rows, row())
			case 2:
				rows = rows[:r.IntN(len(rows)+1)]
			case 3:
				if len(rows) > 0 {
					rows[r.IntN(len(rows))] = row()
				}
			}
			if len(rows) > h {
				rows = rows[len(rows)-h:]
			}
			g.draw(above, append([]string(nil), rows...), Pos{r.IntN(w), r.IntN(len(rows) + 1)})
		}
	}
}

func TestInlineSurvivesAResize(t *testing.T) {
	g := newPage(t, 30, 8, "before")
	rows := []string{"a row that is rather long", "> x"}
	g.draw([]string{"done"}, rows, Pos{3, 1})
	g.v.resize(40, 8)
	g.p.resize(40, 8)
	g.draw(nil, rows, Pos{3, 1})
	g.v.resize(12, 8) // the emulator cuts, as xterm does
	g.p.resize(12, 8)
	g.draw(nil, []string{"a row that", "is rather", "long", "> x"}, Pos{3, 3})
	g.draw([]string{"more"}, []string{"> x"}, Pos{3, 0})
}

// lower makes the window lower as terminals do: they scroll until the row of the cursor is in it. The emulator cuts instead.
func (g *page) lower(w, h int) {
	g.t.Helper()
	at, high := g.v.cursor(), g.v.emu.Height()
	if by := at.Y - h + 1; by > 0 {
		_, _ = fmt.Fprintf(g.v, "\x1b[%dH%s\x1b[%d;%dH", high, strings.Repeat("\n", by), at.Y-by+1, at.X+1)
	}
	g.v.resize(w, h)
	g.p.resize(w, h)
}

// Rows that a lower window has pushed away are in the scrollback, and are not written again once they are finished.
func TestInlineSaysWhatWasPushedAwayOnce(t *testing.T) {
	for _, steps := range [][]int{{6}, {9, 6}} {
		g := newPage(t, 30, 12, "before")
		live := []string{"one", "two", "three", "four", "five", "six", "seven"}
		g.draw([]string{"done"}, append(slices.Clone(live), "---", "> x"), Pos{3, 8})
		for _, h := range steps {
			g.lower(30, h) // no frame between them
		}
		g.done = append(g.done, live[:4]...) // three were pushed away, and what the frame has no room for stays above it
		g.draw(nil, append(slices.Clone(live[4:]), "---", "> x"), Pos{3, 4})
		g.done = g.done[:len(g.done)-4]
		g.draw(live[:5], append(slices.Clone(live[5:]), "---", "> x"), Pos{3, 3})
		g.draw(live[5:], []string{"---", "> x"}, Pos{3, 1})
	}
}

// A frame for the higher window may be painted again in the lower one. It begins with rows that were pushed away, and its
// blank rows look like those of a frame that begins elsewhere.
func TestInlineKnowsAFrameOfTheHigherWindow(t *testing.T) {
	g := newPage(t, 30, 12, "before")
	live := []string{"", "one", "", "two", "", "three", "", "four"}
	frame := append(slices.Clone(live), "---", "> x")
	g.draw([]string{"done"}, frame, Pos{3, 9})
	g.lower(30, 7)
	g.p.out.Reset()
	g.p.paint(nil, frame, Pos{3, 9})
	_, _ = g.v.Write(g.p.out.Bytes())
	g.done, g.rows = append(g.done, live[:3]...), frame[3:]
	g.check(Pos{3, 6})
	g.done = g.done[:len(g.done)-3]
	g.draw(live, []string{"---", "> x"}, Pos{3, 1})
}

// A row that has changed since it was pushed away is written again, with all that follow it.
func TestInlineSaysWhatHasChangedSinceItWasPushedAway(t *testing.T) {
	g := newPage(t, 30, 12, "before")
	g.draw(nil, []string{"one", "two", "three", "four", "> x"}, Pos{3, 4})
	g.lower(30, 3)
	g.done = append(g.done, "one", "two")
	g.draw(nil, []string{"4", "> x"}, Pos{3, 1}) // three and four are erased: the painter no longer knows row 4
	g.done = []string{"before", "one", "two"}
	g.p.out.Reset()
	g.p.paint([]string{"one", "2", "3"}, []string{"> x"}, Pos{3, 0})
	_, _ = g.v.Write(g.p.out.Bytes())
	g.done, g.rows = []string{"before", "one", "two", "2", "3"}, []string{"> x"}
	g.check(Pos{3, 0})
	g.draw([]string{"one", "two"}, []string{"> x"}, Pos{3, 0})
}

// A terminal that wraps rows again has two rows in place of one, and the cursor further down.
func TestInlineWipesRowsThatWereBroken(t *testing.T) {
	g := newPage(t, 30, 10)
	g.p.reflows = true
	g.draw(nil, []string{"a row that is rather long", "> x"}, Pos{3, 1})
	_, _ = g.v.Write([]byte("\r\x1b[A\x1b[Ja row that i\r\ns rather lon\r\ng\r\n> x")) // at 12 columns
	g.v.resize(12, 10)
	g.p.resize(12, 10)
	g.draw(nil, []string{"a row that", "> x"}, Pos{3, 1})
}

func TestAnInlinePainterGivesTheTerminalBackBelowWhatIsFinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVirtual(t, 40, 10)
		_, _ = v.Write([]byte("$ parley\r\n"))
		p := New(Options{Out: v, Width: 40, Height: 10, Profile: colorprofile.TrueColor, Inline: true, Quiet: true})
		p.Start()
		draw := func(above string, rows ...string) {
			f := Frame{Rows: rows, CursorVisible: true}
			if above != "" {
				f.Above = []string{above}
			}
			p.Draw(f, Soon)
		}
		draw("one", "live", "> ")
		draw("two", "live", "> ") // replaces the other before its turn, but for what is finished
		synctest.Wait()
		check := func(want string) {
			t.Helper()
			if got := strings.Join(v.everything(), "|"); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		}
		check("$ parley|one|two|live|>")
		p.Release()
		check("$ parley|one|two")
		_, _ = v.Write([]byte("$ vi\r\n"))
		draw("three", "live", "> ")
		p.Retake()
		synctest.Wait()
		check("$ parley|one|two|$ vi|three|live|>")
		p.Repaint()
		synctest.Wait()
		check("$ parley|one|two|$ vi|three|live|>")
		draw("four", "live", "> ")
		p.Stop([]string{"bye"})
		check("$ parley|one|two|$ vi|three|four|bye")
		if y := v.cursor().Y; y != 7 {
			t.Errorf("the cursor is in row %d", y)
		}
	})
}

func TestTheMouseComesAndGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		synctest.Wait()
		out.take()
		p.SetMouse(true)
		synctest.Wait()
		if got := strings.Join(out.take(), ""); got != "\x1b[?1002h\x1b[?1006h" {
			t.Errorf("%q", got)
		}
		p.SetMouse(false)
		p.SetMouse(false)
		synctest.Wait()
		if got := strings.Join(out.take(), ""); got != "\x1b[?1006l\x1b[?1002l" {
			t.Errorf("%q", got)
		}
		p.SetMouse(true)
		synctest.Wait()
		out.take()
		p.Emergency()
		if got := strings.Join(out.take(), ""); !strings.Contains(got, "\x1b[?1002l") {
			t.Errorf("%q", got)
		}
		p.Stop(nil)
	})
}

func TestWhatIsSaidIsWrittenOnceAndOnlyIfItIsHarmless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &pipe{}
		p := New(quiet(out))
		p.Start()
		synctest.Wait()
		out.take()
		p.Send("\x1b]52;c;eA==\a")
		p.Send("\x1b[2J")
		p.Send("text")
		p.Send("\a")
		synctest.Wait()
		if got := strings.Join(out.take(), ""); got != "\x1b]52;c;eA==\a\a" {
			t.Errorf("%q", got)
		}
		p.Release()
		out.take()
		p.Send("\a")
		synctest.Wait()
		if got := out.take(); len(got) != 0 {
			t.Errorf("%q while the terminal is somebody else's", got)
		}
		p.Stop(nil)
	})
}
