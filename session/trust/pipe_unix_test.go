//go:build unix

package trust

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNamedPipe would wait for ever if it were opened for reading.
func TestNamedPipe(t *testing.T) {
	home, repo := place(t, map[string]string{".claude/agents/": ""})
	for _, name := range []string{".mcp.json", ".claude/settings.json", ".claude/agents/a.md"} {
		if err := unix.Mkfifo(filepath.Join(repo, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	items, _ := mustScan(t, repo, home)
	if got := outline(items, repo); strings.Count(got, "is not a regular file") != 3 {
		t.Errorf("got\n%s", got)
	}
}
