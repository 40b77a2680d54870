package proxy

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/copilot"
)

// counted is a stream that knows that nothing is there before it is asked for, and counts how often it was asked.
type counted struct {
	*script
	asked func(n int64)
}

func (c *counted) Ready() bool { return false }

func (c *counted) Next() (copilot.Frame, error) {
	f, err := c.script.Next()
	c.asked(c.pulled.Load())
	return f, err
}

// A whole stream with a window that the test ends: what comes within it arrives as one event and counts as joined, and
// nothing more is read of the service before it is out.
func TestStreamIsJoined(t *testing.T) {
	delta := func(text string) step { return step{event: deltaEvent, data: string(textDelta(0, text))} }
	steps := []step{hello[0], hello[1], delta("Hel"), delta("lo,"), delta(" wor"), hello[4], hello[5], hello[6]}
	const heldAt = 4 // "lo," is the first that waits
	var ended atomic.Bool
	f := &fake{onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
		return &counted{newScript(steps...), func(n int64) {
			if n == heldAt+1 && !ended.Load() {
				t.Error("the service was read while something waited")
			}
		}}, http.Header{}, nil
	}}
	window := make(chan time.Time)
	c := clock{now: time.Now, body: time.Minute,
		ticks:  func() (<-chan time.Time, func()) { return nil, func() {} },
		window: func() (<-chan time.Time, func(), func()) { return window, func() {}, func() {} },
	}
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
	for range 3 {
		readEvent(t, in)
	}
	ended.Store(true)
	window <- time.Time{} // "lo," goes out; " wor" waits in the window that opens then
	if got := readEvent(t, in); !strings.Contains(got, `"lo,"`) {
		t.Errorf("%q", got)
	}
	select {
	case window <- time.Time{}: // and goes out with its end
	case <-testContext(t).Done():
	}
	rest, err := io.ReadAll(in)
	if err != nil || !strings.HasPrefix(string(rest), wire(deltaEvent, textDelta(0, " wor"))+"event: content_block_stop") {
		t.Errorf("%q %v", rest, err)
	}
	if err := s.Settled(testContext(t), "s1"); err != nil {
		t.Fatal(err)
	}
	if seen.Events != int64(len(steps)) || seen.Joined != 0 || seen.Err != "" {
		t.Errorf("%+v", seen)
	}
}

// Joining costs no memory per event.
func TestJoiningDoesNotAllocate(t *testing.T) {
	w := &frameWriter{}
	e := newEventWriter(t.Context(), w, func() error { return nil })
	e.arm = func() {}
	data := textDelta(0, "some letters")
	n := testing.AllocsPerRun(1000, func() {
		for range 10 {
			if err := e.frame(deltaEvent, data, false); err != nil {
				t.Fatal(err)
			}
		}
		e.elapsed()
	})
	if n > 0 || e.saved < 8000 {
		t.Errorf("%v allocations for ten events, %d joined", n, e.saved)
	}
}
