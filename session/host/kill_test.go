//go:build linux || darwin

package host_test

import (
	"context"
	"errors"
	"fmt"
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
)

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

// TestKill kills hosts at random moments: of their start, of Enter, an attachment, a fork as by a rewind, and by themselves in an answer, an ask,
// a call and a write of the journal, on a disk that fails at times. Every prompt that was acknowledged is stored and ran at most once, as
// did its call, and what a screen shows in the end is what is stored.
func TestKill(t *testing.T) {
	k := newKilling(t)
	for i := range repeat.Times(3, 15, 300) {
		k.round(i)
	}
	k.check()
}

// TestATornHeader stores the prompt of a draft whose journal a host began to write as it was killed.
func TestATornHeader(t *testing.T) {
	k := newKilling(t)
	dir := filepath.Join(k.dir, "sessions")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, string(k.s.ID())+".jsonl"), []byte(`{"v":1,"meta":{"id"`), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	must(k.s.Send(session.Prompt{Text: "0.0"}))(t)
	k.acked["0.0"], k.sent = true, 1
	k.check()
}

// newKilling returns the conversation with its first screen. The hosts end with the test.
func newKilling(t *testing.T) *killing {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	k := &killing{t: t, r: rand.New(rand.NewPCG(seed, 28)), hosts: &spawner{dir: shortDir(t)}, acked: map[string]bool{}, kills: map[string]int{}}
	k.dir = k.hosts.dir
	t.Cleanup(func() {
		for _, c := range k.hosts.all {
			_ = c.Process.Kill()
		}
		k.hosts.ends.Wait()
	})
	k.m = k.screen()
	k.show(draft(t, k.m))
	return k
}

// killing is a conversation of one user with hosts that are killed.
type killing struct {
	t     *testing.T
	dir   string
	r     *rand.Rand
	hosts *spawner
	m     *host.Manager
	s     *live.Session
	v     *view
	deaf  func()          // ends the answers to asks
	acked map[string]bool // by the words of the prompt, which are different: one that came twice gets another id
	sent  int
	forks []session.ID

	work  sync.WaitGroup
	mu    sync.Mutex
	kills map[string]int // hosts that ran, by the moment
}

// screen returns the manager of another terminal.
func (k *killing) screen() *host.Manager {
	return host.NewManager(host.ClientOptions{Place: placeIn(k.dir), Local: storedIn(k.dir, nil), Program: "test", Spawn: k.hosts.spawn})
}

// show shows a session, and answers what it asks.
func (k *killing) show(s *live.Session) {
	k.s, k.v, k.deaf = s, follow(k.t, s), says(s)
}

// leave closes the terminal. It may say that a prompt was not taken: of those that were never acknowledged, and where the host ended several
// times before it could say that it has one.
func (k *killing) leave() {
	k.t.Helper()
	k.deaf()
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	switch err := k.m.Close(ctx); {
	case err == nil:
	case session.KindOf(err) == session.KindStalled && (k.sent > len(k.acked) || !errors.Is(err, context.DeadlineExceeded)):
		k.t.Log(err)
	default:
		k.t.Error(err)
	}
}

// within kills the host that runs within a time from now.
func (k *killing) within(most time.Duration, moment string) {
	k.work.Add(1)
	time.AfterFunc(time.Duration(k.r.Int64N(int64(most))), func() {
		defer k.work.Done()
		if k.hosts.kill(context.Background()) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.kills[moment]++
		}
	})
}

// rule makes a file with which hosts are ruled, or removes it.
func (k *killing) rule(file string, on bool) {
	path := filepath.Join(k.dir, file)
	err := os.Remove(path)
	if on {
		err = os.WriteFile(path, nil, 0o600)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		k.t.Fatal(err)
	}
}

// round sends one to three prompts, and more may happen.
func (k *killing) round(i int) {
	k.rule(mortal, k.r.IntN(2) > 0)
	k.rule(worn, k.r.IntN(4) == 0)
	var texts []string
	for n := range 1 + k.r.IntN(3)/2*k.r.IntN(3) {
		text := fmt.Sprintf("%d.%d", i, n)
		k.sent++
		must(k.s.Send(session.Prompt{Text: text}))(k.t)
		texts = append(texts, text)
	}
	switch k.r.IntN(4) {
	case 0:
		k.within(3*time.Millisecond, "Enter")
	case 1:
		k.within(60*time.Millisecond, "any")
	}
	ctx, cancel := context.WithTimeout(k.t.Context(), wait)
	defer cancel()
	if err := k.s.Stored(ctx); err == nil {
		for _, text := range texts {
			k.acked[text] = true
		}
	} else {
		k.t.Logf("round %d: %v", i, err)
	}
	if k.r.IntN(2) == 0 {
		_ = k.s.Wait(ctx) // it may be killed
	}
	switch k.r.IntN(5) {
	case 0: // the terminal goes away, and another one takes the session up
		k.leave()
		k.m = k.screen()
		k.within(15*time.Millisecond, "attach")
		k.show(k.resume(k.s.ID()))
	case 1:
		k.fork(ctx)
	}
	_ = k.s.Release()
}

