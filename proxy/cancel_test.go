package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/copilot"
)

// held is a service that answers with the first events and then waits, until it is cancelled or released.
type held struct {
	*fake
	arrived chan struct{} // one for every request
	release chan struct{}
	ended   chan error // how each request's context ended
}

func newHeld(first int) *held {
	h := &held{fake: &fake{}, arrived: make(chan struct{}, 10), release: make(chan struct{}), ended: make(chan error, 10)}
	watch := func(ctx context.Context) {
		h.arrived <- struct{}{}
		context.AfterFunc(ctx, func() { h.ended <- context.Cause(ctx) })
	}
	h.onStream = func(ctx context.Context, _ copilot.Request) (frames, http.Header, error) {
		watch(ctx)
		steps := append([]step{}, hello...)
		steps[first].wait = h.release
		return newScript(steps...), nil, nil
	}
	h.onMessage = func(ctx context.Context, _ copilot.Request) (*copilot.Response, error) {
		watch(ctx)
		select {
		case <-ctx.Done():
			return nil, &copilot.Error{Op: "send message", Kind: copilot.KindCancelled, Err: ctx.Err()}
		case <-h.release:
			return &copilot.Response{Body: []byte(wholeAnswer)}, nil
		}
	}
	return h
}

// The ways a request can be cut short, and where it may be then.
func TestCutShort(t *testing.T) {
	cuts := []struct {
		name string
		cut  func(r *rig, c *raw)
		left bool // the client itself left: it sees nothing any more
	}{
		{"client leaves", func(_ *rig, c *raw) { _ = c.conn.Close() }, true},
		{"revoked", func(r *rig, _ *raw) { r.Revoke("s1") }, false},
		{"opened again", func(r *rig, _ *raw) { _, _ = r.Open("s1") }, false},
		{"server closed", func(r *rig, _ *raw) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if err := r.Close(ctx); !errors.Is(err, context.Canceled) {
				r.t.Errorf("Close: %v", err)
			}
		}, false},
	}
	places := []struct {
		name   string
		body   string
		events int // passed on before
		priced bool
	}{
		{"whole message", wholeBody, 0, false},
		{"before the first event", streamBody, 0, false},
		{"within the stream", streamBody, 4, false}, // hello has a ping among these
		{"after the price", streamBody, 6, true},
	}
	for _, cut := range cuts {
		for _, place := range places {
			t.Run(cut.name+", "+place.name, func(t *testing.T) {
				h := newHeld(place.events)
				r := newRig(t, h.fake)
				c := r.dial()
				c.post(r, place.body)
				<-h.arrived
				var in *bufio.Reader
				events := 0
				if place.events > 0 {
					in = bufio.NewReader(c.response().Body)
					for _, s := range hello[:place.events] {
						if s.event != "ping" {
							readEvent(t, in)
							events++
						}
					}
				}
				cut.cut(r, c)
				if err := <-h.ended; err == nil {
					t.Error("the service was not told")
				}
				x := r.settle()
				if x.Err != "cancelled" || x.Events != int64(events) || x.Priced != place.priced || x.BytesOut != int64(len(wireOf(hello[:place.events]))) {
					t.Errorf("observed %+v", x)
				}
				if want := map[bool]int{true: 200, false: 499}[place.events > 0]; x.Status != want {
					t.Errorf("status %d, want %d", x.Status, want)
				}
				if cut.left {
					return
				}
				if in == nil {
					in = c.in
				}
				if rest, err := io.ReadAll(in); len(rest) > 0 || err == nil && place.events > 0 {
					t.Errorf("the client got %q and %v, not a broken connection", rest, err)
				}
			})
		}
	}
}

// A request whose body is still coming is cut short too.
func TestCutShortWhileUploading(t *testing.T) {
	for _, cut := range []string{"revoke", "close"} {
		t.Run(cut, func(t *testing.T) {
			f := &fake{}
			r := newRig(t, f)
			c := r.dial()
			c.send(fmt.Sprintf("POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
				r.guard.port, r.bearer))
			if got := c.response().StatusCode; got != 100 { // sent when the server begins to read the body
				t.Fatal(got)
			}
			c.send(`{"model":`)
			if cut == "revoke" {
				r.Revoke("s1")
			} else {
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				_ = r.Close(ctx)
			}
			if x := r.settle(); x.Err != "cancelled" || x.Status != 499 {
				t.Errorf("%+v", x)
			}
			if rest, _ := io.ReadAll(c.in); len(rest) > 0 {
				t.Errorf("the client got %q", rest)
			}
			if messages, _ := f.calls(); messages != 0 {
				t.Error("the service was asked")
			}
		})
	}
}

