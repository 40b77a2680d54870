package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/changes/snapshot"
)

// newTree returns a tree that watches directories, with an empty store.
func newTree(t testing.TB, roots ...string) *Tree {
	t.Helper()
	return New(Options{Roots: roots, Store: snapshot.New(snapshot.Options{Dir: filepath.Join(t.TempDir(), "images")}), Time: time.Minute})
}

// later makes looks happen so much later that no file was changed just before.
func (t *Tree) later() { t.now = func() time.Time { return time.Now().Add(time.Hour) } }

// runGit runs git in a directory, without the configuration and the templates of the machine, and returns what it prints.
func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TEMPLATE_DIR=", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// isolated gives the test a home without files, and returns an empty directory beside it, without links.
func isolated(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"home", "work"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if t, ok := t.(interface{ Setenv(key, value string) }); ok {
		t.Setenv("HOME", filepath.Join(dir, "home"))
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "home", ".config"))
	}
	return filepath.Join(dir, "work")
}

// write creates files with their directories from pairs of a path and a content.
func write(t testing.TB, dir string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(dir, pairs[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pairs[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// show returns the states of a change in a line, with contents from the store.
func show(t testing.TB, tree *Tree, dir string, r Result) string {
	t.Helper()
	var b strings.Builder
	side := func(s snapshot.State) string {
		switch {
		case s.Kind == snapshot.None:
			return "-"
		case s.Kind == snapshot.Link:
			return "->" + s.Target
		case s.Kind == snapshot.Other:
			return "other"
		case s.Unkept != "":
			return "unkept"
		}
		content, err := tree.o.Store.Read(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		if s.Mode != 0o644 {
			text += "(" + s.Mode.String() + ")"
		}
		return text
	}
	for _, c := range r.Changed {
		rel, err := filepath.Rel(dir, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(rel + ": " + side(c.Before) + " | " + side(c.After))
		for _, d := range c.Dirs {
			rel, _ := filepath.Rel(dir, d)
			b.WriteString(" +" + rel)
		}
		b.WriteString("\n")
	}
	if r.Gap != "" {
		b.WriteString("gap: " + r.Gap + "\n")
	}
	return b.String()
}
