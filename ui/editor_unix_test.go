//go:build unix

package ui

import (
	"io"
	"strings"
	"testing"
)

// A failing editor is named, with what is wrong with it.
func TestEditorFailures(t *testing.T) {
	for editor, want := range map[string]string{
		"/nonexistent/ed -w": "/nonexistent/ed -w: there is no such command",
		"sh -c 'exit 3'":     "sh -c 'exit 3': exit status 3",
	} {
		o := Options{EditorCommand: editor}
		if err := o.runEditor("file", strings.NewReader(""), io.Discard, io.Discard); err == nil || err.Error() != want {
			t.Errorf("%s: %v", editor, err)
		}
	}
}
