//go:build contract

package mapper

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// TestContractRecordedLogs maps the logs of real tasks that gh's own tests have.
func TestContractRecordedLogs(t *testing.T) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cli/cli/v2")
	cmd.Dir = filepath.Join("..", "..", "..", ".ci", "contract", "gh")
	download := exec.Command("go", "mod", "download", "github.com/cli/cli/v2")
	download.Dir = cmd.Dir
	if out, err := download.CombinedOutput(); err != nil {
		t.Fatalf("download gh: %v\n%s", err, out)
	}
	dir, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "pkg", "cmd", "agent-task", "shared", "testdata", "log-[0-9]-input.txt"))
	if err != nil || len(logs) < 2 {
		t.Fatalf("gh has the logs %q, %v", logs, err)
	}
	for _, file := range logs {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := newMapper("/here")
		tr := session.Fold(append(m.Feed(text), m.End()...))
		if len(tr.Turns) != 1 {
			t.Fatalf("%s: %d turns", file, len(tr.Turns))
		}
		texts, calls, edits := 0, 0, 0
		for _, e := range tr.Turns[0].Entries {
			switch e := e.(type) {
			case *session.Part:
				texts++
			case *session.Tool:
				calls++
				edits += len(e.Edits)
				if e.Outcome != session.ToolOK || strings.Contains(string(e.Input), "cd /home/runner") || strings.Contains(e.Result.Text, "diff --git") {
					t.Errorf("%s: %s %s ended %q: %.200s", file, e.Name, e.Input, e.Outcome, e.Result.Text)
				}
				if e.Name == toolBash && e.Result.ExitCode == nil {
					t.Errorf("%s: %s has no exit code: %.200s", file, e.Input, e.Result.Text)
				}
			}
		}
		if texts < 8 || calls < 12 || edits < 1 || len(tr.Todos) < 4 || tr.Title == "" || tr.Usage.Output == 0 {
			t.Errorf("%s: %d texts, %d calls, %d edits, %d todos, title %q, usage %+v", file, texts, calls, edits, len(tr.Todos), tr.Title, tr.Usage)
		}
		for _, todo := range tr.Todos {
			if todo.State != session.TodoDone {
				t.Errorf("%s: %q is %s", file, todo.Text, todo.State)
			}
		}
	}
}