// A client that does not read cannot hold a request longer than its session, or the server.
func TestCutShortWhileWriting(t *testing.T) {
	for _, cut := range []string{"revoke", "close", "leave"} {
		t.Run(cut, func(t *testing.T) {
			frame := step{event: "content_block_delta", data: `{"x":"` + strings.Repeat("y", 1<<16) + `"}`}
			f := &fake{onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
				s := newScript()
				s.loop = &frame
				return s, nil, nil
			}}
			r := newRigOn(t, f, newPipeListener())
			c := r.dial()
			c.post(r, streamBody)
			if got := c.response().StatusCode; got != 200 { // and not a byte more: the server writes on
				t.Fatal(got)
			}
			switch cut {
			case "revoke":
				r.Revoke("s1")
			case "close":
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				_ = r.Close(ctx)
			case "leave":
				_ = c.conn.Close()
			}
			if x := r.settle(); x.Err != "cancelled" || x.Events != 0 {
				t.Errorf("%+v", x)
			}
		})
	}
}

// One session's end is nothing to another.
func TestRevokeIsForOneSession(t *testing.T) {
	h := newHeld(1)
	r := newRig(t, h.fake)
	other, err := r.Open("s2")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody, "Authorization", "Bearer "+other))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	r.Revoke("s1")
	close(h.release)
	if b, err := io.ReadAll(resp.Body); err != nil || string(b) != helloOut {
		t.Errorf("%q %v", b, err)
	}
	if got := r.do("GET", "/v1/models", ""); got.status != 401 {
		t.Errorf("a revoked bearer: %d", got.status)
	}
}

// Close lets what is running come to its end, and takes in nothing new.
func TestCloseIsGraceful(t *testing.T) {
	h := newHeld(1)
	r := newRig(t, h.fake)
	unused := r.dial() // a connection opened in advance must not hold it up
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	closed := make(chan error, 2)
	for range 2 {
		go func() { closed <- r.Close(context.Background()) }()
	}
	<-r.served // nothing is accepted from here on
	select {
	case err := <-closed:
		t.Fatalf("closed under a running request: %v", err)
	default:
	}
	close(h.release)
	if b, err := io.ReadAll(resp.Body); err != nil || string(b) != helloOut {
		t.Errorf("%q %v", b, err)
	}
	for range 2 {
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}
	if _, err := unused.in.ReadByte(); err == nil {
		t.Error("the unused connection is alive")
	}
	if x := r.settle(); x.Err != "" || x.Events != 6 {
		t.Errorf("%+v", x)
	}
	if _, err := r.client.Get(r.URL()); err == nil {
		t.Error("a closed server answers")
	}
	if err := r.Close(t.Context()); err != nil {
		t.Errorf("a second Close: %v", err)
	}
}

func TestSettled(t *testing.T) {
	h := newHeld(1)
	r := newRig(t, h.fake)
	if err := r.Settled(t.Context(), "s1"); err != nil {
		t.Errorf("with nothing running: %v", err)
	}
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Settled(ctx, "s1"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a request running: %v", err)
	}
	if err := r.Settled(t.Context(), "s2"); err != nil {
		t.Errorf("of another session: %v", err)
	}
	close(h.release)
	if err := r.Settled(testContext(t), "s1"); err != nil {
		t.Error(err)
	}
	if len(r.exchanges) != 1 {
		t.Errorf("%d exchanges were observed by then", len(r.exchanges))
	}
}

// Connections that were opened in advance are closed at once, those in use are not.
func TestCloseUnused(t *testing.T) {
	c := newConnections()
	unused, unusedPeer := net.Pipe()
	used, usedPeer := net.Pipe()
	defer func() { _, _, _, _ = unused.Close(), unusedPeer.Close(), used.Close(), usedPeer.Close() }()
	c.note(unused, http.StateNew)
	c.note(used, http.StateNew)
	c.note(used, http.StateActive)
	c.closeUnused()
	if _, err := unusedPeer.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the unused connection: %v", err)
	}
	go func() { _, _ = usedPeer.Write([]byte("x")) }()
	if n, err := used.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("the used connection: %v", err)
	}
	c.note(unused, http.StateClosed)
	none := c.none()
	select {
	case <-none:
		t.Error("one connection is left")
	default:
	}
	c.note(used, http.StateClosed)
	<-none
}

// A client that begins a request and then says nothing more does not hold a connection for ever.
func TestSlowClientsAreGivenUp(t *testing.T) {
	c := newClock(0, 0)
	c.body = time.Nanosecond
	listener, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	s := startOn(listener, Options{}, &fake{}, c)
	defer func() { _ = s.Close(t.Context()) }()
	if s.http.ReadHeaderTimeout <= 0 || s.http.IdleTimeout <= 0 {
		t.Error("headers may take for ever")
	}
	bearer, err := s.Open("s1")
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{Server: s, t: t}
	conn := r.dial()
	conn.send(fmt.Sprintf("POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{",
		s.guard.port, bearer))
	if b, _ := io.ReadAll(conn.in); len(b) > 0 {
		t.Errorf("the client got %q", b)
	}
	if err := s.Settled(testContext(t), "s1"); err != nil {
		t.Error(err)
	}
}
