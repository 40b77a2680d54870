//go:build linux

package proc

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// owner starts another program with a separate group.
func owner(t *testing.T, dir string) (cmd *exec.Cmd, child, detached, guard ident) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = roleEnv("owner:" + dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, _ := bufio.NewReader(out).ReadString('\n')
	pids := numbers(t, line)
	if len(pids) != 3 {
		t.Fatalf("%q", line)
	}
	return cmd, idOf(t, pids[0]), idOf(t, pids[1]), idOf(t, pids[2])
}

// Nothing survives the kill -9 of a program: its child goes by the parent-death signal, what has left the session by the
// guard, which then ends.
func TestKilledOwner(t *testing.T) {
	dir := t.TempDir()
	cmd, child, detached, guard := owner(t, dir)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	awaitGone(t, child, detached, guard)

	n, err := New(Options{Dir: dir}).Sweep(context.Background())
	if n != 0 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	checkNoRecords(t, dir)
}

// Where the guard was killed too, the next start finds what is left.
func TestSweepAfterTheGuardsDeath(t *testing.T) {
	dir := t.TempDir()
	cmd, child, detached, guard := owner(t, dir)
	g := New(Options{Dir: dir})
	if n, err := g.Sweep(context.Background()); n != 0 || err != nil {
		t.Errorf("swept %d of a living owner, %v", n, err)
	}
	if !alive(child) || !alive(detached) {
		t.Fatal("a living owner's child was killed")
	}
	_ = syscall.Kill(guard.pid, syscall.SIGKILL)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	awaitGone(t, child)
	if !alive(detached) {
		t.Fatal("the detached process is gone: this test shows nothing")
	}
	if n, err := g.Sweep(context.Background()); n != 1 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	awaitGone(t, detached)
	checkNoRecords(t, dir)
}
