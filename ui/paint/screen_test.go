package paint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/repeat"
)

func newTestScreen(w, h int) *screen {
	s := newScreen(colorprofile.TrueColor, true)
	s.setGraphemes(true)
	s.resize(w, h)
	return s
}

// show paints the rows and sends the bytes to the emulator.
func show(t *testing.T, s *screen, v *virtual, rows []string, at Pos) int {
	t.Helper()
	s.out.Reset()
	s.paint(rows, at)
	if _, err := v.Write(s.out.Bytes()); err != nil {
		t.Fatal(err)
	}
	return s.out.Len()
}

func (s *screen) texts() (rows []string) {
	for _, r := range s.shown {
		rows = append(rows, r.text)
	}
	return rows
}

func TestScreenWritesLittle(t *testing.T) {
	const w, h = 120, 40
	page := func(fill string) []string {
		rows := make([]string, h)
		for y := range rows {
			rows[y] = fmt.Sprintf("%2d %s", y, fill)
		}
		return rows
	}
	text := strings.Repeat("word ", 20)
	cjk := strings.Repeat("漢字", 20)
	edit := func(y int, row string) func([]string) {
		return func(rows []string) { rows[y] = row }
	}
	scroll := func(rows []string) {
		copy(rows[1:], rows[2:])
		rows[h-1] = "the new row at the end"
	}
	for _, c := range []struct {
		name string
		fill string
		edit func([]string)
		most int
	}{
		{"nothing changed", text, func([]string) {}, 0},
		{"one letter", text, edit(20, "20 "+text[:50]+"X"+text[51:]), 12},
		{"a letter more", text, edit(20, "20 "+text+"X"), 12},
		{"a letter more at the cursor", text, edit(20, "20 Xord "+text[5:]), 8},
		{"a row more", text, scroll, 120},
		{"one letter beside wide rows", cjk, edit(20, "20 short"), 30},
		{"one letter in a wide row", cjk, edit(20, "20 "+cjk[:60]+"X"+cjk[60:]), 160},
		{"a letter more in a wide row", cjk, edit(20, "20 "+cjk+"X"), 12},
		{"a wide row more", cjk, scroll, 120},
		{"a row on a ground", text, edit(20, "20 \x1b[48;5;236mx = 1"+strings.Repeat(" ", 90)+"\x1b[m"), 42},
		{"words in colors", "func run() error", edit(20, "20 \x1b[38;5;75mfunc\x1b[m \x1b[38;5;186mrun\x1b[m() \x1b[38;5;79merror\x1b[m"), 65},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVirtual(t, w, h)
			s := newTestScreen(w, h)
			s.fills = true
			rows := page(c.fill)
			show(t, s, v, rows, Pos{5, 20})
			v.check(t, rows, w, h)
			c.edit(rows)
			n := show(t, s, v, rows, Pos{5, 20})
			v.check(t, rows, w, h)
			if n > c.most {
				t.Errorf("%d bytes, at most %d expected: %q", n, c.most, s.out.String())
			}
		})
	}
}

// pieces make random rows. The emulator and the cells agree about their widths.
var pieces = []string{
	"a", "word ", "   ", "漢", "字 ", "é", "e\u0301", "\x1b[1m", "\x1b[31mred", "\x1b[0m", "\x1b[m ", "\x1b[44m  ",
	"\x1b[38;2;1;2;3mx", "\x1b[7mrev", "────", "█", "\x1b[4mu", "0123456789", "\x1b[48;5;20mbg", "\x1b[48;5;21m              ",
}

func randomRow(r *rand.Rand, width int) string {
	var b strings.Builder
	for n := r.IntN(12); n > 0; n-- {
		p := pieces[r.IntN(len(pieces))]
		b.WriteString(strings.Repeat(p, 1+r.IntN(3)))
		if ansi.StringWidth(b.String()) > width+4 {
			break
		}
	}
	return b.String()
}

// change makes the next frame out of the last: a few other rows, a shift, or a different frame.
func change(r *rand.Rand, rows []string, w int) []string {
	rows = append([]string(nil), rows...)
	h := len(rows)
	switch r.IntN(5) {
	case 0:
		for y := range rows {
			rows[y] = randomRow(r, w)
		}
	case 1:
		top, n := r.IntN(h), 1+r.IntN(3)
		for y := top; y < h; y++ {
			if y+n < h {
				rows[y] = rows[y+n]
			} else {
				rows[y] = randomRow(r, w)
			}
		}
	case 2:
		top, n := r.IntN(h), 1+r.IntN(3)
		for y := h - 1; y >= top; y-- {
			if y-n >= top {
				rows[y] = rows[y-n]
			} else {
				rows[y] = randomRow(r, w)
			}
		}
	case 3:
		y := r.IntN(h)
		rows[y] += pieces[r.IntN(len(pieces))]
	default:
		for range 1 + r.IntN(3) {
			rows[r.IntN(h)] = randomRow(r, w)
		}
	}
	return rows
}

// checkRandom runs a random sequence of frames and compares the emulated screen with each of them.
func checkRandom(t *testing.T, seed uint64, frames int) {
	r := rand.New(rand.NewPCG(seed, 1))
	w, h := 1+r.IntN(60), 1+r.IntN(20)
	v := newVirtual(t, w, h)
	s := newTestScreen(w, h)
	s.fills = seed%2 == 0
	rows := make([]string, h)
	for i := range frames {
		if r.IntN(20) == 0 {
			w, h = 1+r.IntN(60), 1+r.IntN(20)
			v.resize(w, h)
			s.resize(w, h)
			rows = append(rows, make([]string, 20)...)[:h]
		}
		rows = change(r, rows, w)
		at := Pos{r.IntN(w), r.IntN(h)}
		before := s.texts()
		show(t, s, v, rows, at)
		if t.Failed() {
			return
		}
		func() {
			defer func() {
				if t.Failed() {
					t.Logf("seed %d, frame %d\nbefore %q\nwrote %q", seed, i, before, s.out.String())
				}
			}()
			v.check(t, rows, w, h)
			if got := v.cursor(); got != at {
				t.Fatalf("cursor at %v, want %v", got, at)
			}
		}()
	}
}

func TestScreenShowsWhatWasPainted(t *testing.T) {
	for seed := range uint64(repeat.Times(10, 20, 60)) {
		checkRandom(t, seed, 40)
	}
}

func FuzzScreen(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandom(t, seed, 20) })
}
