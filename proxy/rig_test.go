package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

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
