package sim

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"parley/copilot/sim/cloud"
	"parley/copilot/sim/promptcache"
	"parley/copilot/sim/script"
	"parley/internal/crash"
)

// Options configures a [Server]. The zero value is suitable for a chat: a random port and token and the built-in
// script.
type Options struct {
	// Addr is the address to listen on, such as "127.0.0.1:8080". Empty: a free port on 127.0.0.1. Anything but a
	// loopback address is refused by [Start].
	Addr string
	// Token is the only GitHub token accepted. Empty: a random one.
	Token string
	// Script contains the answers of the model. Nil: [script.Default].
	Script *script.Script
	// Log gets one line per request when it ends. Nil: none. The server serialises the writes.
	Log io.Writer
	// KeepBytes bounds the bodies that [Server.Requests] stores: it drops the oldest bodies beyond. 0: 4 MiB.
	KeepBytes int
	// Clock is used for pacing, pauses and stalls. Nil: the real time.
	Clock Clock
	// Strict also refuses what only some backends of the service refuse, and what only unusual clients send: fields of
	// thinking, metadata and tool schemas, blocks within tool results, edits of the context without their beta, and
	// more.
	Strict bool
	// Models replaces the model list. Nil: [DefaultModels].
	Models []Model
	// Account is the account; it can be replaced with [Server.SetAccount].
	Account Account
	// Cloud configures the cloud agent. Without a clock it has that of the server.
	Cloud cloud.Options
}

// Server is a running simulation. Its methods are safe for concurrent use.
type Server struct {
	token   string
	url     string
	clock   Clock
	script  *script.Engine
	strict  bool
	models  *catalog
	faults  faultList
	holds   script.Holds
	cache   promptcache.Cache
	quota   quotaState
	device  deviceState
	account accountState
	cloud   *cloud.Service
	log     *requestLog

	base    context.Context // ends with Close
	cancel  context.CancelFunc
	http    *http.Server
	served  chan struct{}  // closed when the accept loop has ended
	conns   sync.WaitGroup // connections; each ends after its handler
	closing sync.Once
}

// Start listens and serves until [Server.Close].
func Start(o Options) (*Server, error) {
	addr := o.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	if err := requireLoopback(addr); err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("simulated Copilot: listen on %s: %w", addr, err)
	}
	s := &Server{
		token: o.Token, url: "http://" + ln.Addr().String(), clock: o.Clock, strict: o.Strict,
		log: newRequestLog(o.Log, o.KeepBytes), served: make(chan struct{}),
	}
	if s.token == "" {
		s.token = "gho_sim" + rand.Text()
	}
	if s.clock == nil {
		s.clock = wallClock{}
	}
	if o.Script == nil {
		o.Script = script.Default()
	}
	s.script = script.NewEngine(o.Script)
	if o.Models == nil {
		o.Models = DefaultModels()
	}
	s.models = newCatalog(o.Models)
	if o.Cloud.Now == nil {
		o.Cloud.Now = s.clock.Now
	}
	s.account.Account, s.cloud = o.Account, cloud.New(o.Cloud)

	ctx, cancel := context.WithCancel(context.Background())
	s.base, s.cancel = ctx, cancel
	s.http = &http.Server{
		Handler:           s,
		ConnState:         s.countConns,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 30 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0), // what is worth knowing is in the request log
	}
	crash.Go(func() {
		defer close(s.served)
		_ = s.http.Serve(ln) // always ErrServerClosed or the listener's error after Close
	})
	return s, nil
}

// countConns counts connections, so that Close can wait for the last.
func (s *Server) countConns(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.conns.Done()
	}
}

// requireLoopback refuses addresses that other machines could reach.
func requireLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("simulated Copilot: address %q: %w; write it like 127.0.0.1:8080", addr, err)
	}
	if host == "localhost" {
		return nil
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("simulated Copilot: address %q is not loopback; write it like 127.0.0.1:8080", addr)
	}
	return nil
}

// GitHubURL returns the base URL of the simulated GitHub REST API, without a trailing slash.
func (s *Server) GitHubURL() string {
	if s.account.get().Server {
		return s.url + restPrefix
	}
	return s.url
}

// CopilotURL returns the base URL of the simulated Copilot API, without a trailing slash. Discovery returns the same
// one.
func (s *Server) CopilotURL() string { return s.url }

// Token returns the only GitHub token that the server accepts.
func (s *Server) Token() string { return s.token }

// SetScript replaces the script for requests that arrive from now on. Rules that count how often they applied start at zero.
func (s *Server) SetScript(sc *script.Script) { s.script.Set(sc) }

// Inject makes the next matching requests fail. Faults are tried in the order of injection; see [Fault] for what one
// can do. An invalid fault is an error and changes nothing.
func (s *Server) Inject(f script.Fault) error { return s.faults.add(f) }

// ClearFaults removes all injected faults that are not used up.
func (s *Server) ClearFaults() { s.faults.clear() }

// Release continues replies that wait at the "hold" step of that name, now and later.
func (s *Server) Release(name string) { s.holds.Release(name) }

// Close ends the accept loop, every reply in flight and every connection, and returns when all have ended. Calling it
// again does nothing.
func (s *Server) Close() error {
	var err error
	s.closing.Do(func() {
		s.cancel()
		err = s.http.Close()
		<-s.served
		s.conns.Wait()
	})
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
