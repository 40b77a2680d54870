//go:build unix

package search

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/gitignore"
	"parley/session"
	"parley/session/builtin/files"
	"parley/session/builtin/tool"
	"parley/session/builtin/tool/tooltest"
)

// A .gitignore file counts up to a bound, and none that is a link.
func TestGitignoreIsBounded(t *testing.T) {
	b := tooltest.New(t, map[string]string{"early": "", "late": "", "linked/early": ""})
	var lines strings.Builder
	lines.WriteString("/early\n")
	for i := 0; lines.Len() < 7<<20; i++ {
		fmt.Fprintf(&lines, "pattern-%d\n", i)
	}
	b.Write(".gitignore", lines.String()+"/late\n")
	if err := os.Symlink("../list", filepath.Join(b.W.Dir, "linked/.gitignore")); err != nil {
		t.Fatal(err)
	}
	b.Write("list", "early\n")
	in, err := os.OpenRoot(b.W.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	list := withIgnoreFile(t.Context(), gitignore.Stack{}, in, "")
	for name, want := range map[string]bool{"early": true, "late": false, "pattern-1": true, "pattern-600000": false} {
		if got := list.Ignored(name, false); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := b.Run(Glob, tooltest.Obj{"pattern": "**"}).Result.Text; !strings.Contains(got, "linked/early\n") || !strings.Contains(got, "late\n") {
		t.Error(got)
	}
}

// Searches end with their context at any point.
func TestSearchesEndWithTheirContext(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a/x": "needle\n", "b/x": "needle\n"})
	for one, input := range map[*tool.Tool]string{Glob: `{"pattern":"**"}`, Grep: `{"pattern":"needle"}`, files.Read: `{"file_path":"a/x"}`} {
		ctx, cancel := context.WithCancel(context.Background())
		j, err := one.Prepare(b.W, []byte(input))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if got := j.Run(ctx, "c", func(string) {}); got.How != session.ToolCancelled {
			t.Errorf("%s: %+v", one.Name, got)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	whole, err := walk(ctx, tool.Place{Path: b.W.Dir, Real: b.W.Dir}, func(string, *os.Root, os.DirEntry) bool { n++; cancel(); return true })
	if whole || err != nil || n != 1 {
		t.Errorf("%v, %v after %d files", whole, err, n)
	}
}

// A folder below more folders than a walk goes down is left out, and the model is told.
func TestAWalkGoesDownOnlySoFar(t *testing.T) {
	b := tooltest.New(t, map[string]string{strings.Repeat("d/", mostDeep-1) + "in": "x", strings.Repeat("d/", mostDeep+1) + "out": "x", "z": "x"})
	got := b.Run(Glob, tooltest.Obj{"pattern": "**"}).Result
	if !strings.Contains(got.Text, "/in\n") || strings.Contains(got.Text, "/out\n") || !strings.Contains(got.Text, "z\n") ||
		!strings.Contains(got.Text, "not all were looked at") || !got.Truncated {
		t.Error(got.Text)
	}
}

// A folder that becomes a link while a search goes through its neighbours is left out.
func TestAWalkFollowsNoFolderThatBecomesALink(t *testing.T) {
	dir, victim := realDir(t), realDir(t)
	must(t, os.Mkdir(filepath.Join(dir, "z"), 0o700), os.WriteFile(filepath.Join(dir, "a"), nil, 0o600),
		os.WriteFile(filepath.Join(dir, "z/mine"), nil, 0o600), os.WriteFile(filepath.Join(victim, "secret"), nil, 0o600))
	var seen []string
	whole, err := walk(context.Background(), tool.Place{Path: dir, Real: dir}, func(path string, _ *os.Root, _ fs.DirEntry) bool {
		if filepath.Base(path) == "a" {
			must(t, os.RemoveAll(filepath.Join(dir, "z")), os.Symlink(victim, filepath.Join(dir, "z")))
		}
		seen = append(seen, filepath.Base(path))
		return true
	})
	if strings.Join(seen, " ") != "a" || !whole || err != nil {
		t.Errorf("%q, %v, %v", seen, whole, err)
	}
}

// realDir returns a new directory whose path has no links.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
