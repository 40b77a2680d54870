package ui

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/ui/chat"
	"parley/ui/md/cells"
)

// What a panic says, and where its file lies, may hold anything.
func TestCrashReportDrivesNoTerminal(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "a\x1b[2J\u202eb"), "/dev/null/a\x1b[2J"} {
		var said bytes.Buffer
		o := Options{Options: chat.Options{Now: func() time.Time { return time.Unix(0, 0) }}, CrashDir: dir, Errors: &said}
		writeCrash(o, &crashMsg{value: "at \x1b]52;c;aGk=\x07"})
		if got := said.String(); got != cells.Visible(got) || !strings.Contains(got, "␛") {
			t.Errorf("%q", got)
		}
	}
}
