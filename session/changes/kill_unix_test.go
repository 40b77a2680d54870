//go:build unix

package changes

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/internal/safefs"
	"parley/session/changes/snapshot"
)

// killed is the variable of the directory in which a child of the tests undoes and redoes everything until it is killed.
const killed = "PARLEY_EDITS_KILLED"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killed); dir != "" {
		fmt.Fprintln(os.Stderr, undoForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func libraryIn(dir string) *Library {
	return New(Options{Dir: filepath.Join(dir, "edits"), Store: snapshot.New(snapshot.Options{Dir: filepath.Join(dir, "images")})})
}

func undoForever(dir string) error {
	ctx, l := context.Background(), libraryIn(dir).Log(sessionID)
	for {
		for _, plan := range []func(context.Context, Scope) (Plan, error){l.PlanUndo, l.PlanRedo} {
			p, err := plan(ctx, Scope{})
			if err != nil {
				return err
			}
			if len(p.Files) == 0 {
				continue
			}
			fmt.Println("a step begins")
			out, err := l.Apply(ctx, p, nil)
			fmt.Println("a step ends")
			if err != nil || len(out.Left) > 0 {
				return fmt.Errorf("%v %w", out.Left, err)
			}
		}
	}
}

// manyChanges records one call that changed many files, and returns the trees before and after it.
func manyChanges(t *testing.T, dir string) (before, after tree) {
	t.Helper()
	l := libraryIn(dir).Log(sessionID)
	work := filepath.Join(dir, "work")
	at := func(i int) string { return filepath.Join(work, fmt.Sprintf("d%d/e%d/f%d", i%3, i%7, i)) }
	write := func(i int, text string, mode os.FileMode) error {
		if err := os.MkdirAll(filepath.Dir(at(i)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(at(i), []byte(strings.Repeat(text, 1+i*100)), mode)
	}
	const n = 30
	store := libraryIn(dir).o.Store
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		if i%5 != 1 {
			must(write(i, "before\n", 0o644))
		}
	}
	before = treeOf(t, work)
	states := make([]snapshot.State, n)
	for i := range n {
		var err error
		states[i], err = store.Take(t.Context(), at(i))
		must(err)
	}
	for i := range n {
		switch i % 5 {
		case 0:
			must(os.Chmod(at(i), 0o755))
		case 1:
			must(write(i, "created\n", 0o755))
		case 2:
			must(os.Remove(at(i)))
		case 3:
			must(write(i, "after\n", 0o644))
		case 4:
			must(os.Remove(at(i)))
			must(os.Symlink("somewhere", at(i)))
		}
	}
	after = treeOf(t, work)
	for i := range n {
		now, err := store.Take(t.Context(), at(i))
		must(err)
		c := Change{Turn: "t1", Tool: "Bash", Path: at(i), Before: states[i], After: now}
		for d := filepath.Dir(at(i)); before[d] == "" && d != work; d = filepath.Dir(d) {
			c.Dirs = append([]string{d}, c.Dirs...)
		}
		must(l.Add(t.Context(), c))
	}
	return before, after
}

// A kill at any moment leaves each file in one state or the other, whole; what the log says afterwards is what is on the
// disk, and undo and redo go on from there.
func TestAKillLeavesEachFileWhole(t *testing.T) {
	t.Parallel()
	rounds, most := repeat.Times(6, 6, 42), 42
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	before, after := manyChanges(t, dir)
	work, mixed, cut := filepath.Join(dir, "work"), 0, 0
	for round := 0; round < rounds || round < most && (cut == 0 || mixed == 0); round++ { // until a kill came in the middle
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killed+"="+dir)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err == nil {
			err = child.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		lines.Scan()
		begun := time.Now()
		lines.Scan()
		took := time.Since(begun)
		lines.Scan()
		<-time.After(rand.N(took)) // the moment of the kill
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := child.Wait(); err == nil || child.ProcessState.Exited() {
			t.Fatalf("the child ended before it was killed: %v", err)
		}
		found := libraryIn(dir).Log(sessionID)
		if err := found.read("read"); err != nil {
			t.Fatal(err)
		}
		cut += len(found.ledger.steps)
		l := libraryIn(dir).Log(sessionID)
		undone, open := agrees(t, l, work, before, after)
		if undone > 0 && open > 0 {
			mixed++
		}
		if round%3 == 0 {
			goOn(t, l.PlanUndo, l, work, before)
			goOn(t, l.PlanRedo, l, work, after)
		}
		if len(l.ledger.steps) > 0 {
			t.Fatalf("%d steps have no end", len(l.ledger.steps))
		}
	}
	t.Logf("of %d kills %d cut a step off, %d between two files", rounds, cut, mixed)
	if cut == 0 || mixed == 0 {
		t.Error("no kill came in the middle")
	}
}

// agrees wants each file to be as the log says, and returns how many are undone and how many are not.
func agrees(t *testing.T, l *Log, work string, before, after tree) (undone, open int) {
	t.Helper()
	changes, err := l.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	now := treeOf(t, work)
	for _, c := range changes {
		want := after[c.Path]
		if c.Status == Undone {
			want = before[c.Path]
			undone++
		} else {
			open++
		}
		if now[c.Path] != want {
			t.Errorf("%s is %s, and is %.40q, not %.40q", c.Path, c.Status, now[c.Path], want)
		}
	}
	for path := range now {
		if safefs.IsTemporary(filepath.Base(path)) {
			t.Errorf("a kill left %s", path)
		}
	}
	return undone, open
}

// goOn carries out a plan, and wants the tree to be as it is then.
func goOn(t *testing.T, plan func(context.Context, Scope) (Plan, error), l *Log, work string, want tree) {
	t.Helper()
	p, err := plan(t.Context(), Scope{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := l.Apply(t.Context(), p, nil)
	if err != nil || len(out.Left) > 0 {
		t.Fatalf("%s: %v %v", p.Kind, out.Left, err)
	}
	now := treeOf(t, work)
	for _, path := range sorted(merged(now, want)) {
		if now[path] != want[path] {
			t.Errorf("after %s, %s is %.40q, not %.40q", p.Kind, path, now[path], want[path])
		}
	}
}
