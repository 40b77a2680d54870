package lookup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/builtin/lsp"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/toolview"
)

// patient are times in which a busy machine answers.
var patient = lsp.Bounds{Start: time.Minute, Load: time.Minute, Base: time.Minute, Settle: time.Minute, Call: time.Minute, Leave: time.Minute,
	First: time.Minute, Edit: time.Minute, Quiet: 10 * time.Millisecond}

func TestTool(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.fk": "def one\nuse one\n", "hidden.fk": "one\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	processes := proc.New(proc.Options{})
	defer processes.Close()
	deny, err := permission.ParseRule("read hidden.fk")
	if err != nil {
		t.Fatal(err)
	}
	deny.Ruling = permission.Deny
	s := New(Options{Processes: processes, Environ: func(session.ID) []string { return append(os.Environ(), "PARLEY_FAKE_SERVER=1") },
		LSP: lsp.Options{Servers: []lsp.Custom{{Name: "fake", Command: []string{program}, Extensions: []string{".fk"}}}, Bounds: patient},
		Policy: func(dirs []string) permission.Policy {
			return permission.Policy{Dirs: dirs, Rules: []permission.Rule{deny}}.OnDisk(nil)
		}})
	open := session.OpenOptions{Session: "s", Dir: dir}
	tool, ok := s.Tool(open)
	if !ok || tool.Name != Name || toolview.Describe(tool.Name, nil, "").Kind != toolview.Search {
		t.Fatalf("%+v, %v", tool, ok)
	}
	if _, ok := s.Tool(session.OpenOptions{Session: "empty", Dir: t.TempDir()}); ok {
		t.Error("a tool for a directory without code")
	}
	ask := func(input string) string {
		r, err := tool.Call(t.Context(), session.ClientCall{Input: []byte(input)})
		if err != nil {
			return "error: " + err.Error()
		}
		return r.Text
	}
	define := `{"operation":"definition","symbol":"one","file_path":`
	for range 2 {
		if got := ask(define + `"a.fk"}`); got != "a.fk:1:1: def one\n" {
			t.Error(got)
		}
		for key, p := range s.open { // as after a while without questions
			s.close(key, p)
		}
	}
	for input, want := range map[string]string{define + `"hidden.fk"}`: "error: the user's rules deny", `{}`: "error: ", define + `"/etc/passwd"}`: "error: "} {
		if got := ask(input); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", input, got)
		}
	}
	for key, p := range s.open {
		p.end.Stop()
		s.close(key, p)
	}
}
