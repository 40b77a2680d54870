//go:build unix

package editor

import (
	"io"
	"strings"
	"testing"
)

// A failing editor is named, with what is wrong with it.
func TestEditorFailures(t *testing.T) {
	for line, want := range map[string]string{
		"/nonexistent/ed -w": "/nonexistent/ed -w: there is no such command",
		"sh -c 'exit 3'":     "sh -c 'exit 3': exit status 3",
	} {
		command := FromEnvironment(line, nil, func(string) string { return "" })
		if err := command.Edit("file", 0, strings.NewReader(""), io.Discard, io.Discard); err == nil || err.Error() != want {
			t.Errorf("%s: %v", line, err)
		}
	}
}
