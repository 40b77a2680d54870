package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"parley/copilot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a service that the tests write the lines of.
type fake struct {
	onStream  func(ctx context.Context, r copilot.Request) (frames, http.Header, error)
	onMessage func(ctx context.Context, r copilot.Request) (*copilot.Response, error)
	onModels  func(ctx context.Context) ([]copilot.Model, error)

	mu       sync.Mutex
	requests []copilot.Request // messages, streaming or not
	lists    int               // calls of models
}

func (f *fake) stream(ctx context.Context, r copilot.Request) (frames, http.Header, error) {
	f.note(r)
	return f.onStream(ctx, r)
}

func (f *fake) message(ctx context.Context, r copilot.Request) (*copilot.Response, error) {
	f.note(r)
	return f.onMessage(ctx, r)
}

func (f *fake) models(ctx context.Context) ([]copilot.Model, error) {
	f.mu.Lock()
	f.lists++
	f.mu.Unlock()
	if f.onModels == nil {
		return nil, nil
	}
	return f.onModels(ctx)
}

func (f *fake) note(r copilot.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r)
}

func (f *fake) calls() (messages, lists int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.requests), f.lists
}

func (f *fake) last(t *testing.T) copilot.Request {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.requests) == 0 {
		t.Fatal("nothing reached the service")
	}
	return f.requests[len(f.requests)-1]
}

// step is one thing that a script does: a frame, an error, or waiting for a signal first.
type step struct {
	event, data string
	err         error
	wait        <-chan struct{}
}

// script is a stream of steps. It is endless if loop is set. Next ends when the stream is closed, as a real one does.
type script struct {
	steps  []step
	loop   *step
	pulled atomic.Int64
	ended  chan struct{}
	once   sync.Once
	buf    []byte // reused, as the real one's is
}

func newScript(steps ...step) *script { return &script{steps: steps, ended: make(chan struct{})} }

var errStreamClosed = errors.New("stream closed")

func (s *script) Next() (copilot.Frame, error) {
	i := int(s.pulled.Add(1)) - 1
	var st step
	switch {
	case i < len(s.steps):
		st = s.steps[i]
	case s.loop != nil:
		st = *s.loop
	default:
		return copilot.Frame{}, io.EOF
	}
	if st.wait != nil {
		select {
		case <-st.wait:
		case <-s.ended:
		}
	}
	select {
	case <-s.ended:
		return copilot.Frame{}, &copilot.Error{Op: "stream messages", Kind: copilot.KindCancelled, Err: errStreamClosed}
	default:
	}
	if st.err != nil {
		return copilot.Frame{}, st.err
	}
	s.buf = append(s.buf[:0], st.data...)
	return copilot.Frame{Event: st.event, Data: s.buf}, nil
}

func (s *script) Close() error {
	s.once.Do(func() { close(s.ended) })
	return nil
}

// play answers every stream with fresh scripts of the same steps.
func play(steps ...step) *fake {
	return &fake{onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
		return newScript(steps...), http.Header{}, nil
	}}
}

// hello is a short answer as the service streams it.
var hello = []step{
	{event: "message_start", data: `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4.6","content":[],"usage":{"input_tokens":11,"output_tokens":1,"cache_read_input_tokens":5,"cache_creation_input_tokens":2}}}`},
	{event: "content_block_start", data: `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`},
	{event: "ping", data: `{"type": "ping"}`},
	{event: "content_block_delta", data: `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`},
	{event: "content_block_stop", data: `{"type":"content_block_stop","index":0}`},
	{event: "message_delta", data: `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7},"copilot_usage":{"total_nano_aiu":123456789}}`},
	{event: "message_stop", data: `{"type":"message_stop"}`},
}

// helloOut is what a client has to get of it, byte for byte.
var helloOut = func() string {
	var b strings.Builder
	for _, s := range hello {
		if s.event != "ping" {
			b.WriteString("event: " + s.event + "\ndata: " + strings.Replace(s.data, "claude-opus-4.6", "claude-opus-4-6", 1) + "\n\n")
		}
	}
	return b.String()
}()

const streamBody = `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"}],"stream":true}`
const wholeBody = `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"}]}`
