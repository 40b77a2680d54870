package crash

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/ui/md/cells"
)

// The text of a panic and the path of its file may contain anything.
func TestReportDrivesNoTerminal(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "a\x1b[2J\u202eb"), "/dev/null/a\x1b[2J"} {
		var said bytes.Buffer
		Report{Dir: dir, Now: func() time.Time { return time.Unix(0, 0) }, Errors: &said}.Write(&Crash{Value: "at \x1b]52;c;aGk=\x07"})
		if got := said.String(); got != cells.Visible(got) || !strings.Contains(got, "␛") {
			t.Errorf("%q", got)
		}
	}
}
