package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store"
)

// disk is where the journals of a process are, until that is killed. It may refuse what is written, and knows what a loss of power
// would leave of each file. What is synced takes a while.
type disk struct {
	dir string

	mu   sync.Mutex
	r    *rand.Rand
	bad  float64 // how likely a write fails
	gone bool    // the process was killed
	safe map[string]int64
	size map[string]int64
}

func newDisk(dir string, r *rand.Rand) *disk {
	return &disk{dir: dir, r: r, safe: map[string]int64{}, size: map[string]int64{}}
}

// store returns a store on the disk.
func (d *disk) store() *store.Store {
	return store.New(store.Options{Dir: filepath.Join(d.dir, "sessions"), LockDir: filepath.Join(d.dir, "locks"),
		OpenFile: func(name string, flag int, perm fs.FileMode) (store.File, error) {
			f, err := os.OpenFile(name, flag, perm)
			if err != nil {
				return nil, err
			}
			info, err := f.Stat()
			d.mu.Lock()
			defer d.mu.Unlock()
			d.size[name] = info.Size()
			return &diskFile{f, d}, err
		}})
}

// set makes writes fail that often.
func (d *disk) set(bad float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bad = bad
}

// kill ends all writes and returns the disk as the next process finds it: after a loss of power some of what was not synced is gone.
func (d *disk) kill(t *testing.T, power bool) *disk {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone = true
	next := newDisk(t.TempDir(), d.r)
	if err := os.CopyFS(filepath.Join(next.dir, "sessions"), os.DirFS(filepath.Join(d.dir, "sessions"))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for name, size := range d.size {
		path := filepath.Join(next.dir, "sessions", filepath.Base(name))
		if left := d.safe[name]; power && left < size {
			if err := os.Truncate(path, left+d.r.Int64N(size-left)); err != nil && !errors.Is(err, fs.ErrNotExist) { // one without a header is removed
				t.Fatal(err)
			}
		}
		next.safe[path] = d.safe[name]
	}
	return next
}

type diskFile struct {
	*os.File
	d *disk
}

// Write writes all, or as much as the disk takes.
func (f *diskFile) Write(p []byte) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.gone {
		return 0, syscall.EIO // it never happened
	}
	var failed error
	if f.d.r.Float64() < f.d.bad {
		p, failed = p[:f.d.r.IntN(len(p)+1)], []error{syscall.ENOSPC, syscall.EIO}[f.d.r.IntN(2)]
	}
	n, err := f.File.Write(p)
	f.d.size[f.Name()] += int64(n)
	return n, errors.Join(err, failed)
}

// Truncate cuts the file.
func (f *diskFile) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.d.size[f.Name()], f.d.safe[f.Name()] = size, min(size, f.d.safe[f.Name()])
	return f.File.Truncate(size)
}

// Sync makes safe what was written when it was called.
func (f *diskFile) Sync() error {
	f.d.mu.Lock()
	size, takes := f.d.size[f.Name()], time.Duration(f.d.r.IntN(300))*time.Millisecond
	f.d.mu.Unlock()
	time.Sleep(takes)
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.gone {
		return syscall.EIO
	}
	f.d.safe[f.Name()] = max(size, f.d.safe[f.Name()])
	return nil
}

// life is the conversation of one user over several processes.
type life struct {
	t    *testing.T
	seed uint64
	r    *rand.Rand
	id   session.ID

	mu    sync.Mutex
	safe  map[session.PromptID]time.Time // when they were acknowledged: after a moment they survive a loss of power too
	maybe map[session.PromptID]bool      // taken back
	ran   map[session.PromptID]int       // how often the call of a prompt ran
}

// n returns a random number below most.
func (l *life) n(most int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.r.IntN(most)
}

// play is the agent: it streams, runs one call for each prompt and streams on.
func (l *life) play(turn *sessiontest.Turn) {
	pause := func() bool {
		select {
		case <-time.After(time.Duration(l.n(120)) * time.Millisecond):
			return true
		case <-turn.Context().Done():
			return false
		}
	}
	part := turn.OpenPart(session.PartText)
	for i := range 12 {
		turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("word %d ", i)})
		if !pause() {
			return
		}
		if i == 6 {
			call := turn.StartTool("Bash", `{"command":"make"}`)
			l.mu.Lock()
			l.ran[turn.Prompt.ID]++
			l.mu.Unlock()
			turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK})
		}
	}
	turn.End(session.TurnCompleted)
}

