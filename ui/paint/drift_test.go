package paint

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// A terminal that measures clusters where we measure code points, or the other way round, moves some cells. The text behind
// such a cell is still in its place, and nothing is left over when the row changes.
func TestRowsOfDoubtfulWidth(t *testing.T) {
	const w, h = 30, 3
	v := newVirtual(t, w, h) // measures clusters
	s := newScreen(colorprofile.TrueColor, true)
	s.resize(w, h) // measures code points
	column := func(x, y int) string {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.emu.CellAt(x, y).Content
	}
	doubtful := []string{"ab ⚠️x|", "ab 👨‍👩‍👧‍👦|", "1️⃣ one|", "👍🏽👍🏽|", "नमस्ते|"}
	for _, row := range doubtful {
		show(t, s, v, []string{"top", row, "end"}, Pos{})
		cells := s.shown[1].cells
		for x := range cells {
			if cells[x].Content == "|" && column(x, 1) != "|" {
				t.Errorf("%q: the text behind it is not in column %d: %q", row, x, v.row(1))
			}
		}
		plain := []string{"top", "abcdefghijklmnopqrstuvwxyz", "end"}
		show(t, s, v, plain, Pos{})
		v.check(t, plain, w, h)
		show(t, s, v, []string{"top", "", "end"}, Pos{})
		v.check(t, []string{"top", "", "end"}, w, h)
	}
}

func TestRowKeepsControlsOut(t *testing.T) {
	for _, c := range []struct{ name, row, want string }{
		{"cursor movement", "a\x1b[2Jb\x1b[10;10Hc", "abc"},
		{"title", "a\x1b]0;owned\x07b", "ab"},
		{"clipboard", "a\x1b]52;c;aGk=\x1b\\b", "ab"},
		{"line feed, bell and tab", "a\nb\ac\td", "abcd"},
		{"C1 as UTF-8", "a\u009b31mb\u009cc", "a31mbc"},
		{"C1 as a byte", "a\x9b2Jb", "a\ufffd2Jb"},
		{"bytes that are no text", "a\xff\xfeb", "a\ufffdb"},
		{"device control", "a\x1bP1$q\x1b\\b", "ab"},
		{"unfinished sequence", "ab\x1b[3", "ab"},
		{"unfinished string", "ab\x1b]8;;http", "ab"},
		{"delete", "a\x7fb", "ab"},
		{"mark without a base", "\u0301ab", "ab"},
		{"link whose address ends the sequence", "\x1b]8;;http://x/\u009cy\x1b\\ab\x1b]8;;\x1b\\", "yab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVirtual(t, 20, 1)
			s := newTestScreen(20, 1)
			show(t, s, v, []string{c.row}, Pos{})
			if got := v.row(0); got != c.want {
				t.Errorf("shows %q, want %q", got, c.want)
			}
			for _, b := range []string{"\u009b", "\u009c", "\a", "\x9b", "\xff", "owned", "aGk"} {
				if strings.Contains(s.out.String(), b) {
					t.Errorf("%q reached the terminal in %q", b, s.out.String())
				}
			}
		})
	}
}

func TestRowLink(t *testing.T) {
	v := newVirtual(t, 20, 1)
	s := newTestScreen(20, 1)
	show(t, s, v, []string{"see \x1b]8;;https://example.com/\x1b\\here\x1b]8;;\x1b\\ now"}, Pos{})
	for x, want := range map[int]string{3: "", 4: "https://example.com/", 7: "https://example.com/", 8: ""} {
		if got := v.emu.CellAt(x, 0).Link.URL; got != want {
			t.Errorf("column %d links to %q, want %q", x, got, want)
		}
	}
}

func TestColoursFitTheTerminal(t *testing.T) {
	const row = "\x1b[1;38;2;255;0;0mred \x1b[mplain"
	for _, c := range []struct {
		profile colorprofile.Profile
		want    string
	}{
		{colorprofile.TrueColor, "\x1b[38;2;255;0;0;1mred \x1b[mplain"},
		{colorprofile.ANSI256, "\x1b[38;5;196;1mred \x1b[mplain"},
		{colorprofile.ANSI, "\x1b[91;1mred \x1b[mplain"},
		{colorprofile.ASCII, "\x1b[1mred \x1b[mplain"},
		{colorprofile.NoTTY, "red plain"},
	} {
		t.Run(c.profile.String(), func(t *testing.T) {
			s := newScreen(c.profile, true)
			s.resize(20, 1)
			s.paint([]string{""}, Pos{})
			s.out.Reset()
			s.paint([]string{row}, Pos{X: 9})
			if got := s.out.String(); got != c.want {
				t.Errorf("wrote %q, want %q", got, c.want)
			}
		})
	}
}

func TestRowIsCutAtTheMargin(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"0123456789", "0123456789"},
		{"0123456789abc", "0123456789"},
		{"012345678漢", "012345678"},
		{"01234567漢", "01234567漢"},
	} {
		v := newVirtual(t, 10, 2)
		s := newTestScreen(10, 2)
		show(t, s, v, []string{c.row, c.row}, Pos{})
		if v.row(0) != c.want || v.row(1) != c.want {
			t.Errorf("%q shows as %q and %q, want %q", c.row, v.row(0), v.row(1), c.want)
		}
	}
}
