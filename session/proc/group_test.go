//go:build unix

package proc

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func start(t *testing.T, g *Group, c Command) *Child {
	t.Helper()
	child, err := g.Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = child.Kill()
		for _, f := range []io.Closer{child.stdin, child.stdout, child.stderr} {
			_ = f.Close()
		}
	})
	return child
}

func newGroup(t *testing.T, dir string) *Group {
	t.Helper()
	g := New(Options{Dir: dir})
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func sh(script string) Command { return Command{Argv: []string{"/bin/sh", "-c", script}} }

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestStreamsAndExit(t *testing.T) {
	g := newGroup(t, t.TempDir())
	c := start(t, g, sh("read -r x; echo out $x; echo err $x >&2; exit 3"))
	if _, err := io.WriteString(c.Stdin(), "word\n"); err != nil {
		t.Fatal(err)
	}
	out, errs := readAll(t, c.Stdout()), readAll(t, c.Stderr())
	<-c.Done()
	if out != "out word\n" || errs != "err word\n" || c.Exit() != (Exit{Code: 3}) {
		t.Errorf("%q %q %+v", out, errs, c.Exit())
	}
	if err := c.Kill(); err != nil {
		t.Error("killing what has ended:", err)
	}
}

func TestMergedWithoutInput(t *testing.T) {
	c := start(t, newGroup(t, ""), Command{Argv: []string{"sh", "-c", "echo a; echo b >&2; echo c; cat; pwd; echo $X"},
		Dir: "/", Env: []string{"X=y", "PATH=" + os.Getenv("PATH")}, Merge: true, NoInput: true})
	if c.Stdin() != nil || c.Stderr() != nil {
		t.Error("streams that were not asked for")
	}
	if got := readAll(t, c.Stdout()); got != "a\nb\nc\n/\ny\n" {
		t.Errorf("%q", got)
	}
	<-c.Done()
}

func TestSignalledExit(t *testing.T) {
	g := newGroup(t, "")
	c := start(t, g, sh("kill -9 $$"))
	<-c.Done()
	if c.Exit() != (Exit{Code: -1, Signal: "killed"}) {
		t.Errorf("%+v", c.Exit())
	}
	c = start(t, g, sh("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done"))
	_, _ = bufio.NewReader(c.Stdout()).ReadString('\n')
	if err := c.Terminate(); err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	if c.Exit() != (Exit{Code: 7}) {
		t.Errorf("%+v", c.Exit())
	}
}

func TestStartFails(t *testing.T) {
	dir := t.TempDir()
	g := newGroup(t, dir)
	if _, err := g.Start(context.Background(), Command{Argv: []string{"/no/such/program"}}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := g.Start(context.Background(), Command{}); err == nil {
		t.Error("started nothing")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.Start(ctx, sh("exit")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if _, err := g.Start(context.Background(), sh("exit")); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	checkNoRecords(t, dir)
}

func checkNoRecords(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("record left: %s", e.Name())
	}
}

// An untouched group owns nothing.
func TestUnusedGroup(t *testing.T) {
	dir := t.TempDir() + "/records"
	g := New(Options{Dir: dir})
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("made a directory:", err)
	}
}

// family starts a child that starts another child in another session.
func family(t *testing.T, g *Group) (c *Child, parent, detached ident) {
	t.Helper()
	c = start(t, g, Command{Argv: []string{os.Args[0]}, Env: roleEnv("parent"), Label: "parent"})
	line, _ := bufio.NewReader(c.Stdout()).ReadString('\n')
	pids := numbers(t, line)
	if len(pids) != 1 {
		t.Fatalf("%q", line)
	}
	return c, idOf(t, c.Pid()), idOf(t, pids[0])
}

func TestKillReachesOtherSessions(t *testing.T) {
	g := newGroup(t, t.TempDir())
	c, parent, detached := family(t, g)
	_, other, otherDetached := family(t, g)
	if err := c.Kill(); err != nil {
		t.Fatal(err)
	}
	if alive(parent) || alive(detached) {
		t.Error("alive after Kill")
	}
	if !alive(other) || !alive(otherDetached) {
		t.Error("Kill ended what belongs to another child")
	}
}

// What has left the session and lost its parent is found by its mark, when the child has ended by itself.
func TestKillAfterTheEnd(t *testing.T) {
	g := newGroup(t, "")
	c, _, detached := family(t, g)
	_, _ = io.WriteString(c.Stdin(), "leave\n")
	<-c.Done()
	if !alive(detached) {
		t.Fatal("the detached process ended with its parent: this test shows nothing")
	}
	if err := c.Kill(); err != nil {
		t.Error(err)
	}
	awaitGone(t, detached)
}

// What hides its mark is found through its parents.
func TestKillReachesTheUnmarked(t *testing.T) {
	g := newGroup(t, "")
	c := start(t, g, sh("env -i sh -c 'echo $$; sleep 1000' & wait"))
	line, _ := bufio.NewReader(c.Stdout()).ReadString('\n')
	child := idOf(t, numbers(t, line)[0])
	if err := c.Kill(); err != nil {
		t.Error(err)
	}
	awaitGone(t, child)
}

// What stays in the process group ends with the child.
func TestGroupEndsWithItsLeader(t *testing.T) {
	g := newGroup(t, "")
	c := start(t, g, sh("sleep 1000 & echo $!; read -r leave"))
	line, _ := bufio.NewReader(c.Stdout()).ReadString('\n')
	child := idOf(t, numbers(t, line)[0]) // the leader waits, so the child still runs
	_, _ = io.WriteString(c.Stdin(), "leave\n")
	<-c.Done()
	awaitGone(t, child)
}

func TestCloseEndsEverything(t *testing.T) {
	dir := t.TempDir()
	g := newGroup(t, dir)
	c1, p1, d1 := family(t, g)
	c2, p2, d2 := family(t, g)
	_, _ = io.WriteString(c2.Stdin(), "leave\n")
	<-c2.Done()
	guard := idOf(t, guardPid(g))
	if entries, _ := os.ReadDir(dir); len(entries) != 2 { // the program and the child that runs
		t.Errorf("%d records", len(entries))
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	<-c1.Done()
	for _, id := range []ident{p1, d1, p2, d2, guard} {
		if alive(id) {
			t.Errorf("%+v is alive", id)
		}
	}
	checkNoRecords(t, dir)
}

// Children outlive the thread and the goroutine that asked for them.
func TestChildOutlivesItsCaller(t *testing.T) {
	g := newGroup(t, "")
	children := make(chan *Child)
	for range 5 {
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			c, err := g.Start(context.Background(), sh("read -r x; echo $x"))
			if err != nil {
				t.Error(err)
			}
			children <- c
		}()
	}
	for range 5 {
		c := <-children
		runtime.Gosched()
		_, _ = io.WriteString(c.Stdin(), "here\n")
		if got := readAll(t, c.Stdout()); got != "here\n" {
			t.Errorf("%q %+v", got, c.Exit())
		}
		<-c.Done()
		closeAll([]*os.File{c.stdin, c.stdout, c.stderr})
	}
}

func TestStartsRaceWithClose(t *testing.T) {
	for range 10 {
		dir := t.TempDir()
		g := New(Options{Dir: dir})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				c, err := g.Start(context.Background(), sh("sleep 1000"))
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				<-c.Done()
				closeAll([]*os.File{c.stdin, c.stdout, c.stderr})
			})
		}
		wg.Go(func() {
			if err := g.Close(); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		if _, err := os.Stat(dir); err == nil {
			checkNoRecords(t, dir)
		}
	}
}

func TestMarksDoNotCover(t *testing.T) {
	env := marked([]string{"A=1", MarkVariable + "=1.2.3.4.", "B=2"}, "5.6.7.8.")
	if got := strings.Join(env, " "); got != "A=1 B=2 "+MarkVariable+"=5.6.7.8." {
		t.Error(got)
	}
	table := []entry{{ident: ident{10, "a"}, mark: "1.2.3.1."}, {ident: ident{11, "a"}, mark: "1.2.3.10."}}
	if got := claimed(table, "1.2.3.1.", ident{}, 99); len(got) != 1 || got[0].pid != 10 {
		t.Errorf("%+v", got)
	}
}
