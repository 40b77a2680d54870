package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley/copilot"
	"parley/internal/crash"
	"parley/proxy/repair"
)

// Upstream is the part of the Copilot client that the proxy needs; [*copilot.Client] implements it. It must be safe for
// concurrent use, and a call must end soon after its context does.
type Upstream interface {
	StreamMessages(ctx context.Context, r copilot.Request) (*copilot.Stream, error)
	Messages(ctx context.Context, r copilot.Request) (*copilot.Response, error)
	Models(ctx context.Context) ([]copilot.Model, error)
}

// Options configures a [Server]. Only Upstream is required.
type Options struct {
	Upstream Upstream
	// Addr is the address to listen on, "127.0.0.1:0" if empty. Any host but 127.0.0.1 and localhost is refused.
	Addr string
	Log  *slog.Logger // nil: discarded. Bearers and bodies are never logged.
	// UserAgent is the product before the client's version, "parley" if empty. Only the part before a slash counts.
	UserAgent string
	// Observe, if not nil, is called with every finished request that had a valid bearer. It must not block, and is
	// called from many goroutines.
	Observe func(Exchange)
	// Quota, if not nil, is called with the quota and rate limit headers of every answer of the service, before any of
	// the answer is passed on. It must not block, and is called from many goroutines.
	Quota func(http.Header)
	// Fallback are the models that answer, in their order, while the model of a request to /v1/messages is overloaded or gone.
	// FellBack, if not nil, is called when one begins to. It must not block, and is called from many goroutines.
	Fallback []string
	FellBack func(Fallback)
	// Admit, if not nil, is asked before each request to a model. An error refuses it, with its text as the reason. It must not block,
	// and is called from many goroutines.
	Admit func(session string) error
	// Bearers are valid from the start, in addition to those of Open.
	Bearers []Bearer
	// AccessLog, if not nil, gets one line of JSON per request, without bearers and bodies. A slow writer delays the
	// ends of requests.
	AccessLog io.Writer
	// Repair configures the repair of requests. Its Log defaults to Log.
	Repair repair.Options
	// MaxBody is the largest request body in bytes; 0: 64 MiB.
	MaxBody int64
	// PingEvery is the longest silence of a stream to a client; 0: 15 s. Negative: no pings.
	PingEvery time.Duration
	// Coalesce bounds the wait of deltas to be joined; 0: 12 ms. Negative: every event is passed on separately. The
	// first delta of a block, and one after a longer silence, never wait. In a stream that stays slow, its last events
	// may be as late.
	Coalesce time.Duration
}

const (
	defaultMaxBody   = 64 << 20
	defaultPingEvery = 15 * time.Second
	// defaultJoinWithin is too short to be visible, and reduces the events of a fast model to one in ten.
	defaultJoinWithin = 12 * time.Millisecond
	headerTimeout     = 10 * time.Second // for a request's header, from its first byte
	bodyTimeout       = time.Minute      // for a request's body; clients are on this machine
	idleTimeout       = 5 * time.Minute  // for a connection between requests
	maxHeader         = 64 << 10
)

// errClosed is the reason why requests end when the server does.
var errClosed = errors.New("the proxy is closed")

// Server serves the Anthropic Messages API on loopback. It is safe for concurrent use.
type Server struct {
	back      backend
	repairer  *repair.Repairer
	log       *slog.Logger
	product   string
	observe   func(Exchange)
	quota     func(http.Header)
	admit     func(session string) error
	fallback  []string
	fellBack  func(Fallback)
	maxBody   int64
	clock     clock
	guard     guard
	sessions  *sessions
	searchers searchers
	conns     *connections
	metrics   *metrics
	access    *accessLog
	url       string
	http      *http.Server
	cut       context.CancelCauseFunc // ends every request
	served    chan struct{}           // closed when no connection is accepted any more
}

// Start listens and serves until Close.
func Start(o Options) (*Server, error) {
	if o.Upstream == nil {
		return nil, errors.New("start proxy: no upstream")
	}
	return start(o, clientBackend{o.Upstream}, newClock(o.PingEvery, o.Coalesce))
}

