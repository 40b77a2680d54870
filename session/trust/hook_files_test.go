package trust

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"parley/session"
)

// What hooks would run is listed with every part that matters, and any change of it is asked about again.
func TestRepositoryHooks(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(home, "repo")
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(repo, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".git/HEAD", "x")
	s := New(Options{Dir: t.TempDir(), Home: home, Hooks: true, List: func(context.Context, string) []session.RepositoryItem { return nil }})
	sub := filepath.Join(repo, "sub")
	write("sub/x", "")
	check := func(want ...string) []session.RepositoryItem {
		t.Helper()
		items, err := s.Untrusted(t.Context(), sub)
		if err != nil || len(items) != len(want) {
			t.Fatalf("%+v %v", items, err)
		}
		for i, one := range items {
			if one.Kind != "hook" || one.Name+" | "+one.Runs != want[i] {
				t.Errorf("%+v", one)
			}
		}
		return items
	}
	check()
	write(".claude/settings.json", `{"model":"x","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./a.sh"}]}]}}`)
	write("sub/.claude/settings.local.json", `{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"https://b.example"}]}]}}`)
	write(".github/hooks/c.json", `{"hooks":{"agentStop":[{"type":"command","bash":"./c.sh","cwd":"tools","env":{"MODE":"fast"}}]}}`)
	want := []string{"PreToolUse Bash | ./a.sh", "agentStop in tools with MODE=fast | ./c.sh", "Stop, sends to https://b.example (http) | "}
	items := check(want...)
	if err := s.Trust(t.Context(), sub, items, true); err != nil {
		t.Fatal(err)
	}
	if !s.Permits(sub) {
		t.Fatal("not permitted")
	}
	write(".github/hooks/c.json", `{"hooks":{"agentStop":[{"type":"command","bash":"./c.sh","cwd":"tools","env":{"MODE":"fast"},"args":[]}]}}`)
	if s.Permits(sub) {
		t.Error("still permitted after a hidden change")
	}
	check(want...)
	if files := HookFiles(t.Context(), sub, home); len(files) != 3 || files[0].Dir != sub || files[1].Dir != repo || !files[2].Copilot {
		t.Errorf("%+v", files)
	}
	if files := HookFiles(t.Context(), home, home); files != nil {
		t.Errorf("%+v", files)
	}
}
