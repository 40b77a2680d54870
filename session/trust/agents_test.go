package trust

import (
	"context"
	"encoding/json"
	"testing"

	"parley/session"
)

// The servers of a repository's agents are listed with what they run, and any change of an entry is asked about again.
func TestServersOfAgentsAreListed(t *testing.T) {
	home, repo := place(t, map[string]string{"a.go": ""})
	agents := []session.CustomAgent{{Name: "plain", Path: "/agents/plain.md"}}
	s := New(Options{Dir: t.TempDir(), Home: home, List: func(context.Context, string) []session.RepositoryItem { return nil },
		Agents: func(context.Context, string) []session.CustomAgent { return agents }})
	if items, err := s.Untrusted(t.Context(), repo); err != nil || len(items) > 0 {
		t.Fatalf("%+v %v", items, err)
	}
	lender := func(entry string) {
		agents = append(agents[:1:1], session.CustomAgent{Name: "lender", Path: "/agents/lender.md", Servers: json.RawMessage(`{"depot":` + entry + `}`)})
	}
	lender(`{"command":"npx","args":["depot"],"env":{"KEY":"1"}}`)
	items := ask(t, s, repo)
	if len(items) != 1 || items[0].Kind != "mcp server" || items[0].Runs != "npx depot" || items[0].Path != "/agents/lender.md" {
		t.Fatalf("%+v", items)
	}
	if err := s.Trust(t.Context(), repo, items, true); err != nil {
		t.Fatal(err)
	}
	if !trusted(t, s, repo) {
		t.Error("not trusted")
	}
	lender(`{"command":"npx","args":["depot"],"env":{"KEY":"2"}}`)
	if trusted(t, s, repo) {
		t.Error("still trusted after a hidden change")
	}
	lender(`["npx"]`)
	if items := ask(t, s, repo); len(items) != 1 || trusted(t, s, repo) {
		t.Errorf("%+v", items)
	}
}

func TestWithin(t *testing.T) {
	home, repo := place(t, map[string]string{".git/HEAD": "x", "lib/a.md": "x"})
	tree(t, home, map[string]string{"own.md": "x"})
	for _, c := range []struct {
		dir, file string
		want      bool
	}{{repo + "/lib", repo + "/lib/a.md", true}, {repo + "/lib", repo + "/.git/HEAD", true}, {repo, home + "/own.md", false},
		{repo, repo + "/gone.md", true}, {home, home + "/own.md", false}} {
		if got := Within(c.dir, home, c.file); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
