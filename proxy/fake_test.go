package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// rig is a proxy under test with one open session.
type rig struct {
	*Server
	t      *testing.T
	fake   *fake
	bearer string
	client *http.Client
	ticks  chan time.Time
	pipes  *pipeListener // instead of sockets, nil mostly
	logs   *lockedBuffer

	mu        sync.Mutex
	exchanges []Exchange
}

func newRig(t *testing.T, f *fake, change ...func(*Options)) *rig {
	t.Helper()
	return newRigOn(t, f, nil, change...)
}

func newRigOn(t *testing.T, f *fake, pipes *pipeListener, change ...func(*Options)) *rig {
	t.Helper()
	r := &rig{t: t, fake: f, pipes: pipes, ticks: make(chan time.Time), logs: &lockedBuffer{}}
	o := Options{
		Log:     slog.New(slog.NewTextHandler(r.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(x Exchange) { r.mu.Lock(); defer r.mu.Unlock(); r.exchanges = append(r.exchanges, x) },
	}
	for _, c := range change {
		c(&o)
	}
	c := clock{now: time.Now, body: time.Minute, ticks: ticksOf(r.ticks)}
	listener, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	if r.pipes != nil {
		_ = listener.Close()
		listener = r.pipes
	}
	s := startOn(listener, o, f, c)
	r.Server = s
	r.bearer, err = s.Open("s1")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true}
	r.client = &http.Client{Transport: transport}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // whatever a test left running is cut
		_ = s.Close(ctx)
		if n := s.conns.count(); n != 0 {
			t.Errorf("%d connections are left", n)
		}
	})
	return r
}

// ticksOf ticks whenever something comes of a channel.
func ticksOf(ch <-chan time.Time) func(func()) func() {
	return func(f func()) func() {
		done, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for {
				select {
				case <-ch:
					f()
				case <-done:
					return
				}
			}
		}()
		return func() { close(done); <-ended }
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// reply is an answer taken in whole.
type reply struct {
	status int
	header http.Header
	body   string
	err    error // of reading the body
}

func (r *rig) request(method, path, body string, header ...string) *http.Request {
	r.t.Helper()
	req, err := http.NewRequest(method, r.URL()+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.bearer)
	for i := 0; i+1 < len(header); i += 2 {
		switch {
		case header[i] == "Host":
			req.Host = header[i+1]
		case header[i+1] == "":
			req.Header.Del(header[i])
		default:
			req.Header.Set(header[i], header[i+1])
		}
	}
	return req
}

func (r *rig) do(method, path, body string, header ...string) reply {
	r.t.Helper()
	resp, err := r.client.Do(r.request(method, path, body, header...))
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, string(b), err}
}

// settle waits for the session's requests to be over and returns the last that was observed.
func (r *rig) settle() Exchange {
	r.t.Helper()
	if err := r.Settled(testContext(r.t), "s1"); err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.exchanges) == 0 {
		r.t.Fatal("no exchange was observed")
	}
	return r.exchanges[len(r.exchanges)-1]
}

// testContext ends a test that hangs, well before the test binary's own limit.
func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// envelopeOf takes an error envelope apart, and fails unless it is one.
func envelopeOf(t *testing.T, body string) (errType, message string) {
	t.Helper()
	var e struct {
		Type  string
		Error struct{ Type, Message string }
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil || e.Type != "error" || e.Error.Type == "" || e.Error.Message == "" {
		t.Fatalf("not an error envelope: %q (%v)", body, err)
	}
	return e.Error.Type, e.Error.Message
}

const streamBody = `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"}],"stream":true}`
const wholeBody = `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"}]}`

// pipeListener accepts connections without any buffer: a write ends when it is read, and not before.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4321} }

// raw is a client on a bare connection, for what net/http's client hides.
type raw struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func (r *rig) dial() *raw {
	r.t.Helper()
	var conn net.Conn
	if r.pipes != nil {
		var server net.Conn
		conn, server = net.Pipe()
		r.pipes.conns <- server
	} else {
		var err error
		if conn, err = net.Dial("tcp", strings.TrimPrefix(r.URL(), "http://")); err != nil {
			r.t.Fatal(err)
		}
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	return &raw{r.t, conn, bufio.NewReaderSize(conn, 16)} // small: what is not asked for is not read
}

func (c *raw) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, text); err != nil {
		c.t.Fatal(err)
	}
}

// post sends a message request.
func (c *raw) post(r *rig, body string) {
	var b bytes.Buffer
	req := r.request("POST", "/v1/messages", body)
	if err := req.Write(&b); err != nil {
		c.t.Fatal(err)
	}
	c.send(b.String())
}

func (c *raw) response() *http.Response {
	c.t.Helper()
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp
}

// readEvent reads one frame of a stream, without its empty line.
func readEvent(t *testing.T, in *bufio.Reader) string {
	t.Helper()
	var b strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("after %q: %v", b.String(), err)
		}
		if line == "\n" {
			return b.String()
		}
		b.WriteString(line)
	}
}

// testClient is an HTTP client whose connections end with the test.
func (s *Server) testClient(t *testing.T) *http.Client {
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}
