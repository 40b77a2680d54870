//go:build unix

package agentfiles

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A repository cannot make parley read files elsewhere, wait, or read without end.
func TestHostileFolders(t *testing.T) {
	w := newWorld(t)
	secret := w.put("secret.md", "---\ndescription: secret\n---\nelsewhere\n")
	dir := filepath.Join(w.repo, ".github", "agents")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(secret, "out.agent.md")
	link("/dev/zero", "zero.agent.md")
	link("gone", "gone.agent.md")
	link(".", "loop")
	link(w.home, "home")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.agent.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.put("repo/.github/agents/good.agent.md", "---\ndescription: good\n---\ng\n")
	done := make(chan struct{})
	var agents, problems []string
	go func() { defer close(done); agents, problems = w.names() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("reading does not end")
	}
	if got := strings.Join(agents, ","); got != "good repository" {
		t.Errorf("found %s", got)
	}
	all := strings.Join(problems, "\n")
	for _, want := range []string{"out.agent.md: it is a link that leads elsewhere", "pipe.agent.md: it is not a regular file", "gone.agent.md: "} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "secret") {
		t.Error("a problem contains what lies elsewhere")
	}
}
