package runtimes

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/session"
)

// gate serves the beginning of an archive, says that it did, and waits to be opened.
type gate struct {
	data    []byte
	begun   chan struct{} // one value for each download
	open    chan struct{}
	opening sync.Once
}

func newGate(data []byte) *gate {
	return &gate{data: data, begun: make(chan struct{}, 100), open: make(chan struct{})}
}

func (g *gate) release() { g.opening.Do(func() { close(g.open) }) }

func (g *gate) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Write(g.data[:20])
		w.(http.Flusher).Flush()
		g.begun <- struct{}{}
		select {
		case <-g.open:
			w.Write(g.data[20:])
		case <-req.Context().Done():
		}
	})
}

func gated(t *testing.T) (*bench, *gate) {
	b := newBench(t)
	g := newGate(b.reg.packages["@toys/toy-linux-x64@2.0.0"])
	b.reg.body = g.handler
	t.Cleanup(g.release)
	return b, g
}

// waiting blocks until so many callers wait for toy 2.0.0.
func (b *bench) waiting(n int) {
	b.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		b.installs.mu.Lock()
		have := 0
		if shared := b.installs.running["toy@2.0.0"]; shared != nil {
			shared.mu.Lock()
			have = len(shared.waiters)
			shared.mu.Unlock()
		}
		b.installs.mu.Unlock()
		if have == n {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("%d callers wait, want %d", have, n)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestCallersShareOneDownload(t *testing.T) {
	b, g := gated(t)
	var wg sync.WaitGroup
	var told, already atomic.Int32
	for range 8 {
		wg.Go(func() {
			heard := false
			i, err := b.Install(t.Context(), "toy", "2.0.0", func(Progress) { heard = true })
			if err != nil || i.Version != "2.0.0" {
				t.Errorf("%+v, %v", i, err)
			}
			if heard {
				told.Add(1)
			}
			if i.Already {
				already.Add(1)
			}
		})
	}
	<-g.begun
	b.waiting(8)
	g.release()
	wg.Wait()
	if b.reg.called("archive") != 1 || b.reg.called("view") != 1 {
		t.Errorf("calls %v", b.reg.calls)
	}
	if told.Load() != 8 || already.Load() != 0 {
		t.Errorf("%d of 8 heard of progress, %d found it there", told.Load(), already.Load())
	}
}

func TestOneCallerLeavesTheOtherStays(t *testing.T) {
	b, g := gated(t)
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { _, err := b.Install(ctx, "toy", "2.0.0", nil); first <- err }()
	<-g.begun // the first has begun it, and its context must not end it
	go func() { _, err := b.Install(t.Context(), "toy", "2.0.0", nil); second <- err }()
	b.waiting(2)
	cancel()
	if err := <-first; session.KindOf(err) != session.KindCancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("the one who left: %v", err)
	}
	g.release()
	if err := <-second; err != nil {
		t.Errorf("the one who stayed: %v", err)
	}
}

func TestAllLeaveAndNothingIsLeft(t *testing.T) {
	b, g := gated(t)
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 3)
	for range 3 {
		go func() { _, err := b.Install(ctx, "toy", "2.0.0", nil); errs <- err }()
	}
	<-g.begun
	b.waiting(3)
	cancel()
	for range 3 {
		if err := <-errs; session.KindOf(err) != session.KindCancelled {
			t.Error(err)
		}
	}
	// The last to leave has waited for the end; the others may have returned before.
	if got := b.leftovers(); len(got) != 0 {
		t.Errorf("left behind %v", got)
	}
	g.release()
	if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Errorf("giving up was remembered: %v", err)
	}
}

func TestCancelWhileNpmIsAsked(t *testing.T) {
	b := newBench(t)
	asked := make(chan struct{})
	b.reg.asked = func(req *http.Request) {
		close(asked)
		<-req.Context().Done()
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := b.Install(ctx, "toy", "2.0.0", nil); session.KindOf(err) != session.KindCancelled {
		t.Error(err)
	}
	if got := b.leftovers(); len(got) != 0 {
		t.Errorf("left behind %v", got)
	}
}

func TestFailureIsRememberedForAWhile(t *testing.T) {
	b := newBench(t)
	b.reg.npmError = "ENOTFOUND"
	_, first := b.Install(t.Context(), "toy", "2.0.0", nil)
	if ReasonOf(first) != ReasonOffline {
		t.Fatal(first)
	}
	b.reg.npmError = ""
	b.clock.move(29 * time.Second)
	_, second := b.Install(t.Context(), "toy", "2.0.0", nil)
	e, ok := errors.AsType[*session.Error](second)
	if !ok || ReasonOf(second) != ReasonOffline || e.RetryAfter != time.Second || e.Error() != first.Error() {
		t.Errorf("after 29 s: %v (%+v)", second, e)
	}
	if p := session.ProblemOf(second, b.clock.now()); p.Next != "Try again in 1 s." {
		t.Errorf("the user hears %+v", p)
	}
	if b.reg.called("view") != 1 {
		t.Errorf("npm was asked %d times", b.reg.called("view"))
	}
	if _, err := b.Install(t.Context(), "toy", "1.0.0", nil); ReasonOf(err) != ReasonNoSuchVersion {
		t.Errorf("another version: %v", err)
	}
	b.clock.move(time.Second)
	if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Errorf("after 30 s: %v", err)
	}
}

// otherProcess starts an installation of toy 2.0.0 into the bench's directory.
func (b *bench) otherProcess() (*exec.Cmd, *bufio.Reader) {
	b.t.Helper()
	b.reg.called("") // see Install
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(slices.Clone(b.o.Environ), asInstaller+"="+b.o.Dir, "TOY_INTEGRITY="+b.families[0].pins[1].packages["linux-x64"].integrity)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	return cmd, bufio.NewReader(out)
}

func TestProcessesShareOneDownload(t *testing.T) {
	b, g := gated(t)
	var cmds []*exec.Cmd
	var outs []*bufio.Reader
	for range 3 {
		cmd, out := b.otherProcess()
		cmds, outs = append(cmds, cmd), append(outs, out)
	}
	<-g.begun
	waits := make(chan struct{}, 1)
	done := make(chan error, 1)
	go func() {
		_, err := b.Install(t.Context(), "toy", "2.0.0", func(p Progress) {
			if p.Stage == StageWaiting {
				waits <- struct{}{}
			}
		})
		done <- err
	}()
	<-waits
	g.release()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for i, out := range outs {
		var line string
		for line = "downloading\n"; line == "downloading\n"; line, _ = out.ReadString('\n') {
		}
		var got Installed
		if err := json.Unmarshal([]byte(line), &got); err != nil || got.Version != "2.0.0" {
			t.Errorf("process %d says %q", i, line)
		}
		if err := cmds[i].Wait(); err != nil {
			t.Error(err)
		}
	}
	if b.reg.called("archive") != 1 || b.reg.called("view") != 1 {
		t.Errorf("calls %v", b.reg.calls)
	}
}

func TestKilledInstallationIsSweptAway(t *testing.T) {
	b, g := gated(t)
	cmd, _ := b.otherProcess()
	<-g.begun
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if got := b.leftovers(); len(got) != 1 || !strings.HasPrefix(got[0], stagingPrefix) {
		t.Fatalf("the killed process left %v", got)
	}
	g.release()
	if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Fatal(err)
	}
	if got := b.leftovers(); !slices.Equal(got, []string{"2.0.0"}) {
		t.Errorf("left behind %v", got)
	}
}
