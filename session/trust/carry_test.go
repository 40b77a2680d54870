package trust

import (
	"os"
	"path/filepath"
	"testing"
)

// A yes goes along to another tree that brings the same in the same places, and to no other one.
func TestCarry(t *testing.T) {
	files := map[string]string{".claude/settings.json": hook, "lib/.mcp.json": `{"mcpServers":{"x":{"command":"./x","env":{"KEY":"1"}}}}`, "CLAUDE.md": "a"}
	for _, tt := range []struct {
		name   string
		no     bool              // the user said no
		change map[string]string // in the new tree
		said   bool              // the user decided about the new tree
		want   bool
	}{
		{name: "the same", want: true},
		{name: "a no", no: true},
		{name: "another hook", change: map[string]string{".claude/settings.json": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./evil"}]}]}}`}},
		{name: "another secret value", change: map[string]string{"lib/.mcp.json": `{"mcpServers":{"x":{"command":"./x","env":{"KEY":"2"}}}}`}},
		{name: "one more server", change: map[string]string{".mcp.json": `{"mcpServers":{"y":{"command":"./y"}}}`}},
		{name: "said no there", said: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home, repo := place(t, files)
			tree(t, repo, map[string]string{".git/HEAD": "x"})
			other := filepath.Join(filepath.Dir(repo), "other")
			tree(t, other, files)
			tree(t, other, map[string]string{".git": "gitdir: x"})
			tree(t, other, tt.change)
			s := newStore(t, home)
			at, there := filepath.Join(repo, "lib"), filepath.Join(other, "lib")
			if err := s.Trust(t.Context(), at, ask(t, s, at), !tt.no); err != nil {
				t.Fatal(err)
			}
			if tt.said {
				if err := s.Trust(t.Context(), there, ask(t, s, there), false); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Carry(t.Context(), repo, other, "lib"); err != nil {
				t.Fatal(err)
			}
			if got := trusted(t, New(s.o), there); got != tt.want {
				t.Errorf("trusted: %v", got)
			}
			if trusted(t, s, other) {
				t.Error("it spreads to the top")
			}
		})
	}
	home, repo := place(t, files)
	s := newStore(t, home)
	if err := s.Carry(t.Context(), repo, filepath.Join(repo, "gone"), ""); err == nil {
		t.Error("a tree that is not there")
	}
	if left, _ := os.ReadDir(s.o.Dir); len(left) > 0 {
		t.Errorf("something was decided: %v", left)
	}
}
