//go:build unix

package rules

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// files writes files below a directory.
func files(t *testing.T, dir string, content map[string]string) {
	t.Helper()
	for name, text := range content {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProjectOf(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(names ...string) string { return filepath.Join(append([]string{top}, names...)...) }
	files(t, top, map[string]string{
		"repo/.git/HEAD": "ref: refs/heads/main\n", "repo/sub/deep/a": "", "plain/sub/a": "",
		// a linked working tree, and one that only claims to be one
		"repo/.git/worktrees/tree/gitdir": at("tree", ".git") + "\n", "repo/.git/worktrees/tree/commondir": "../..\n",
		"tree/.git": "gitdir: " + at("repo", ".git", "worktrees", "tree") + "\n", "tree/sub/a": "",
		"false/.git":                  "gitdir: " + at("repo", ".git", "worktrees", "tree") + "\n",
		"bare.git/worktrees/w/gitdir": at("w", ".git") + "\n", "bare.git/worktrees/w/commondir": "../..\n",
		"w/.git": "gitdir: " + at("bare.git", "worktrees", "w") + "\n",
	})
	if err := os.Symlink(at("repo", "sub"), at("link")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"repo": "repo", "repo/sub/deep": "repo", "link": "repo", "plain/sub": "plain/sub",
		"tree": "repo", "tree/sub": "repo", "false": "false", "w": "bare.git",
	} {
		if got := projectOf(t.Context(), at(dir)); got != at(want) {
			t.Errorf("%s belongs to %s, want %s", dir, got, at(want))
		}
	}
}

// A repository that is made while a session runs takes no rule away.
func TestProjectStaysTheSame(t *testing.T) {
	s, dir := newStore(t)
	sub := filepath.Join(dir, "sub")
	files(t, sub, map[string]string{"a": ""})
	files(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	before := s.projectRoot(sub)
	files(t, sub, map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	if after := s.projectRoot(sub); after != before || again(s).projectRoot(sub) == before {
		t.Errorf("%s became %s", before, after)
	}
}

func TestFolderNames(t *testing.T) {
	fine := regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,56}$`)
	seen := map[string]string{}
	for _, root := range []string{"/", "/home/u/src/acme", "/home/u/acme", "/home/u/..x", "/a b/ü\n", "/" + strings.Repeat("long", 60), "/.git", "/-"} {
		name := folder(root)
		if !fine.MatchString(name) || seen[name] != "" {
			t.Errorf("%q has the folder %q, as %q", root, name, seen[name])
		}
		seen[name] = root
	}
	if name := folder("/home/u/src/acme"); !strings.HasPrefix(name, "acme-") {
		t.Error(name)
	}
}
