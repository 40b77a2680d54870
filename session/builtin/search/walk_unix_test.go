//go:build unix

package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

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
	for _, name := range []string{"pattern-1", "pattern-600000"} {
		b.Write(name, "")
	}
	got := b.Run(Glob, tooltest.Obj{"pattern": "**"}).Result.Text
	for name, want := range map[string]bool{"early": false, "late": true, "pattern-1": false, "pattern-600000": true, "linked/early": true} {
		if has := strings.Contains("\n"+got, "\n"+name+"\n"); has != want {
			t.Errorf("%s: %v", name, has)
		}
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
	var n atomic.Int32
	top := tool.Place{Path: b.W.Dir, Real: b.W.Dir}
	whole, err := (&walk{ctx: ctx, below: b.W.Search(ctx, top), look: func(*worker, batch) any {
		n.Add(1)
		cancel()
		return nil
	}}).run(top)
	if whole || err != nil || n.Load() > maxWorkers {
		t.Errorf("%v, %v after %d folders", whole, err, n.Load())
	}
}

// An interrupt does not wait for the file that is searched, and the workers end behind it.
func TestAnInterruptWaitsForNoFile(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a": "x"})
	before := goleak.IgnoreCurrent()
	top := tool.Place{Path: b.W.Dir, Real: b.W.Dir}
	ctx, cancel := context.WithCancel(t.Context())
	release, left := make(chan struct{}), make(chan struct{})
	whole, err := (&walk{ctx: ctx, below: b.W.Search(ctx, top), look: func(*worker, batch) any {
		cancel()
		<-release
		close(left)
		return nil
	}}).run(top)
	if whole || err != nil {
		t.Errorf("%v, %v", whole, err)
	}
	close(release)
	<-left
	goleak.VerifyNone(t, before)
}

// A folder below more folders than a walk goes down is left out, and the model is told.
func TestAWalkGoesDownOnlySoFar(t *testing.T) {
	b := tooltest.New(t, map[string]string{strings.Repeat("d/", maxDeep-1) + "in": "x", strings.Repeat("d/", maxDeep+1) + "out": "x", "z": "x"})
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
	top := tool.Place{Path: dir, Real: dir}
	whole, err := (&walk{ctx: t.Context(), below: (&tool.Workspace{Dir: dir}).Search(t.Context(), top), look: func(_ *worker, b batch) any {
		must(t, os.RemoveAll(filepath.Join(dir, "z")), os.Symlink(victim, filepath.Join(dir, "z")))
		seen = append(seen, b.files...)
		return nil
	}}).run(top)
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
