package paint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// scrolled paints rows and then the next ones of a longer text, and returns the bytes of the second frame.
func scrolled(t *testing.T, before, after []string, w, h int) int {
	t.Helper()
	v := newVirtual(t, w, h)
	s := newScreen(colorprofile.TrueColor, true)
	s.scroll = true
	s.resize(w, h)
	sent := 0
	for _, rows := range [][]string{before, after} {
		s.out.Reset()
		s.paint(rows, Pos{0, h - 1})
		sent = s.out.Len()
		_, _ = v.Write(s.out.Bytes())
		v.check(t, rows, w, h)
	}
	return sent
}

// Text in which many rows look alike moves like any other.
func TestRowsThatLookAlikeAreMoved(t *testing.T) {
	text := make([]string, 60)
	for i := range text {
		text[i] = [...]string{"the same words in many rows of the text", "  return err", "}", ""}[i%4]
		if i%4 == 0 && i%8 == 0 {
			text[i] += " now and then with more"
		}
	}
	frame := func(from int) []string {
		return append(append([]string{}, text[from:from+20]...), "a status line that stays where it is", "> ")
	}
	for by := 1; by <= 5; by++ {
		if n := scrolled(t, frame(0), frame(by), 80, 22); n > 45+by*90 {
			t.Errorf("%d bytes to move by %d", n, by)
		}
	}
}

// The row that text streams into is moved too when it goes on.
func TestTheRowThatGoesOnIsMoved(t *testing.T) {
	var rows []string
	for i := range 18 {
		rows = append(rows, fmt.Sprint("row ", i, strings.Repeat(" word", i%7+5)))
	}
	open := strings.Repeat("open ", 12)
	before := append(append([]string{}, rows...), open, "status", "> ")
	after := append(append([]string{}, rows[2:]...), open+"more", "below", "last", "status", "> ")
	if n := scrolled(t, before, after, 80, 21); n > 60 {
		t.Errorf("%d bytes", n)
	}
	// A row that stays is not moved along.
	before = append(append([]string{}, rows...), open, open, "> ")
	after = append(append([]string{}, rows[2:]...), open+"more", "below", open, open, "> ")
	scrolled(t, before, after, 80, 21)
}

// Rows that get their colors in the frame in which they move are moved, and only their colors are written.
func TestRowsThatGetTheirColorsAreMoved(t *testing.T) {
	row := func(i int, color string) string {
		return fmt.Sprint(color, "func", "\x1b[m name", i, "(a, b int) (sum int, err error) {", strings.Repeat(" // a long remark", 2))
	}
	var before, after []string
	for i := range 20 {
		before = append(before, row(i, ""))
		after = append(after, row(i+4, "\x1b[38;2;1;2;3m"))
	}
	// Sixteen rows: the place, the color, four letters; four new rows of some 80 letters.
	if n := scrolled(t, append(before, "> "), append(after, "> "), 100, 21); n > 16*40+4*120 {
		t.Errorf("%d bytes", n)
	}
}

// A sequence of any kind, whole or cut, is no letter.
func TestHashIsOfTheLetters(t *testing.T) {
	s := newScreen(colorprofile.TrueColor, true)
	for _, styled := range []string{"ab", "\x1b[1ma\x1b[0mb", "a\x1b]8;;https://go.dev\x1b\\b\x1b]8;;\x1b\\", "a\x1b]8;;x\x07b", "ab\x1b[38;2;1", "ab\x1b]8;;", "ab\x1b"} {
		if s.hash(styled) != s.hash("ab") {
			t.Errorf("%q is spelled otherwise", styled)
		}
	}
	for _, other := range []string{"", "a", "abc", "a\x1b[1mc"} {
		if s.hash(other) == s.hash("ab") {
			t.Errorf("%q is spelled alike", other)
		}
	}
}
