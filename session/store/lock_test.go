package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/session"
	"parley/session/proc/proctest"
)

// The test binary is its own other process: with this variable set it locks the session, says so, and waits to be killed.
const holdVariable = "PARLEY_STORE_TEST_HOLD"

func TestMain(m *testing.M) {
	if root := os.Getenv(holdVariable); root != "" {
		holdSession(root)
		return
	}
	os.Exit(proctest.Watch(m).Run())
}

func holdSession(root string) {
	s := New(Options{Dir: filepath.Join(root, "sessions"), LockDir: filepath.Join(root, "locks")})
	j, _, _, err := s.Open(context.Background(), "s1")
	if err != nil {
		fmt.Println("error", err)
		return
	}
	_ = j.Append(session.PartDelta{Head: head(7), Part: "p", Text: "flushed"})
	_ = j.Flush()
	_ = j.Append(session.PartDelta{Head: head(8), Part: "p", Text: "lost"})
	fmt.Println("held")
	_, _ = os.Stdin.Read(make([]byte, 1))
}

func TestLockOfAnotherProcess(t *testing.T) {
	root := t.TempDir()
	s := New(Options{Dir: filepath.Join(root, "sessions"), LockDir: filepath.Join(root, "locks")})
	fill(t, s, "s1", 1)

	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holdVariable+"="+root)
	stdin, _ := other.StdinPipe()
	defer stdin.Close()
	stdout, _ := other.StdoutPipe()
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process says %q", line)
	}

	_, _, _, err := s.Open(context.Background(), "s1")
	if session.KindOf(err) != session.KindLocked || !strings.Contains(err.Error(), fmt.Sprintf("pid %d", other.Process.Pid)) {
		t.Errorf("opened, or did not name the holder: %v", err)
	}
	if pid, held := s.Holder(context.Background(), "s1"); !held || pid != other.Process.Pid {
		t.Errorf("holder %d %v, want %d", pid, held, other.Process.Pid)
	}
	if _, events, err := s.Read(context.Background(), "s1"); err != nil || len(events) != 5 {
		t.Errorf("reading does not need the lock: %d events, %v", len(events), err)
	}

	_ = other.Process.Kill()
	_ = other.Wait()
	if pid, held := s.Holder(context.Background(), "s1"); held {
		t.Errorf("the killed process %d still counts as holder", pid)
	}
	j, _, events, err := s.Open(context.Background(), "s1")
	if err != nil {
		t.Fatal("the lock outlived its process:", err)
	}
	defer j.Close()
	if last := events[len(events)-1]; last != (session.PartDelta{Head: head(7), Part: "p", Text: "flushed"}) {
		t.Errorf("last event is %#v", last)
	}
}

func TestConcurrentOpensOneWins(t *testing.T) {
	root := t.TempDir()
	options := Options{Dir: filepath.Join(root, "sessions"), LockDir: filepath.Join(root, "locks")}
	fill(t, New(options), "s1", 1)
	for range 20 {
		var won, refused atomic.Int32
		var winner atomic.Value
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				// A separate store: they share only the files.
				j, _, _, err := New(options).Open(context.Background(), "s1")
				switch {
				case err == nil:
					won.Add(1)
					winner.Store(j)
				case session.KindOf(err) == session.KindLocked:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 || refused.Load() != 7 {
			t.Fatalf("%d won, %d were refused", won.Load(), refused.Load())
		}
		if err := winner.Load().(session.Journal).Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStaleLockFiles(t *testing.T) {
	me := self()
	tests := map[string]struct {
		content string
		free    bool
	}{
		"empty":               {"", true},
		"noise":               {"hello", true},
		"cut short":           {"12", true},
		"no such process":     {"999999999 1\n", true},
		"pid used again":      {fmt.Sprintf("%d not-its-start\n", os.Getppid()), processStart(os.Getppid()) != ""},
		"living process":      {holder{os.Getppid(), processStart(os.Getppid())}.String(), false},
		"ours, from long ago": {me.String(), true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := testStore(t)
			if err := os.MkdirAll(s.lockDir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(s.lockDir, "s1.lock"), []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, held := s.Holder(context.Background(), "s1"); held == test.free {
				t.Errorf("held: %v", held)
			}
			unlock, err := s.lock("test", "s1")
			if (err == nil) != test.free {
				t.Fatalf("locked: %v", err)
			}
			if err == nil {
				if _, err := s.lock("test", "s1"); session.KindOf(err) != session.KindLocked {
					t.Errorf("locked twice: %v", err)
				}
				if pid, held := s.Holder(context.Background(), "s1"); !held || pid != os.Getpid() {
					t.Errorf("holder %d %v", pid, held)
				}
				unlock()
				if _, held := s.Holder(context.Background(), "s1"); held {
					t.Error("held after unlocking")
				}
			}
		})
	}
}