func start(o Options, back backend, c clock) (*Server, error) {
	if _, err := newRepairer(o); err != nil {
		return nil, fmt.Errorf("start proxy: %w", err)
	}
	listener, err := listen(o.Addr)
	if err != nil {
		return nil, fmt.Errorf("start proxy: %w", err)
	}
	s := startOn(listener, o, back, c)
	for _, b := range o.Bearers {
		secret, err := b.secret()
		if err == nil {
			if err = s.sessions.addSecret(b.Name, secret); err != nil {
				err = fmt.Errorf("proxy bearer %q: %w", b.Name, err)
			}
		}
		if err != nil {
			_ = s.Close(context.Background()) // nothing is running yet
			return nil, fmt.Errorf("start proxy: %w", err)
		}
	}
	return s, nil
}

func startOn(listener net.Listener, o Options, back backend, c clock) *Server {
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	s := &Server{
		back: back, log: o.Log, product: o.UserAgent, observe: o.Observe, quota: o.Quota, admit: o.Admit, fallback: o.Fallback, fellBack: o.FellBack, maxBody: o.MaxBody, clock: c,
		guard: guard{port: port}, sessions: newSessions(), conns: newConnections(),
		metrics: newMetrics(), access: newAccessLog(o.AccessLog),
		url: "http://127.0.0.1:" + port, served: make(chan struct{}),
	}
	s.repairer, _ = newRepairer(o) // the options were checked before
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.product, _, _ = strings.Cut(s.product, "/"); s.product == "" {
		s.product = "parley"
	}
	if s.maxBody <= 0 {
		s.maxBody = defaultMaxBody
	}
	var base context.Context
	base, s.cut = context.WithCancelCause(context.Background())
	s.http = &http.Server{
		Handler:                      http.HandlerFunc(s.handle),
		BaseContext:                  func(net.Listener) context.Context { return base },
		ConnState:                    s.conns.note,
		ErrorLog:                     log.New(logWriter{s.log}, "", 0),
		ReadHeaderTimeout:            headerTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		Protocols:                    protocols(),
		HTTP2:                        &http.HTTP2Config{MaxReceiveBufferPerConnection: 8 << 20, MaxReceiveBufferPerStream: 4 << 20},
	}
	crash.Go(func() {
		defer close(s.served)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("proxy stopped listening", "error", err)
		}
	})
	return s
}

// protocols returns the protocols for clients: HTTP/1.1, and HTTP/2 if they begin with it.
func protocols() *http.Protocols {
	var p http.Protocols
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return &p
}

// listen opens the only address that programs of this machine alone can reach and that every client understands.
func listen(addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	if host != "127.0.0.1" && host != "localhost" {
		return nil, fmt.Errorf("listen on %q: the host must be 127.0.0.1, so that no other machine can reach the server", addr)
	}
	return net.Listen("tcp4", net.JoinHostPort("127.0.0.1", port))
}

// URL returns the base URL, such as "http://127.0.0.1:41234".
func (s *Server) URL() string { return s.url }

// Open creates a 256-bit secret for a session and returns the bearer "secret.id". If the id is already open, it gets a
// new secret; the old one is revoked and its requests are cancelled. The id must be visible ASCII.
func (s *Server) Open(id string, options ...OpenOption) (bearer string, err error) {
	return s.sessions.add(id, options...)
}

// Revoke revokes the session's bearer and cancels its requests. It ignores an id that is not open.
func (s *Server) Revoke(id string) { s.sessions.remove(id) }

// Settled waits until no request of the session runs, so that every earlier [Exchange] has been observed and counts in
// [Server.Spent]. It fails only when ctx ends. Close ends running requests and so the wait.
func (s *Server) Settled(ctx context.Context, id string) error { return s.sessions.settled(ctx, id) }

// Spent returns the cost of a session, open or not, since the start of the server. It counts finished requests;
// [Server.Settled] waits for the others.
func (s *Server) Spent(id string) Spending { return s.sessions.spending(id) }

// Close stops listening, waits for running requests until ctx ends, then destroys their sockets, so that no client
// waits for the rest. It returns once no connection is left, with ctx's error if it cut any. Concurrent and repeated
// calls are allowed.
func (s *Server) Close(ctx context.Context) error {
	s.conns.closeUnused()
	err := s.http.Shutdown(ctx)
	s.sessions.close()
	s.cut(errClosed)
	if err != nil {
		_ = s.http.Close() // the listener is already closed; errors of connections do not matter
		err = fmt.Errorf("close proxy: requests were cut: %w", err)
	}
	<-s.served
	<-s.conns.none()
	s.sessions.idle() // an HTTP/2 connection may end before its requests do
	return err
}

// logWriter passes messages of net/http to the log.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.log.Debug("proxy http server", "message", string(p))
	return len(p), nil
}
