package fault

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/md/cells"
)

// The text of a panic and the path of its file may contain anything.
func TestReportDrivesNoTerminal(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "a\x1b[2J\u202eb"), "/dev/null/a\x1b[2J"} {
		var said bytes.Buffer
		Report{Dir: dir, Now: func() time.Time { return time.Unix(0, 0) }, Errors: &said}.Write(&Crash{value: "at \x1b]52;c;aGk=\x07"})
		if got := said.String(); got != cells.Visible(got) || !strings.Contains(got, "␛") {
			t.Errorf("%q", got)
		}
	}
}

// A panic of one command of a batch reaches the loop with the stack of the command.
func TestGuarded(t *testing.T) {
	batch := Guarded(tea.Batch(func() tea.Msg { return "fine" }, func() tea.Msg { panic("broken") }))().(tea.BatchMsg)
	if got := batch[0](); got != "fine" {
		t.Errorf("the other command returned %v", got)
	}
	c, ok := batch[1]().(Crash)
	if !ok || !strings.Contains(string(c.stack), "TestGuarded") {
		t.Fatalf("got %v", c.value)
	}
	defer func() {
		if got := New(recover()); got.value != "broken" || string(got.stack) != string(c.stack) {
			t.Errorf("raised %v with another stack", got.value)
		}
	}()
	c.Raise()
}
