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
