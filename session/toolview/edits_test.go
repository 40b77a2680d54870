package toolview

import (
	"testing"

	"parley/session"
)

func TestChanges(t *testing.T) {
	lines, image := session.FileEdit{Added: 3, Removed: 2}, session.FileEdit{Note: "binary"}
	for want, edits := range map[string][]session.FileEdit{
		"+0 -0": {{}}, "+3 -2": {image, lines}, "+6 -4": {lines, lines}, "binary": {image, image},
	} {
		if got := Changes(edits); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
