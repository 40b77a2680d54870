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
	"parley/proxy/repair"
)

// Upstream is what the proxy needs of the Copilot client. [*copilot.Client] is one. It has to be safe for concurrent use,
// and a call has to end soon after its context does.
type Upstream interface {
	StreamMessages(ctx context.Context, r copilot.Request) (*copilot.Stream, error)
	Messages(ctx context.Context, r copilot.Request) (*copilot.Response, error)
	Models(ctx context.Context) ([]copilot.Model, error)
}

// Options configures a [Server]. Only Upstream is required.
type Options struct {
	Upstream Upstream
	// Addr is where to listen, "127.0.0.1:0" if empty. Any host but 127.0.0.1 and localhost is refused.
	Addr string
	Log  *slog.Logger // nil: discarded. Bearers and bodies are never logged.
	// UserAgent is the product put before the client's own version, "parley" if empty. Only what is before a slash counts.
	UserAgent string
	// Observe, if not nil, is told of every finished request that came with a valid bearer; it must not block. It is
	// called from many goroutines.
	Observe func(Exchange)
	// Quota, if not nil, is told of the quota and rate limit headers of every answer of the service, before any of the
	// answer is passed on; it must not block. It is called from many goroutines.
	Quota func(http.Header)
	// Bearers work from the start on, besides those that Open makes.
	Bearers []Bearer
	// AccessLog, if not nil, gets one line of JSON for every request. It never gets bearers or bodies. A slow writer delays
	// the ends of requests.
	AccessLog io.Writer
	// Repair configures what is done to requests so that the service accepts them. Its Log is Log if nil.
	Repair repair.Options
	// MaxBody is the largest request body in bytes; 0: 64 MiB.
	MaxBody int64
	// PingEvery is the longest silence a streaming client gets to see; 0: 15 s. Negative: no pings.
	PingEvery time.Duration
	// Coalesce is how long letters may wait to become one event with those that follow them; 0: 12 ms. Negative: every
	// event is passed on by itself. The first delta of a block never waits, nor one that comes after a longer silence. Of a
	// stream that keeps being slow, what ends it may come so much later too.
	Coalesce time.Duration
}

const (
	defaultMaxBody   = 64 << 20
	defaultPingEvery = 15 * time.Second
	// defaultJoinWithin is below what an eye sees, and of a fast model's stream it leaves one event in ten.
	defaultJoinWithin = 12 * time.Millisecond
	headerTimeout     = 10 * time.Second // for a request's header, from its first byte
	bodyTimeout       = time.Minute      // for a request's body; clients are on this machine
	idleTimeout       = 5 * time.Minute  // for a connection between requests
	maxHeader         = 64 << 10
)

// errClosed is why requests end when the server does.
var errClosed = errors.New("the proxy is closed")

// Server is the Anthropic Messages API on loopback. It is safe for concurrent use.
type Server struct {
	back     backend
	repairer *repair.Repairer
	log      *slog.Logger
	product  string
	observe  func(Exchange)
	quota    func(http.Header)
	maxBody  int64
	clock    clock
	guard    guard
	sessions *sessions
	conns    *connections
	metrics  *metrics
	access   *accessLog
	url      string
	http     *http.Server
	cut      context.CancelCauseFunc // ends every request
	served   chan struct{}           // closed when no connection is accepted any more
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
		back: back, log: o.Log, product: o.UserAgent, observe: o.Observe, quota: o.Quota, maxBody: o.MaxBody, clock: c,
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
	go func() {
		defer close(s.served)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("proxy stopped listening", "error", err)
		}
	}()
	return s
}

// protocols are what clients may speak: HTTP/1.1, and HTTP/2 if they begin with it.
func protocols() *http.Protocols {
	var p http.Protocols
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return &p
}

// listen opens the one address that only programs of this machine can reach and that every client understands.
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

// URL is the base URL, such as "http://127.0.0.1:41234".
func (s *Server) URL() string { return s.url }

// Open makes a fresh 256-bit secret for a session and returns the bearer "secret.id". An id already open gets a new
// secret; the old one is useless from then on, and what was requested with it is cancelled. The id must be visible ASCII.
func (s *Server) Open(id string, options ...OpenOption) (bearer string, err error) {
	return s.sessions.add(id, options...)
}

// Revoke makes the session's bearer useless and cancels its requests. An id that is not open is left alone.
func (s *Server) Revoke(id string) { s.sessions.remove(id) }

// Settled waits until no request of the session is running, so that every [Exchange] of what it sent so far has been
// observed and counts in [Server.Spent]. It fails only when ctx ends; Close ends
// what is running, and so the waiting.
func (s *Server) Settled(ctx context.Context, id string) error { return s.sessions.settled(ctx, id) }

// Spent returns what the session cost since the server started, whether it is open or not. It counts requests that are
// over; [Server.Settled] waits for the others.
func (s *Server) Spent(id string) Spending { return s.sessions.spending(id) }

// Close stops listening, lets running requests end until ctx does, then cuts them: their sockets are destroyed, so that
// no client waits for the rest. It returns once no connection is left, with ctx's error if something had to be cut. It may
// be called more than once, and by several at a time.
func (s *Server) Close(ctx context.Context) error {
	s.conns.closeUnused()
	err := s.http.Shutdown(ctx)
	s.sessions.close()
	s.cut(errClosed)
	if err != nil {
		_ = s.http.Close() // the listener is closed already; connections report nothing of use
		err = fmt.Errorf("close proxy: requests were cut: %w", err)
	}
	<-s.served
	<-s.conns.none()
	s.sessions.idle() // of HTTP/2, a connection may be gone before its requests are
	return err
}

// logWriter takes what net/http has to say.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.log.Debug("proxy http server", "message", string(p))
	return len(p), nil
}
