//go:build linux || darwin

package host_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store"
)

// counting is an agent that answers each prompt by counting, and writes into a file which prompts it ran.
type counting struct{ ran *os.File }

func (counting) Name() string { return "builtin" }

func (a counting) Open(_ context.Context, o session.OpenOptions) (session.Conversation, error) {
	return &countingConversation{a, o}, nil
}

type countingConversation struct {
	a counting
	o session.OpenOptions
}

func (c *countingConversation) Send(ctx context.Context, turn session.TurnID, p session.Prompt, _ session.Origin) error {
	fmt.Fprintln(c.a.ran, p.ID) // one write of a file that is appended to
	h := session.Head{Session: c.o.Session, Turn: turn, Gen: c.o.Gen}
	part := session.PartID("part of " + string(p.ID))
	c.o.Emit(session.PartStarted{Head: h, Part: part, Kind: session.PartText})
	for i := range 200 {
		if ctx.Err() != nil {
			break
		}
		c.o.Emit(session.PartDelta{Head: h, Part: part, Text: fmt.Sprintf("%s-%d ", p.Text, i)})
	}
	c.o.Emit(session.PartEnded{Head: h, Part: part})
	c.o.Emit(session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
	return nil
}

func (*countingConversation) Answer(session.AskID, session.Answer) error        { return nil }
func (*countingConversation) Configure(context.Context, session.Settings) error { return nil }
func (*countingConversation) Abort()                                            {}
func (*countingConversation) Close(context.Context) error                       { return nil }

// storedIn returns a manager of the sessions stored in a folder.
func storedIn(dir string, a session.Agent) *live.Manager {
	journals := store.New(store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")})
	return live.NewManager(live.Deps{Agents: []session.Agent{a}, Journals: journals, Endpoints: sessiontest.Endpoints()})
}

// beHost is this test as a host, in a process of its own.
func beHost(dir string) int {
	ran, err := os.OpenFile(filepath.Join(dir, "ran"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return 1
	}
	m := storedIn(dir, counting{ran})
	err = host.Run(context.Background(), host.Options{Place: placeIn(dir), Manager: m, Program: "test", Log: slog.New(slog.DiscardHandler), Idle: time.Second}, func() {})
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	if err := errors.Join(err, m.Close(ctx)); err != nil && !errors.Is(err, host.ErrRunning) {
		return 1
	}
	return 0
}

func placeIn(dir string) host.Place { return host.Place{Dir: filepath.Join(dir, "h"), Key: "k"} }

// spawner starts hosts and remembers them.
type spawner struct {
	dir  string
	mu   sync.Mutex
	all  []*exec.Cmd
	ends sync.WaitGroup
}

func (s *spawner) spawn() (<-chan error, error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hostVariable+"="+s.dir)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, cmd)
	s.ends.Go(func() {
		defer close(ended)
		ended <- cmd.Wait() // a process that nobody waited for still has its sessions
	})
	return ended, nil
}

// kill kills the host that serves now.
func (s *spawner) kill(ctx context.Context) bool {
	for _, e := range host.Entries(ctx, placeIn(s.dir).Dir) {
		return syscall.Kill(e.Pid, syscall.SIGKILL) == nil
	}
	return false
}

// TestKill kills the host at random moments: of a start, a prompt, an answer, an attachment. Every prompt that was acknowledged is stored
// and ran at most once, and what a screen shows in the end is what is stored.
func TestKill(t *testing.T) {
	dir := shortDir(t)
	hosts := &spawner{dir: dir}
	t.Cleanup(func() {
		for _, c := range hosts.all {
			_ = c.Process.Kill()
		}
		hosts.ends.Wait()
	})
	screen := func() *host.Manager {
		return host.NewManager(host.ClientOptions{Place: placeIn(dir), Local: storedIn(dir, counting{}), Program: "test", Spawn: hosts.spawn})
	}
	m := screen()
	s := draft(t, m)
	v := follow(t, s)
	acked, kills := map[session.PromptID]bool{}, 0
	var killing sync.WaitGroup
	for i := range repeat.Times(3, 15, 300) {
		id := must(s.Send(session.Prompt{ID: session.PromptID(fmt.Sprintf("prompt-%d", i)), Text: fmt.Sprint(i)}))(t)
		if after := time.Duration(rand.IntN(40_000)) * time.Microsecond; rand.IntN(3) > 0 {
			killing.Add(1)
			time.AfterFunc(after, func() {
				defer killing.Done()
				hosts.kill(context.Background())
			})
			kills++
		}
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		if err := s.Stored(ctx); err == nil {
			acked[id] = true
		} else {
			t.Logf("prompt %d: %v", i, err)
		}
		cancel()
		if rand.IntN(4) == 0 { // the terminal goes away, and another one takes the session up
			leave(t, m)
			m = screen()
			s = must(m.Resume(t.Context(), s.ID()))(t)
			v = follow(t, s)
		}
		_ = s.Release()
	}
	killing.Wait() // what is shown before a kill may be up to 250 ms more than is stored
	if err := s.Stored(t.Context()); err != nil {
		t.Error(err)
	}
	v.until(t, "over", func(tr *session.Transcript) bool {
		if len(s.Held()) > 0 {
			s.Release()
		}
		begun := 0
		for _, turn := range tr.Turns {
			if turn.ID != "" {
				begun++
			}
		}
		return len(tr.Queue) == 0 && begun >= len(acked) && over(begun)(tr)
	})
	if err := s.Stored(t.Context()); err != nil {
		t.Error(err)
	}
	shown := v.t
	id := s.ID()
	leave(t, m)
	ran := map[string]int{}
	f, err := os.Open(filepath.Join(dir, "ran"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		ran[in.Text()]++
	}
	_, events, err := storedIn(dir, counting{}).Read(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	stored := session.Fold(events)
	turns := map[session.PromptID]int{}
	for _, turn := range stored.Turns {
		if turn.ID != "" {
			turns[turn.Prompt.ID]++
		}
	}
	for id := range acked {
		if turns[id] != 1 {
			t.Errorf("%s is stored %d times", id, turns[id])
		}
	}
	for id, n := range ran {
		if n != 1 {
			t.Errorf("%s ran %d times", id, n)
		}
	}
	if got, want := text(shown), text(stored); got != want {
		t.Errorf("shown: %d bytes, stored: %d", len(got), len(want))
	}
	if !strings.Contains(text(stored), "0-199") && kills == 0 {
		t.Error("nothing was answered")
	}
	hosts.mu.Lock()
	defer hosts.mu.Unlock()
	t.Logf("%d hosts, %d kills, %d prompts, %d events", len(hosts.all), kills, len(acked), len(events))
}
