//go:build linux || darwin

package host_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley/internal/crash"
	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store"
)

// The files by which a test rules the hosts that work in its folder.
const (
	mortal = "mortal" // while it is there, hosts kill themselves at moments of their work
	worn   = "worn"   // while it is there, the disk refuses some of what is written
)

// deadly is what a host of TestKill is made of: the files in which it writes down what it did, and the chance by which it dies.
type deadly struct {
	dir string

	mu sync.Mutex
	r  *rand.Rand
}

// note appends a line to a file, in one write.
func (d *deadly) note(file, line string) {
	f, err := os.OpenFile(filepath.Join(d.dir, file), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, line)
		_ = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// rules reports whether a file with which the test rules is there.
func (d *deadly) rules(file string) bool {
	_, err := os.Stat(filepath.Join(d.dir, file))
	return err == nil
}

// one reports true once in so many times.
func (d *deadly) one(of int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.IntN(of) == 0
}

// moment kills this process at times.
func (d *deadly) moment(what string, of int) {
	if !d.one(of) || !d.rules(mortal) {
		return
	}
	d.note("moments", what)
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// storedIn returns a manager of the sessions stored in a folder. d may be nil.
func storedIn(dir string, d *deadly) *live.Manager {
	var a session.Agent = sessiontest.NewAgent("builtin")
	o := store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")}
	if d != nil {
		a = counting{d}
		o.OpenFile = func(name string, flag int, perm fs.FileMode) (store.File, error) {
			f, err := os.OpenFile(name, flag, perm)
			return wornFile{f, d}, err
		}
	}
	return live.NewManager(live.Deps{Agents: []session.Agent{a}, Journals: store.New(o), Endpoints: sessiontest.Endpoints()})
}

// wornFile is a journal whose writes fail at times, and in which the host dies at times.
type wornFile struct {
	*os.File
	d *deadly
}

func (f wornFile) Write(p []byte) (int, error) {
	f.d.moment("before a write", 40)
	if half := len(p) / 2; f.d.one(40) && f.d.rules(mortal) {
		_, _ = f.File.Write(p[:half])
		f.d.moment("in a write", 1)
	}
	if f.d.one(4) && f.d.rules(worn) {
		n, _ := f.File.Write(p[:len(p)/3])
		return n, syscall.ENOSPC
	}
	n, err := f.File.Write(p)
	f.d.moment("after a write", 40)
	return n, err
}

func (f wornFile) Sync() error {
	f.d.moment("before a sync", 40)
	if f.d.one(4) && f.d.rules(worn) {
		return syscall.EIO
	}
	return f.File.Sync()
}

// counting is an agent that answers each prompt by counting, asks whether it may run a call, and writes down which prompts and calls it ran.
type counting struct{ d *deadly }

func (counting) Name() string { return "builtin" }

func (a counting) Open(_ context.Context, o session.OpenOptions) (session.Conversation, error) {
	return &countingConversation{d: a.d, o: o, answers: make(chan session.Answer, 1)}, nil
}

type countingConversation struct {
	d       *deadly
	o       session.OpenOptions
	answers chan session.Answer
}

// Send counts to 100, asks, runs a call and counts to 200.
func (c *countingConversation) Send(ctx context.Context, turn session.TurnID, p session.Prompt, _ session.Origin) error {
	c.d.note("ran", p.Text)
	h := session.Head{Session: c.o.Session, Turn: turn, Gen: c.o.Gen}
	outcome := session.TurnCompleted
	for i := range 2 {
		part := session.PartID(fmt.Sprintf("part %d of %s", i, p.ID))
		c.o.Emit(session.PartStarted{Head: h, Part: part, Kind: session.PartText})
		for n := range 100 {
			c.o.Emit(session.PartDelta{Head: h, Part: part, Text: fmt.Sprintf("%s-%d ", p.Text, 100*i+n)})
		}
		c.d.moment("in an answer", 20)
		c.o.Emit(session.PartEnded{Head: h, Part: part})
		if i == 0 && !c.call(ctx, h, p) {
			outcome = session.TurnCancelled
			break
		}
	}
	c.o.Emit(session.TurnEnded{Head: h, Outcome: outcome})
	return nil
}

// call runs the call of a prompt, once it is allowed.
func (c *countingConversation) call(ctx context.Context, h session.Head, p session.Prompt) bool {
	call := session.CallID("call of " + p.ID)
	c.o.Emit(session.ToolStarted{Head: h, Call: call, Name: "Bash"})
	c.o.Emit(session.ToolReady{Head: h, Call: call, Input: []byte(`{"command":"make"}`)})
	ask := session.AskID("ask of " + p.ID)
	c.o.Emit(session.Asked{Head: h, Ask: ask, Kind: session.AskPermission, Permission: &session.PermissionAsk{Tool: "Bash", Command: "make"}})
	c.d.moment("in an ask", 12)
	select {
	case a := <-c.answers:
		c.o.Emit(session.Settled{Head: h, Ask: ask, How: session.SettledAnswered, Answer: a})
	case <-ctx.Done():
		c.o.Emit(session.Settled{Head: h, Ask: ask, How: session.SettledCancelled})
		c.o.Emit(session.ToolEnded{Head: h, Call: call, Outcome: session.ToolCancelled})
		return false
	}
	c.d.moment("before a call", 30)
	c.d.note("calls", p.Text)
	c.d.moment("in a call", 12)
	c.o.Emit(session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK})
	return true
}

func (c *countingConversation) Answer(session.AskID, session.Answer) error {
	c.d.moment("in an answer to an ask", 20)
	select {
	case c.answers <- session.Answer{Decision: session.Allow}:
		return nil
	default:
		return &session.Error{Op: "answer", Kind: session.KindNotFound, Err: errors.New("it is answered")}
	}
}

func (*countingConversation) Configure(context.Context, session.Settings) error { return nil }
func (*countingConversation) Abort()                                            {}
func (*countingConversation) Close(context.Context) error                       { return nil }

// hostVariable is the environment variable that makes this test a host, see TestKill. It names the folder.
const hostVariable = "PARLEY_TEST_HOST"

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostVariable); dir != "" {
		os.Exit(beHost(dir))
	}
	goleak.VerifyTestMain(m)
}

