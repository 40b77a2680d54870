package trust

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"parley/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newStore(t testing.TB, home string) *Store {
	return New(Options{Dir: filepath.Join(t.TempDir(), "trust"), Home: home})
}

func ask(t testing.TB, s *Store, dir string) []session.RepositoryItem {
	t.Helper()
	items, err := s.Untrusted(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func trusted(t testing.TB, s *Store, dir string) bool {
	t.Helper()
	yes, err := s.Trusted(dir)
	if err != nil {
		t.Fatal(err)
	}
	return yes
}

const hook = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./done"}]}]}}`

func TestTrust(t *testing.T) {
	home, repo := place(t, map[string]string{".claude/settings.json": hook})
	s := newStore(t, home)
	if trusted(t, s, repo) {
		t.Error("trusted before anything was said")
	}
	items := ask(t, s, repo)
	if len(items) != 1 || items[0].Runs != "./done" {
		t.Fatalf("items %+v", items)
	}
	if err := s.Trust(t.Context(), repo, items, true); err != nil {
		t.Fatal(err)
	}
	other := New(s.o) // another process
	for _, s := range []*Store{s, other} {
		if !trusted(t, s, repo) || len(ask(t, s, repo)) != 0 {
			t.Error("the yes is not remembered")
		}
	}
	if trusted(t, s, home) || trusted(t, s, filepath.Dir(repo)) {
		t.Error("it spreads")
	}

	// Anything that is added asks again, and until then nothing is trusted.
	tree(t, repo, map[string]string{".mcp.json": `{"mcpServers":{"x":{"command":"./x"}}}`})
	if trusted(t, s, repo) {
		t.Error("trusted with something new")
	}
	items = ask(t, s, repo)
	if len(items) != 2 {
		t.Fatalf("items %+v", items)
	}
	if err := s.Trust(t.Context(), repo, items, false); err != nil {
		t.Fatal(err)
	}
	if trusted(t, s, repo) || len(ask(t, s, repo)) != 0 {
		t.Error("the no is not remembered")
	}
	// Back to what was agreed to once: a decision is about one list, and the last one counts.
	os.Remove(filepath.Join(repo, ".mcp.json"))
	if trusted(t, s, repo) || len(ask(t, s, repo)) != 1 {
		t.Error("the list before the last still counts")
	}
}

// TestWhatAsksAgain changes one thing after a yes.
func TestWhatAsksAgain(t *testing.T) {
	base := map[string]string{
		".claude/settings.json":  `{"env":{"API_TOKEN":"one","A":"1"},"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"./done","timeout":5}]}]}}`,
		".mcp.json":              `{"mcpServers":{"db":{"command":"db","env":{"X_SECRET":"1"}},"w":{"url":"http://h","headers":{"A":"b"}}}}`,
		"CLAUDE.md":              "one",
		".claude/agents/a.md":    "one",
		".claude/rules/large.md": "x",
	}
	for name, tc := range map[string]struct {
		file, text string
		again      bool
	}{
		"command of a hook":         {".claude/settings.json", strings.Replace(base[".claude/settings.json"], "./done", "./gone", 1), true},
		"another part of a hook":    {".claude/settings.json", strings.Replace(base[".claude/settings.json"], `"timeout":5`, `"async":true`, 1), true},
		"a secret":                  {".claude/settings.json", strings.Replace(base[".claude/settings.json"], `"one"`, `"two"`, 1), true},
		"a value that is not shown": {".claude/settings.json", strings.Replace(base[".claude/settings.json"], "opus", "haiku", 1), true},
		"spaces":                    {".claude/settings.json", strings.Replace(base[".claude/settings.json"], `"env":`, "\n\"env\":  ", 1), false},
		"a server's environment":    {".mcp.json", strings.Replace(base[".mcp.json"], `"1"`, `"2"`, 1), true},
		"a server's headers":        {".mcp.json", strings.Replace(base[".mcp.json"], `"b"`, `"c"`, 1), true},
		"broken":                    {".mcp.json", "{", true},
		"words of instructions":     {"CLAUDE.md", "two", false},
		"words of an agent":         {".claude/agents/a.md", "two", false},
		"head of an agent":          {".claude/agents/a.md", "---\nhooks: {Stop: [{hooks: [{command: x}]}]}\n---\n", true},
		"one more agent":            {".claude/agents/b.md", "x", true},
		"local instructions":        {"CLAUDE.local.md", "x", true},
		"an unrelated file":         {"main.go", "package main", false},
	} {
		t.Run(name, func(t *testing.T) {
			home, repo := place(t, base)
			s := newStore(t, home)
			if err := s.Trust(t.Context(), repo, ask(t, s, repo), true); err != nil {
				t.Fatal(err)
			}
			tree(t, repo, map[string]string{tc.file: tc.text})
			if got := !trusted(t, s, repo); got != tc.again {
				t.Errorf("asks again: %v, want %v", got, tc.again)
			}
			if got := len(ask(t, s, repo)) > 0; got != tc.again {
				t.Errorf("lists again: %v, want %v", got, tc.again)
			}
		})
	}
}

func TestChangedWhileReading(t *testing.T) {
	for name, text := range map[string]string{
		"another command":           strings.Replace(hook, "./done", "./evil", 1),
		"a value that is not shown": strings.Replace(hook, `"type":"command"`, `"type":"command","async":true`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			home, repo := place(t, map[string]string{".claude/settings.json": hook})
			s := newStore(t, home)
			items := ask(t, s, repo)
			tree(t, repo, map[string]string{".claude/settings.json": text})
			if err := s.Trust(t.Context(), repo, items, true); session.KindOf(err) != session.KindInvalid {
				t.Errorf("agreed to what was not shown: %v", err)
			}
			if trusted(t, s, repo) {
				t.Error("trusted")
			}
			if items = ask(t, s, repo); len(items) != 1 {
				t.Fatalf("items %+v", items)
			}
			if err := s.Trust(t.Context(), repo, items, true); err != nil || !trusted(t, s, repo) {
				t.Errorf("the new list: %v", err)
			}
		})
	}
}

func TestNothingToTrust(t *testing.T) {
	home, repo := place(t, map[string]string{"main.go": "package main"})
	s := newStore(t, home)
	if items := ask(t, s, repo); len(items) != 0 || trusted(t, s, repo) {
		t.Errorf("items %+v", items)
	}
	if _, err := os.Stat(s.o.Dir); !os.IsNotExist(err) {
		t.Error("asking wrote something")
	}
	if _, err := s.Trusted(filepath.Join(repo, "gone")); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	if _, err := s.Untrusted(t.Context(), filepath.Join(repo, "gone")); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	if err := s.Trust(t.Context(), filepath.Join(repo, "gone"), nil, true); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
}

func TestDecisionsOnDisk(t *testing.T) {
	home, repo := place(t, map[string]string{".claude/settings.json": hook})
	s := newStore(t, home)
	if err := s.Trust(t.Context(), repo, ask(t, s, repo), true); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(s.o.Dir, "*"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{files[0]: 0o600, s.o.Dir: 0o700 | os.ModeDir} {
			if info, err := os.Stat(path); err != nil || info.Mode() != want {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var d decision
	if err := json.Unmarshal(good, &d); err != nil {
		t.Fatal(err)
	}
	elsewhere := d
	elsewhere.Dir = filepath.Dir(repo)
	other, _ := json.Marshal(elsewhere)
	for name, text := range map[string]string{"empty": "", "cut short": string(good[:20]), "noise": "null", "of another directory": string(other)} {
		if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if trusted(t, s, repo) || len(ask(t, s, repo)) != 1 {
			t.Errorf("%s: still trusted", name)
		}
	}
	// A place that cannot be written is an error, and no trust.
	s.o.Dir = files[0]
	if err := s.Trust(t.Context(), repo, ask(t, s, repo), true); session.KindOf(err) != session.KindDisk || trusted(t, s, repo) {
		t.Error(err)
	}
}

// TestDecisionsAtOnce has stores that share nothing but the directory, as processes do.
func TestDecisionsAtOnce(t *testing.T) {
	home, repo := place(t, map[string]string{".claude/settings.json": hook})
	o := newStore(t, home).o
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := New(o)
			dir := repo
			if i%2 == 1 {
				dir = filepath.Join(repo, fmt.Sprint("sub", i))
				tree(t, dir, map[string]string{"x": ""})
			}
			for range 10 {
				items, _, err := scan(t.Context(), ClaudeCode, dir, home, "")
				if err != nil {
					t.Error(err)
				}
				if err := s.Trust(t.Context(), dir, items, true); err != nil {
					t.Error(err)
				}
				if yes, err := s.Trusted(dir); !yes || err != nil {
					t.Errorf("%v, %v", yes, err)
				}
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(filepath.Join(o.Dir, ".new-*")); len(left) != 0 {
		t.Errorf("left behind %v", left)
	}
}

// BenchmarkUntrusted is what a start in a repository costs.
func BenchmarkUntrusted(b *testing.B) {
	home, repo := place(b, map[string]string{".claude/settings.json": everything, "CLAUDE.md": "x", ".mcp.json": "{}"})
	s := newStore(b, home)
	b.ReportAllocs()
	for b.Loop() {
		ask(b, s, repo)
	}
}
