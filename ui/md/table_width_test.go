package md

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// One long cell does not widen a column before the last for all others: it wraps, and its neighbors stay near.
func TestALongCellDoesNotWidenItsColumn(t *testing.T) {
	long := "ask whether a command may run, with the parts of it that need an answer"
	d := New(Options{Width: 100, Theme: Dark()})
	d.Append("| what | key |\n|---|---|\n| stop | esc |\n| " + long + " | enter |\n| leave | ctrl+d |\n")
	d.End()
	var rows []string
	for i := range d.Len() {
		rows = append(rows, ansi.Strip(d.Line(i)))
	}
	all := strings.Join(rows, "\n")
	at := strings.Index(rows[0], "key") // no character is wider than a byte up to there
	if at > lonely+3 || !strings.Contains(all, "an answer") || len(rows) != 6 {
		t.Errorf("the second column begins at %d:\n%s", at, all)
	}
}
