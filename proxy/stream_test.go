package proxy

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/copilot"
)

func TestStream(t *testing.T) {
	f := play(hello...)
	inner := f.onStream
	f.onStream = func(ctx context.Context, r copilot.Request) (frames, http.Header, error) {
		s, _, err := inner(ctx, r)
		return s, http.Header{"X-Request-Id": {"r-9"}, "X-Quota-Snapshot-Premium_models": {"rem=1"}, "Content-Type": {"x"}}, err
	}
	r := newRig(t, f)
	got := r.do("POST", "/v1/messages?beta=true", streamBody)
	if got.status != 200 || got.err != nil {
		t.Fatalf("%+v", got)
	}
	if d := cmp.Diff(helloOut, got.body); d != "" {
		t.Error(d)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache", "Request-Id": "r-9",
		"X-Quota-Snapshot-Premium_models": "rem=1", "Access-Control-Allow-Origin": "",
	} {
		if v := got.header.Get(name); v != want {
			t.Errorf("%s: %q, want %q", name, v, want)
		}
	}
	x := r.settle()
	if x.FirstEvent < 0 || x.Duration < x.FirstEvent {
		t.Errorf("first event after %v of %v", x.FirstEvent, x.Duration)
	}
	want := Exchange{
		Session: "s1", Method: "POST", Path: "/v1/messages", Model: "claude-opus-4-6", Upstream: "claude-opus-4.6", Initiator: "user", Stream: true,
		Status: 200, Usage: Usage{Input: 11, Output: 7, CacheRead: 5, CacheCreate: 2}, NanoAIU: 123456789, Priced: true,
		Quota: http.Header{"X-Quota-Snapshot-Premium_models": {"rem=1"}}, RequestID: "r-9", Began: x.Began,
		Duration: x.Duration, FirstEvent: x.FirstEvent, BytesIn: int64(len(streamBody)), BytesOut: int64(len(helloOut)), Events: 6,
	}
	if d := cmp.Diff(want, x); d != "" {
		t.Error(d)
	}
}

// What the proxy does not know goes through as it came.
func TestStreamPassesTheUnknown(t *testing.T) {
	steps := []step{
		{event: "message_start", data: `{"type":"message_start","message":{"model":"unheard-of-9"}}`},
		{event: "content_block_delta", data: `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\": \u00e9"}}`},
		{event: "content_block_delta", data: `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"h m"},"copilot_annotations":{}}`},
		{event: "content_block_delta", data: `{"type":"content_block_delta","delta":{"type":"signature_delta","signature":"AbC+/="}}`},
		{event: "brand_new", data: `{"type":"brand_new","x":[1.0]}`},
		{event: "", data: `{}`},
		{event: "odd\r\nevent: evil", data: `{}`},
		{event: "lines", data: "{\n\"a\":1,\r\n\"b\":2,\r\"c\":3}"},
		{event: "message_delta", data: `{"type":"message_delta","usage":"none"}`},
		{event: "message_stop", data: `{"type":"message_stop","amazon-bedrock-invocationMetrics":{}}`},
	}
	r := newRig(t, play(steps...))
	got := r.do("POST", "/v1/messages", streamBody)
	var want strings.Builder
	for i, s := range steps {
		switch i {
		case 5, 6:
			want.WriteString("data: {}\n\n")
		case 7:
			want.WriteString("event: lines\ndata: {\ndata: \"a\":1,\ndata: \"b\":2,\ndata: \"c\":3}\n\n")
		default:
			want.WriteString("event: " + s.event + "\ndata: " + s.data + "\n\n")
		}
	}
	if d := cmp.Diff(want.String(), got.body); d != "" {
		t.Error(d)
	}
}