// beHost is this test as a host, in a process of its own.
func beHost(dir string) int {
	m := storedIn(dir, &deadly{dir: dir, r: rand.New(rand.NewPCG(rand.Uint64(), 28))})
	err := host.Run(context.Background(), host.Options{Place: placeIn(dir), Manager: m, Program: "test", Log: slog.New(slog.DiscardHandler), Idle: time.Second}, func() {})
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	if err := errors.Join(err, m.Close(ctx)); err != nil && !errors.Is(err, host.ErrRunning) {
		return 1
	}
	return 0
}

// says answers what a session asks, until the end of the returned function.
func says(s *live.Session) (end func()) {
	news, done, ended := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	past, reader := s.Read(func(bool) {
		select {
		case news <- struct{}{}:
		default:
		}
	})
	tr := session.Fold(past)
	crash.Go(func() {
		defer close(ended)
		for {
			for _, a := range tr.Asks {
				_ = s.Answer(a.Ask, session.Answer{Decision: session.Allow}) // it may be over
			}
			select {
			case <-news:
			case <-done:
				reader.Close()
				return
			}
			events, anew := reader.Next()
			if anew {
				tr = session.Fold(events)
				continue
			}
			for _, e := range events {
				tr.Apply(e)
			}
		}
	})
	return func() {
		close(done)
		<-ended
	}
}

// lines counts the lines of a file by their text.
func lines(t testing.TB, name string) map[string]int {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	n := map[string]int{}
	for line := range strings.Lines(string(data)) {
		n[strings.TrimSuffix(line, "\n")]++
	}
	return n
}
