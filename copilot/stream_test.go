package copilot

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// open starts a stream.
func open(t testing.TB, c *Client, ctx context.Context) *Stream {
	t.Helper()
	s, err := c.StreamMessages(ctx, Request{Body: []byte(emptyBody)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStreamFrames(t *testing.T) {
	f := newFake(t)
	thinking := `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`
	f.on(pathMessages, sse(
		": a comment\n\n",
		frameStart,
		"event: ping\r\ndata: {\"type\":\"ping\"}\r\n\r\n",
		"data:"+thinking+"\n\n",                                      // no event field, no space
		"id: 7\nretry: 5\nevent: shiny\ndata: {\"a\":\ndata: 1}\n\n", // unknown, in two lines
		"event: content_block_delta\ndata: {\"type\":\n\n",           // malformed
		"data: [DONE]\n\n",
		"event: nothing\n\n", // no data
		frame("message_delta", `{"type":"message_delta","copilot_usage":{"total_nano_aiu":12}}`),
		frameStop,
		frame("error", `{"type":"error","error":{"type":"api_error","message":"too late"}}`),
		delta("junk"),
	))
	s := open(t, f.client(t), t.Context())
	type seen struct{ Event, Data string }
	var got []seen
	for {
		f, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, seen{f.Event, string(f.Data)})
	}
	want := []seen{
		{"message_start", strings.TrimSuffix(strings.SplitAfter(frameStart, "data: ")[1], "\n\n")},
		{"ping", `{"type":"ping"}`},
		{"content_block_delta", thinking},
		{"shiny", "{\"a\":\n1}"},
		{"message_delta", `{"type":"message_delta","copilot_usage":{"total_nano_aiu":12}}`},
		{"message_stop", `{"type":"message_stop"}`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if s.Skipped() != 2 {
		t.Errorf("skipped %d", s.Skipped())
	}
	if _, err := s.Next(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
	h := f.got(pathMessages)[0].header
	if h.Get("Accept") != "text/event-stream" || h.Get("Accept-Encoding") != "identity" {
		t.Errorf("sent %v", h)
	}
}

func TestStreamStopWithoutLineEnd(t *testing.T) {
	for _, tail := range []string{
		"event: message_stop\ndata: {\"type\":\"message_stop\"}", "data: {\"type\":\"message_stop\"}\n",
		"data:{\"type\":\"message_stop\"}\r", "event: message_stop\ndata: {}",
	} {
		f := newFake(t)
		f.on(pathMessages, sse(frameStart, tail))
		names, err := drain(open(t, f.client(t), t.Context()))
		if err != nil || len(names) != 2 || names[1] != "message_stop" {
			t.Errorf("%q: got %v, %v", tail, names, err)
		}
	}
}

func TestStreamWithoutStop(t *testing.T) {
	for name, frames := range map[string][]string{
		"after a delta": {frameStart, delta("a")}, "empty": {}, "half a frame": {frameStart, "event: message_stop\ndata: {\"ty"},
	} {
		f := newFake(t)
		f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", "req_9")
			sse(frames...)(w, r)
		})
		s := open(t, f.client(t), t.Context())
		_, err := drain(s)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != KindNetwork || e.Envelope != nil || e.RequestID != "req_9" || !errors.Is(err, errCutOff) {
			t.Errorf("%s: got %v", name, err)
		}
		if _, again := s.Next(); again != err {
			t.Errorf("%s: the second time %v", name, again)
		}
	}
}

func TestStreamConnectionCut(t *testing.T) {
	f := newFake(t)
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		sse(frameStart)(w, r)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	names, err := drain(open(t, f.client(t), t.Context()))
	if KindOf(err) != KindNetwork || len(names) != 1 {
		t.Errorf("got %v, %v", names, err)
	}
}

func TestStreamErrorEvent(t *testing.T) {
	full := `{"type":"error","error":{"type":"overloaded_error","message":"busy","extra":1},"request_id":"req_5","more":[]}`
	for _, tt := range []struct {
		name, frame string
		kind        Kind
		message     string
		envelope    string
	}{
		{"envelope", frame("error", full), KindOverloaded, "busy", full},
		{"no event field", "data: " + full + "\n\n", KindOverloaded, "busy", full},
		{"no type inside", frame("error", `{"type":"error","error":{"message":"m"}}`), KindServer, "m", ""},
		{"no message", frame("error", `{"type":"error","error":{"type":"api_error"}}`), KindServer, `{"type":"error"`, ""},
		{"string", frame("error", `"boom"`), KindServer, "boom", ""},
		{"string inside", frame("error", `{"type":"error","error":"boom"}`), KindServer, "boom", ""},
		{"message only", frame("error", `{"message":"boom"}`), KindServer, "boom", ""},
		{"no JSON", frame("error", "upstream gone"), KindServer, "upstream gone", ""},
		{"null", frame("error", "null"), KindServer, "null", ""},
		{"nothing", "event: error\ndata:\n\n", KindServer, "Unknown streaming error", ""},
		{"too long", frame("error", `{"error":{"type":"invalid_request_error","message":"prompt is too long: 2 > 1"}}`),
			KindTooLong, "prompt is too long", ""},
		{"request id", frame("error", `{"error":{"type":"api_error","message":"m"},"request_id":"req_in_body"}`), KindServer, "m", ""},
		{"code", frame("error", `{"error":{"message":"m","code":"quota_exceeded"}}`), KindQuota, "m", ""},
		{"token", frame("error", `{"message":"bad `+testToken+`"}`), KindServer, "bad ***", ""},
		{"token in envelope", frame("error", `{"type":"error","error":{"type":"authentication_error","message":"`+testToken+`"}}`),
			KindAuth, "***", `{"type":"error","error":{"type":"authentication_error","message":"***"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(pathMessages, sse(frameStart, tt.frame, frameStop))
			names, err := drain(open(t, f.client(t), t.Context()))
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Status != StatusStreamError || e.Kind != tt.kind || !strings.HasPrefix(e.Message, tt.message) {
				t.Fatalf("got %#v", err)
			}
			if tt.envelope != "" && string(e.Envelope) != tt.envelope {
				t.Errorf("the envelope is %s", e.Envelope)
			}
			if f := readFault(e.Envelope); f.envelope == nil {
				t.Errorf("%s is not an envelope", e.Envelope)
			}
			if len(names) != 1 || strings.Contains(err.Error(), testToken) {
				t.Errorf("got %v, %v", names, err)
			}
		})
	}
}

func TestStreamIsNoStream(t *testing.T) {
	f := newFake(t)
	f.on(pathMessages, answer(200, "application/json; charset=utf-8", `{"id":"msg_1"}`))
	_, err := f.client(t).StreamMessages(t.Context(), Request{Body: []byte(emptyBody)})
	if KindOf(err) != KindProtocol {
		t.Errorf("got %v", err)
	}
	f.on(pathMessages, answer(200, "application/json", `{"type":"error","error":{"type":"rate_limit_error","message":"m"}}`))
	_, err = f.client(t).StreamMessages(t.Context(), Request{Body: []byte(emptyBody)})
	if KindOf(err) != KindRateLimit {
		t.Errorf("got %v", err)
	}
}

// On every way out of a stream the server sees the connection go.
func TestStreamReleasesItsConnection(t *testing.T) {
	for name, tt := range map[string]struct {
		frames []string
		leave  func(t *testing.T, s *Stream, cancel func())
	}{
		"message_stop with bytes pending": {[]string{frameStart, frameStop, delta("junk")}, func(t *testing.T, s *Stream, _ func()) {
			if _, err := drain(s); err != nil {
				t.Error(err)
			}
		}},
		"message_stop read, end not": {[]string{frameStart, frameStop}, func(t *testing.T, s *Stream, _ func()) {
			for range 2 {
				if _, err := s.Next(); err != nil {
					t.Error(err)
				}
			}
		}},
		"early close": {[]string{frameStart}, func(t *testing.T, s *Stream, _ func()) {
			if _, err := s.Next(); err != nil {
				t.Error(err)
			}
			for range 2 {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Next(); KindOf(err) != KindCancelled {
				t.Errorf("after Close: %v", err)
			}
		}},
		"never read": {[]string{frameStart}, func(t *testing.T, s *Stream, _ func()) { _ = s.Close() }},
		"error event": {[]string{frame("error", `{}`)}, func(t *testing.T, s *Stream, _ func()) {
			if _, err := drain(s); KindOf(err) != KindServer {
				t.Errorf("got %v", err)
			}
		}},
		"cancel": {[]string{frameStart}, func(t *testing.T, s *Stream, cancel func()) {
			cancel()
			if _, err := drain(s); KindOf(err) != KindCancelled || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}},
		"event too long": {[]string{frameStart, "data: " + strings.Repeat("x", 1<<16)}, func(t *testing.T, s *Stream, _ func()) {
			s.sse.limit = 1 << 15
			if _, err := drain(s); KindOf(err) != KindProtocol || !errors.Is(err, errFrameTooLong) {
				t.Errorf("got %v", err)
			}
		}},
		"stall": {[]string{frameStart}, func(t *testing.T, s *Stream, _ func()) {
			if _, err := drain(s); KindOf(err) != KindStalled || !errors.Is(err, errSilent) {
				t.Errorf("got %v", err)
			}
		}},
		"close from elsewhere while waiting": {[]string{frameStart}, func(t *testing.T, s *Stream, _ func()) {
			if _, err := s.Next(); err != nil {
				t.Error(err)
			}
			failed := make(chan error)
			go func() { _, err := s.Next(); failed <- err }()
			go func() { _ = s.Close() }()
			if err := await(t, failed, "Next"); KindOf(err) != KindCancelled {
				t.Errorf("got %v", err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			gone := make(chan struct{})
			f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
				sse(tt.frames...)(w, r)
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
				close(gone)
			})
			c := f.client(t)
			if name == "stall" {
				c.stallAfter = 500 * time.Millisecond
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := open(t, c, ctx)
			tt.leave(t, s, cancel)
			await(t, gone, "the server to see the end")
		})
	}
}

// The clock of a stalled stream stands still while the reader is busy elsewhere.
func TestSlowReaderIsNoStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		w := newWatched(&exchange{ctx: ctx, cancel: cancel, resp: &http.Response{Body: &steps{}}}, time.Millisecond)
		if _, err := w.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if ctx.Err() != nil {
			t.Error("the stream ended without a reader")
		}
	})
}

// steps is a body that always has a byte.
type steps struct{}

func (*steps) Read(p []byte) (int, error) { p[0] = 'x'; return 1, nil }
func (*steps) Close() error               { return nil }

// cancelled makes the context of an exchange.
func cancelled() (context.Context, context.CancelCauseFunc) {
	return context.WithCancelCause(context.Background())
}

// count reads a stream to its end.
func count(t testing.TB, s *Stream) (n int) {
	for {
		switch _, err := s.Next(); err {
		case nil:
			n++
		case io.EOF:
			return n
		default:
			t.Fatal(err)
		}
	}
}
