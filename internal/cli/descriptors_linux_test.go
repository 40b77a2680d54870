package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestChildrenGetNoDescriptors looks at what the children of a chat on a terminal inherit: a command of the user's own
// and the editor.
func TestChildrenGetNoDescriptors(t *testing.T) {
	w := newWorld(t).signIn(slowly)
	script := filepath.Join(w.dir, "descriptors.sh")
	if err := os.WriteFile(script, []byte("ls -l /proc/$$/fd > \"$OUT\"\necho has-looked > \"${1:-/dev/stdout}\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	// inherited are the descriptors behind the standard ones that a look found.
	inherited := func(name string) map[string]string {
		t.Helper()
		listing, err := os.ReadFile(filepath.Join(w.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for line := range strings.Lines(string(listing)) {
			left, to, ok := strings.Cut(strings.TrimSpace(line), " -> ")
			if fields := strings.Fields(left); ok && !strings.HasSuffix(to, "/descriptors.sh") {
				found[fields[len(fields)-1]] = to
			}
		}
		if found["0"] == "" || found["1"] == "" {
			t.Fatalf("%s is no listing:\n%s", name, listing)
		}
		return found
	}
	// Whoever runs the tests may have descriptors of their own to inherit.
	direct := exec.Command("sh", script)
	direct.Env = append(os.Environ(), "OUT="+filepath.Join(w.dir, "direct"))
	if err := direct.Run(); err != nil {
		t.Fatal(err)
	}
	theirs := inherited("direct")

	w.env = append(w.env, "SHELL=/bin/sh", "EDITOR=env OUT=editor sh ./descriptors.sh")
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send("!OUT=shell sh ./descriptors.sh\r")
	tm.shows("1 line") // it has ended
	tm.send("\x7f")    // drops what it wrote
	tm.until("nothing beside the field", func(s string) bool { return !strings.Contains(s, "has-looked") })
	tm.send("\x07") // ctrl+g
	tm.shows("has-looked")
	for _, name := range []string{"shell", "editor"} {
		for fd, to := range inherited(name) {
			if theirs[fd] == "" {
				t.Errorf("%s inherits %s, %s", name, fd, to)
			}
		}
	}
	tm.send("\x15/quit\r") // ctrl+u
	tm.exit()
}
