package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const baselineRules = `
rules:
  - when: {prompt: first, result: false}
    reply:
      - {tool: Write, input: {file_path: new.txt, content: "one\n"}}
      - {tool: Bash, input: {command: "echo more >> old.txt && rm gone.txt"}}
  - when: {prompt: second, result: false}
    reply: [{tool: Write, input: {file_path: new.txt, content: "two\n"}}]
  - when: {}
    reply: Done.
`

// TestChangesSinceTheBegin has the changes of a whole session against what was there when it began: what two turns did to a file is one
// change, and what a command changed or removed counts too. Where the contents cannot be kept, or nothing of it, the turns run all the same.
func TestChangesSinceTheBegin(t *testing.T) {
	for name, broken := range map[string]string{"kept": "", "no contents": "images", "no record": "edits"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).signIn(baselineRules)
			for _, name := range []string{"old", "gone"} {
				if err := os.WriteFile(filepath.Join(w.dir, name+".txt"), []byte(name+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			data := filepath.Join(w.home, ".local", "share", "parley")
			if err := os.MkdirAll(data, 0o700); err != nil {
				t.Fatal(err)
			}
			if broken != "" { // a file where a directory should be
				if err := os.WriteFile(filepath.Join(data, broken), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			rights := []string{"--permission-mode", "bypassPermissions"}
			for _, args := range [][]string{{"-p", "first"}, {"-p", "-c", "second"}} {
				if o := w.run(append(args, rights...)...); o.code != 0 || !strings.Contains(o.out, "Done.") {
					t.Fatalf("%q: %+v", args, o)
				}
			}
			for file, want := range map[string]string{"new.txt": "two\n", "old.txt": "old\nmore\n", "gone.txt": ""} {
				if got, _ := os.ReadFile(filepath.Join(w.dir, file)); string(got) != want {
					t.Errorf("%s is %q", file, got)
				}
			}
			o := w.run("sessions", "diff", "--stat")
			if broken == "edits" {
				if o.code == 0 || !strings.Contains(o.err, "read changes of files") {
					t.Errorf("a record that cannot be read: %+v", o)
				}
			} else if !strings.Contains(o.out, "3 files changed") {
				t.Errorf("%+v", o)
			}
			if broken == "" {
				patch := w.mustRun("sessions", "diff")
				for _, line := range []string{"+two", "+more", "-gone", "new file mode", "deleted file mode"} {
					if !strings.Contains(patch, line) {
						t.Errorf("%q is missing in\n%s", line, patch)
					}
				}
				if strings.Contains(patch, "+one") {
					t.Errorf("a change in between:\n%s", patch)
				}
			}
		})
	}
}