// process is one parley on a disk until it is killed, after a while.
func (l *life) process(d *disk, first bool) *disk {
	agent := sessiontest.NewAgent("builtin")
	agent.Script(l.play)
	m := live.NewManager(live.Deps{Agents: []session.Agent{agent}, Journals: d.store(), Endpoints: sessiontest.Endpoints()})
	s := l.open(m, first)
	if !first {
		l.check(s, d)
	}
	end := time.Now().Add(time.Duration(l.n(6000)) * time.Millisecond)
	for time.Now().Before(end) {
		switch l.n(5) {
		case 0, 1:
			l.send(s)
		case 2:
			d.set([]float64{0, 0, 0.3, 1}[l.n(4)])
		case 3:
			if q := session.Fold(historyOf(s)).Queue; len(q) > 0 {
				id := q[l.n(len(q))].ID
				l.mu.Lock()
				l.maybe[id] = true
				l.mu.Unlock()
				s.Unqueue(id)
			}
		}
		time.Sleep(time.Duration(l.n(700)) * time.Millisecond)
	}
	power := l.n(2) == 0
	next := d.kill(l.t, power)
	l.forget(power)
	ctx, cancel := context.WithTimeout(l.t.Context(), time.Hour)
	defer cancel()
	_ = m.Close(ctx) // nothing can be written any more
	return next
}

// open begins the conversation, or goes on with it. The first process may have ended before there was any journal.
func (l *life) open(m *live.Manager, first bool) *live.Session {
	if !first {
		if s, err := m.Resume(l.t.Context(), l.id); err == nil {
			return s
		} else if len(l.safe) > 0 {
			l.t.Fatalf("seed %d: %v", l.seed, err)
		}
	}
	s, err := m.Draft(live.DraftOptions{Dir: project})
	if err != nil {
		l.t.Fatal(err)
	}
	l.id = s.ID()
	return s
}

// send sends a prompt. Once it is acknowledged it must not be lost.
func (l *life) send(s *live.Session) {
	id, err := s.Send(session.Prompt{Text: "p"})
	if err != nil {
		l.t.Errorf("seed %d: %v", l.seed, err)
		return
	}
	go func() {
		if s.Stored(l.t.Context()) == nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.safe[id] = time.Now()
		}
	}()
}

// synced is the time after which what was acknowledged is on the disk itself: a sync that may wait, one that runs, and its own.
const synced = 900 * time.Millisecond

// forget takes back what a loss of power may take.
func (l *life) forget(power bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, at := range l.safe {
		if power && time.Since(at) < synced {
			l.maybe[id] = true
		}
	}
}

// check wants each acknowledged prompt in a turn or in the queue, once, and every call to have run once at most.
func (l *life) check(s *live.Session, d *disk) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := session.Fold(historyOf(s))
	there := map[session.PromptID]int{}
	for _, turn := range t.Turns {
		if turn.ID != "" {
			there[turn.Prompt.ID]++
			if turn.Outcome == "" {
				l.t.Errorf("seed %d: the turn of %s goes on without an agent", l.seed, turn.Prompt.ID)
			}
		}
	}
	for _, p := range t.Queue {
		there[p.ID]++
	}
	for id := range l.safe {
		if n := there[id]; n != 1 && !(l.maybe[id] && n == 0) {
			l.t.Errorf("seed %d: prompt %s is there %d times\n%s", l.seed, id, n, d.dir)
		}
	}
	for id, n := range l.ran {
		if n > 1 {
			l.t.Errorf("seed %d: the call of %s ran %d times", l.seed, id, n)
		}
	}
}

func historyOf(s *live.Session) []session.Event {
	history, detach := s.Attach(func(session.Event) {})
	detach()
	return history
}

// TestCrashesOnABadDisk kills a conversation at random moments, by kill -9 or with the power, on a disk that refuses writes at times:
// no prompt that was acknowledged is lost or doubled, no turn stays open, and no call runs twice.
func TestCrashesOnABadDisk(t *testing.T) {
	for seed := range uint64(repeat.Times(6, 25, 1000)) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 28))
			l := &life{t: t, seed: seed, r: r, safe: map[session.PromptID]time.Time{}, maybe: map[session.PromptID]bool{}, ran: map[session.PromptID]int{}}
			d := newDisk(t.TempDir(), rand.New(rand.NewPCG(seed, 29)))
			for n := range 4 {
				d = l.process(d, n == 0)
			}
		})
	}
}
