package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/copilot"
)

// counted is a stream that counts how often it was asked. Only what follows frame number ready is there before that.
type counted struct {
	*script
	ready int64
	asked func(n int64)
}

func (c *counted) Ready() bool { return c.pulled.Load() == c.ready }

func (c *counted) Next() (copilot.Frame, error) {
	f, err := c.script.Next()
	c.asked(c.pulled.Load())
	return f, err
}

// endedWindow is a window whose end is a value of a channel: of rings for what was requested, of waits for the owner.
type endedWindow struct {
	rings, waits chan struct{}

	f    func()
	mu   sync.Mutex
	open bool
}

func (w *endedWindow) set(open bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = open
}

func (w *endedWindow) begin() { w.set(true) }
func (w *endedWindow) stop()  {}

func (w *endedWindow) left() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open {
		return 1
	}
	return 0
}

func (w *endedWindow) ring() {
	go func() {
		if _, ok := <-w.rings; ok {
			w.set(false)
			w.f()
		}
	}()
}

func (w *endedWindow) wait(context.Context, time.Duration) bool {
	_, ok := <-w.waits
	w.set(false)
	return ok
}

// A whole stream with windows that the test ends: what comes within one arrives as one event and counts as joined. Of a
// stream that has been slow for some windows nothing more is read while something waits; before, the service is read on.
func TestStreamIsJoined(t *testing.T) {
	delta := func(text string) step { return step{event: deltaEvent, data: string(textDelta(0, text))} }
	steps := []step{hello[0], hello[1], delta("Hel")}
	const first = 3 // the first delta that waits
	for i := range calmWindows + 1 {
		steps = append(steps, delta(fmt.Sprint(" ", i)))
	}
	const calm = first + calmWindows // the first delta of a slow stream
	steps = append(steps, delta(" wor"), delta("ld"), hello[4], hello[5], hello[6])
	var gates []chan struct{}
	for i := first + 1; i <= calm; i++ {
		gates = append(gates, make(chan struct{}))
		steps[i].wait = gates[len(gates)-1]
	}
	var ended atomic.Int64 // windows
	f := &fake{onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
		return &counted{script: newScript(steps...), ready: calm + 2, asked: func(n int64) {
			if n > calm+1 && ended.Load() <= calmWindows {
				t.Error("the service was read while something waited")
			}
		}}, http.Header{}, nil
	}}
	w := &endedWindow{rings: make(chan struct{}), waits: make(chan struct{})}
	defer close(w.rings) // lets go of what still waits for one
	defer close(w.waits)
	c := clock{now: time.Now, body: time.Minute, window: func(f func()) window { w.f = f; return w }}
	listener, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	var seen Exchange
	s := startOn(listener, Options{Observe: func(x Exchange) { seen = x }}, f, c)
	defer func() { _ = s.Close(testContext(t)) }()
	bearer, err := s.Open("s1")
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{Server: s, t: t, bearer: bearer, client: s.testClient(t)}
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	in := bufio.NewReader(resp.Body)
	for range first {
		readEvent(t, in)
	}
	end := func(of chan<- struct{}) {
		ended.Add(1)
		select {
		case of <- struct{}{}:
		case <-testContext(t).Done():
			t.Fatal("no goroutine waits for the window")
		}
	}
	for i := range calmWindows + 1 {
		if i < calmWindows {
			end(w.rings)
		} else {
			end(w.waits)
		}
		if got, want := readEvent(t, in), fmt.Sprintf(`" %d"`, i); !strings.Contains(got, want) {
			t.Errorf("%q, want %s", got, want)
		}
		if i < len(gates) {
			close(gates[i])
		}
	}
	end(w.waits)
	rest, err := io.ReadAll(in)
	if err != nil || !strings.HasPrefix(string(rest), wire(deltaEvent, textDelta(0, " world"))+"event: content_block_stop") {
		t.Errorf("%q %v", rest, err)
	}
	if err := s.Settled(testContext(t), "s1"); err != nil {
		t.Fatal(err)
	}
	if seen.Events != int64(len(steps)) || seen.Joined != 1 || seen.Err != "" {
		t.Errorf("%+v", seen)
	}
}

// Joining costs no memory per event.
func TestJoiningDoesNotAllocate(t *testing.T) {
	w := &frameWriter{}
	e := newEventWriter(t.Context(), w, func() error { return nil })
	win := &handWindow{}
	e.window = win
	data := textDelta(0, "some letters")
	n := testing.AllocsPerRun(1000, func() {
		for range 10 {
			if err := e.frame(deltaEvent, data, false); err != nil {
				t.Fatal(err)
			}
		}
		win.end()
		e.elapsed()
	})
	if n > 0 || e.saved < 8000 {
		t.Errorf("%v allocations for ten events, %d joined", n, e.saved)
	}
}
