package builtin

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/gitdir"
)

func TestInstructions(t *testing.T) {
	home := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("AGENTS.md", "not taken: it is the home directory")
	write("conf/AGENTS.md", "mine")
	write("src/CLAUDE.md", "above the repository")
	write("src/repo/.git/HEAD", "ref: refs/heads/fix/it\n")
	write("src/repo/AGENTS.md", "of the repository")
	write("src/repo/CLAUDE.md", "of the repository\n")
	write("src/repo/sub/CLAUDE.md", "of the part")
	write("src/repo/sub/deep/AGENTS.md", strings.Repeat("é", mostInstructions))
	order := func(dir string) string {
		var found []string
		text, _ := instructions(context.Background(), filepath.Join(home, "conf"), home, filepath.Join(home, dir))
		for _, m := range regexp.MustCompile(`<instructions file="([^"]*)">`).FindAllStringSubmatch(text, -1) {
			rel, _ := filepath.Rel(home, m[1])
			found = append(found, filepath.ToSlash(rel))
		}
		return strings.Join(found, " ")
	}
	for dir, want := range map[string]string{
		"src/repo/sub":      "conf/AGENTS.md src/repo/AGENTS.md src/repo/sub/CLAUDE.md",
		"src/repo/sub/deep": "conf/AGENTS.md src/repo/AGENTS.md src/repo/sub/CLAUDE.md src/repo/sub/deep/AGENTS.md",
		"src":               "conf/AGENTS.md src/CLAUDE.md", "src/other": "conf/AGENTS.md src/CLAUDE.md", "": "conf/AGENTS.md AGENTS.md",
	} {
		if got := order(dir); got != want {
			t.Errorf("%s: %s", dir, got)
		}
	}
	all, _ := instructions(context.Background(), "", home, filepath.Join(home, "src/repo/sub/deep"))
	if len(all) > mostInstructions+500 || !strings.Contains(all, "too many instructions") {
		t.Errorf("%d bytes", len(all))
	}
	if got := gitdir.Branch(t.Context(), filepath.Join(home, "src/repo/sub")); got != "fix/it" {
		t.Error(got)
	}
}
