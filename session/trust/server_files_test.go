package trust

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"parley/session"
)

// What the builtin agent would start is listed with every part that matters, and any change of it is asked about again.
func TestRepositoryServers(t *testing.T) {
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
	s := New(Options{Dir: t.TempDir(), Home: home, Servers: true, List: func(context.Context, string) []session.RepositoryItem { return nil }})
	check := func(want ...string) []session.RepositoryItem {
		t.Helper()
		items, err := s.Untrusted(t.Context(), filepath.Join(repo, "."))
		if err != nil || len(items) != len(want) {
			t.Fatalf("%+v %v", items, err)
		}
		for i, one := range items {
			if one.Kind != "mcp server" || one.Name+" | "+one.Runs != want[i] {
				t.Errorf("%+v", one)
			}
		}
		return items
	}
	check()
	write(".mcp.json", `{"mcpServers":{"a":{"command":"npx","args":["a"],"env":{"MODE":"fast"}}}}`)
	write(".github/mcp.json", `{"mcpServers":{"b":{"type":"http","url":"https://b.example"}}}`)
	write(".vscode/mcp.json", `{"servers":{"c":{"command":"c"}},"inputs":[]}`)
	items := check("b at https://b.example | ", "a with MODE=fast | npx a", "c | c")
	if err := s.Trust(t.Context(), repo, items, true); err != nil {
		t.Fatal(err)
	}
	if yes, err := s.Trusted(repo); !yes || err != nil {
		t.Fatal("not trusted")
	}
	write(".vscode/mcp.json", `{"servers":{"c":{"command":"c","cwd":"/elsewhere"}},"inputs":[]}`)
	if yes, _ := s.Trusted(repo); yes {
		t.Error("still trusted after a hidden change")
	}
	check("b at https://b.example | ", "a with MODE=fast | npx a", "c | c")
	write(".mcp.json", `{`)
	check("b at https://b.example | ", "cannot be read as JSON: unexpected end of JSON input | ", "c | c")
}