// resume takes up a session, however often the host is killed meanwhile.
func (k *killing) resume(id session.ID) *live.Session {
	var err error
	for late := time.Now().Add(wait); time.Now().Before(late); {
		var s *live.Session
		if s, err = k.m.Resume(k.t.Context(), id); err == nil {
			return s
		}
	}
	k.t.Fatal(err)
	return nil
}

// fork copies the session up to a turn that is over, as a rewind does.
func (k *killing) fork(ctx context.Context) {
	_, events, err := storedIn(k.dir, nil).Read(ctx, k.s.ID())
	if session.KindOf(err) == session.KindNotFound && len(k.acked) == 0 { // nothing is stored yet
		return
	}
	if err != nil {
		k.t.Error(err)
		return
	}
	var upTo session.TurnID
	for _, turn := range session.Fold(events).Turns {
		if turn.Outcome == session.TurnCompleted {
			upTo = turn.ID
		}
	}
	if upTo == "" {
		return
	}
	if k.r.IntN(3) > 0 {
		k.within(15*time.Millisecond, "rewind")
	}
	copied, err := k.m.Fork(ctx, k.s.ID(), upTo)
	if err != nil { // it was killed
		return
	}
	k.forks = append(k.forks, copied.ID())
	_ = copied.Close(ctx)
}

// settle waits until everything is over, with hosts that are well.
func (k *killing) settle() {
	k.rule(mortal, false)
	k.rule(worn, false)
	k.work.Wait() // what is shown before a kill may be up to 250 ms more than is stored
	if err := k.s.Stored(k.t.Context()); err != nil {
		k.t.Error(err)
	}
	k.v.until(k.t, "over", func(tr *session.Transcript) bool {
		if len(k.s.Held()) > 0 {
			k.s.Release()
		}
		begun := 0
		for _, turn := range tr.Turns {
			if turn.ID != "" {
				begun++
			}
		}
		return len(tr.Queue) == 0 && begun >= len(k.acked) && over(begun)(tr)
	})
	if err := k.s.Stored(k.t.Context()); err != nil {
		k.t.Error(err)
	}
}

// check ends the conversation and looks at what is left of it.
func (k *killing) check() {
	t := k.t
	k.settle()
	shown, id := k.v.t, k.s.ID()
	k.leave()
	_, events, err := storedIn(k.dir, nil).Read(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	stored := session.Fold(events)
	turns := map[string]int{}
	for _, turn := range stored.Turns {
		if turn.ID != "" {
			turns[turn.Prompt.Text]++
		}
	}
	for text := range k.acked {
		if turns[text] != 1 {
			t.Errorf("%s is stored %d times", text, turns[text])
		}
	}
	calls := lines(t, filepath.Join(k.dir, "calls"))
	for what, all := range map[string]map[string]int{"prompt": lines(t, filepath.Join(k.dir, "ran")), "call": calls} {
		for text, n := range all {
			if n != 1 || turns[text] != 1 {
				t.Errorf("the %s of %s ran %d times and is in %d turns", what, text, n, turns[text])
			}
		}
	}
	if got, want := text(shown), text(stored); got != want {
		t.Errorf("shown: %d bytes, stored: %d", len(got), len(want))
	}
	for _, id := range k.forks {
		_, events, err := storedIn(k.dir, nil).Read(t.Context(), id)
		if got := text(session.Fold(events)); err != nil || got == "" || !strings.HasPrefix(text(stored), got) {
			t.Errorf("copy %s has %d bytes, %v", id, len(got), err)
		}
	}
	moments := lines(t, filepath.Join(k.dir, "moments"))
	if !strings.Contains(text(stored), ".0-199") && len(k.kills)+len(moments) == 0 {
		t.Error("nothing was answered, and no host was killed")
	}
	k.hosts.mu.Lock()
	defer k.hosts.mu.Unlock()
	t.Logf("%d hosts, killed at %v and by themselves at %v, %d prompts, %d calls, %d copies, %d events", len(k.hosts.all), k.kills, moments,
		len(k.acked), len(calls), len(k.forks), len(events))
}