// Each event is on its way before the next one is there.
func TestStreamFlushesEveryEvent(t *testing.T) {
	var steps []step
	var gates []chan struct{}
	for _, s := range hello {
		gate := make(chan struct{})
		s.wait = gate
		steps, gates = append(steps, s), append(gates, gate)
	}
	r := newRig(t, play(steps...))
	close(gates[0]) // the answer begins with the first event
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	in := bufio.NewReader(resp.Body)
	for i, s := range hello {
		if i > 0 {
			close(gates[i])
		}
		if s.event == "ping" {
			continue
		}
		if got := readEvent(t, in); !strings.HasPrefix(got, "event: "+s.event+"\n") {
			t.Errorf("event %d: %q", i, got)
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// An error before the first event is an answer with its own status; later it is one error event, and the end.
func TestStreamErrors(t *testing.T) {
	own := `{"type":"error","error":{"type":"overloaded_error","message":"busy","extra":1},"request_id":"req_1"}`
	cases := []struct {
		name    string
		err     error
		status  int
		errType string
		body    string // if it has to be exactly so
		retry   bool
		kind    string
	}{
		{"reported in the stream", &copilot.Error{Op: "stream messages", Kind: copilot.KindOverloaded, Status: 520, Envelope: []byte(own)},
			502, "overloaded_error", own, true, "overloaded"},
		{"stalled", &copilot.Error{Op: "stream messages", Kind: copilot.KindStalled}, 504, "timeout_error", "", true, "stalled"},
		{"cut", &copilot.Error{Op: "stream messages", Kind: copilot.KindNetwork, Err: io.ErrUnexpectedEOF}, 502, "api_error", "", true, "network"},
		{"strange", errors.New("token gho_abc was here"), 502, "api_error", "", true, "unknown"},
		{"typed", &copilot.Error{Op: "stream messages", Kind: copilot.KindRateLimit, Status: 429, Envelope: []byte(own)},
			429, "overloaded_error", own, true, "rate_limit"},
		{"given up by itself", &copilot.Error{Op: "stream messages", Kind: copilot.KindCancelled}, 502, "api_error", "", true, "cancelled"},
		{"empty", io.EOF, 502, "api_error", "", true, "protocol"}, // only an error as the first event
	}
	for _, test := range cases {
		for _, at := range []int{0, 1, len(hello) - 1} {
			if test.name == "empty" && at > 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s at %d", test.name, at), func(t *testing.T) {
				steps := append(append([]step{}, hello[:at]...), step{err: test.err}, hello[len(hello)-1])
				r := newRig(t, play(steps...))
				got := r.do("POST", "/v1/messages", streamBody)
				if got.err != nil || strings.Contains(got.body, "gho_abc") {
					t.Errorf("%+v", got)
				}
				if x := r.settle(); x.Err != test.kind || x.Status != got.status {
					t.Errorf("observed %+v", x)
				}
				if at == 0 {
					errType, _ := envelopeOf(t, got.body)
					retry := got.header.Get("X-Should-Retry") != "false"
					if got.status != test.status || errType != test.errType || retry != test.retry || test.body != "" && got.body != test.body {
						t.Errorf("%+v", got)
					}
					return
				}
				head, tail, ok := strings.Cut(got.body, "event: error\ndata: ")
				if got.status != 200 || !ok || head != wireOf(hello[:at]) || !strings.HasSuffix(tail, "\n\n") {
					t.Fatalf("%d %q", got.status, got.body)
				}
				tail = strings.TrimSuffix(tail, "\n\n")
				errType, _ := envelopeOf(t, tail)
				if errType != test.errType || test.body != "" && tail != test.body {
					t.Errorf("error event %s", tail)
				}
			})
		}
	}
}

// wireOf is what a client gets of steps.
func wireOf(steps []step) string {
	var b []byte
	for _, s := range steps {
		if s.event != "ping" {
			b = appendFrame(b, s.event, bytes.Replace([]byte(s.data), []byte("claude-opus-4.6"), []byte("claude-opus-4-6"), 1))
		}
	}
	return string(b)
}

// Errors before there is a stream keep status, envelope and headers.
func TestStreamRefused(t *testing.T) {
	own := `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"},"request_id":"req_1"}`
	header := http.Header{"X-Request-Id": {"r-1"}, "Retry-After": {"-9223372036"}, "X-Quota-Snapshot-Chat": {"rem=0"}, "Set-Cookie": {"a=b"}}
	f := &fake{}
	r := newRig(t, f)
	for _, stream := range []bool{true, false} {
		err := &copilot.Error{Op: "x", Kind: copilot.KindRateLimit, Status: 429, Envelope: []byte(own), Header: header, RetryAfter: 1500 * time.Millisecond}
		f.onStream = func(context.Context, copilot.Request) (frames, http.Header, error) { return nil, nil, err }
		f.onMessage = func(context.Context, copilot.Request) (*copilot.Response, error) { return nil, err }
		body := wholeBody
		if stream {
			body = streamBody
		}
		got := r.do("POST", "/v1/messages", body)
		if got.status != 429 || got.body != own || got.header.Get("Retry-After") != "2" || got.header.Get("Request-Id") != "r-1" ||
			got.header.Get("X-Quota-Snapshot-Chat") != "rem=0" || got.header.Get("Set-Cookie") != "" || got.header.Get("X-Should-Retry") != "" {
			t.Errorf("%+v", got)
		}
		if x := r.settle(); x.Err != "rate_limit" || x.Status != 429 || x.Quota.Get("X-Quota-Snapshot-Chat") != "rem=0" || x.RequestID != "r-1" {
			t.Errorf("observed %+v", x)
		}
		err.RetryAfter = 0
		if got := r.do("POST", "/v1/messages", body); got.header.Get("Retry-After") != "" {
			t.Errorf("a senseless Retry-After was passed on: %+v", got.header)
		}
	}
}

// Silence is covered by pings, after the answer began and until it ends.
func TestPings(t *testing.T) {
	gate := make(chan struct{})
	steps := append([]step{}, hello...)
	steps[1].wait = gate
	r := newRig(t, play(steps...))
	resp, err := r.client.Do(r.request("POST", "/v1/messages", streamBody))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	in := bufio.NewReader(resp.Body)
	if got := readEvent(t, in); !strings.HasPrefix(got, "event: message_start\n") {
		t.Fatal(got)
	}
	for range 2 * quietTicks {
		r.ticks <- time.Time{}
	}
	for range 2 {
		if got := readEvent(t, in); got != "event: ping\ndata: {\"type\": \"ping\"}\n" {
			t.Fatal(got)
		}
	}
	close(gate)
	rest, err := io.ReadAll(in)
	if want := helloOut[strings.Index(helloOut, "event: content_block_start"):]; string(rest) != want || err != nil {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestEventWriterPings(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var b strings.Builder
	e := newEventWriter(ctx, &b, func() error { return nil })
	pings := func(want int) {
		t.Helper()
		if got := strings.Count(b.String(), "event: ping"); got != want {
			t.Fatalf("%d pings, want %d", got, want)
		}
	}
	e.tick()
	e.tick()
	pings(0)
	_ = e.frame("x", []byte("1"), false) // silence begins again
	e.tick()
	e.tick()
	pings(0)
	e.tick()
	pings(1)
	for range 2 {
		e.tick()
	}
	pings(1)
	e.tick()
	pings(2)
	_ = e.last("error", []byte("2"))
	for range 9 {
		e.tick()
	}
	pings(2)
	cancel()
	if err := e.frame("x", []byte("3"), false); err == nil || strings.Contains(b.String(), "data: 3") {
		t.Error("something was written for a client that left")
	}
}

func TestClockTicks(t *testing.T) {
	if newClock(-1, -1).ticks != nil {
		t.Error("pings although none are wanted")
	}
	ticked, done := make(chan struct{}), make(chan struct{})
	stop := newClock(time.Nanosecond, 0).ticks(func() {
		select {
		case ticked <- struct{}{}:
		case <-done:
		}
	})
	<-ticked
	<-ticked // again and again
	close(done)
	stop()

	k := &ticker{every: time.Hour, f: func() {}, timer: time.NewTimer(time.Hour)}
	if k.fire(); !k.timer.Stop() {
		t.Error("the ticker was not wound up again")
	}
	k.stop()
	if k.fire(); k.timer.Stop() {
		t.Error("the ticker was wound up although it was stopped")
	}
}

// A client that reads slowly slows the service down: nothing is taken that cannot be written. The connection has no
// buffers, so that the bound is exact.
func TestSlowReaderBoundsReads(t *testing.T) {
	frame := step{event: "content_block_delta", data: `{"x":"` + strings.Repeat("y", 8192) + `"}`}
	var s *script
	f := &fake{onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
		s = newScript()
		s.loop = &frame
		return s, nil, nil
	}}
	r := newRigOn(t, f, newPipeListener())
	c := r.dial()
	c.post(r, streamBody)
	in := bufio.NewReaderSize(c.response().Body, 16)
	for n := range int64(50) {
		if got := readEvent(t, in); !strings.HasPrefix(got, "event: content_block_delta\n") {
			t.Fatal(got)
		}
		if pulled := s.pulled.Load(); pulled > n+2 {
			t.Fatalf("%d events were taken when the client had read %d", pulled, n+1)
		}
	}
	_ = c.conn.Close()
	if x := r.settle(); x.Err != "cancelled" || x.Events > 51 {
		t.Errorf("%+v", x)
	}
	if pulled := s.pulled.Load(); pulled > 52 {
		t.Errorf("%d events were taken in the end", pulled)
	}
}

// Many streams at once do not get into each other's way.
func TestManyStreams(t *testing.T) {
	r := newRig(t, play(hello...))
	var wg sync.WaitGroup
	for i := range 40 {
		bearer, err := r.Open(fmt.Sprintf("many-%d", i%8*10+i))
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for range 5 {
				got := r.do("POST", "/v1/messages", streamBody, "Authorization", "Bearer "+bearer)
				if got.body != helloOut {
					t.Errorf("%+v", got)
				}
			}
		})
	}
	wg.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.exchanges) < 195 { // the last of each connection may still be on its way to the observer
		t.Errorf("%d exchanges", len(r.exchanges))
	}
}
