package mcp

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/internal/crash"
	"parley/session"
	"parley/session/extensions"
	"parley/session/mcp/signin"
	"parley/session/proc"
)

// maxMessage bounds one message of a server, in bytes.
const maxMessage = 16 << 20

// link is how the bytes of one connection travel.
type link struct {
	transport sdk.Transport
	// gone is closed when the program has ended, nil for services. refused returns why a service lets nobody in, nil if it does.
	gone    <-chan struct{}
	refused func() error
	// holds is called once the server has answered: what bounds its start does not end the link any more. It may be nil.
	holds func()
	// close ends what the link has started, and returns when nothing of it is left.
	close func()
}

// link starts the program of the server, or prepares requests to its service.
func (s *server) link(ctx context.Context) (*link, error) {
	switch s.spec.Transport {
	case extensions.HTTP:
		client, h, done := s.httpClient()
		t := &sdk.StreamableClientTransport{Endpoint: s.spec.URL, HTTPClient: client, MaxRetries: 2, MaxEventSize: maxMessage}
		refused := h.problem
		if s.signsIn() {
			in := s.signIn()
			t.OAuthHandler = in
			refused = in.Problem
		}
		return &link{transport: t, refused: refused, close: done}, nil
	case extensions.SSE:
		return s.sse(ctx), nil
	}
	return s.program(ctx)
}

// signsIn reports whether the user may sign in to the service: its file has no sign-in of its own. Its address is encrypted or local, as
// of every server that is used.
func (s *server) signsIn() bool {
	for name := range s.spec.Headers {
		if strings.EqualFold(name, "Authorization") {
			return false
		}
	}
	return s.pool.o.SignIns != nil && s.spec.URL != ""
}

// signIn returns what signs in to the service, if the user has asked for it.
func (s *server) signIn() *signin.Handler {
	return signin.New(signin.Options{Address: s.spec.URL, Store: s.pool.o.SignIns, Asked: s.signing,
		Show: func(page string) {
			state, why := Starting, ""
			if page != "" {
				state, why = session.ServerSignIn, "the browser shows where"
			}
			s.pool.note(func() { s.state.Page, s.state.State, s.state.Why = page, state, why })
		},
		Done: func(where string, err error) {
			text := "Signed in to " + s.spec.Name + "; what it gave is in " + where + "."
			if err != nil {
				text = "Signed in to " + s.spec.Name + " for this session only: what it gave could not be kept: " + err.Error()
			}
			s.pool.o.Notice(text)
		}})
}

// program starts the server's program.
func (s *server) program(ctx context.Context) (*link, error) {
	argv := slices.Clone(s.spec.Command)
	environ := slices.Clone(s.pool.o.Environ())
	for _, name := range slices.Sorted(maps.Keys(s.spec.Env)) {
		environ = append(environ, name+"="+s.spec.Env[name])
	}
	if !strings.ContainsRune(argv[0], filepath.Separator) {
		path, err := proc.Look(environ, argv[0])
		if err != nil {
			return nil, lasts{fmt.Errorf("there is no program %s on PATH", argv[0])}
		}
		argv[0] = path
	} else if !filepath.IsAbs(argv[0]) {
		argv[0] = filepath.Join(s.spec.Dir, argv[0])
	}
	s.stderr = proc.Tail{}
	child, err := s.pool.o.Processes.Start(ctx, proc.Command{Argv: argv, Dir: s.spec.Dir, Env: environ, Label: "mcp server " + s.spec.Name})
	if err != nil {
		return nil, fmt.Errorf("it cannot be started: %w", err)
	}
	read := make(chan struct{})
	crash.Go(func() {
		defer close(read)
		s.stderr.Drain(child.Stderr())
	})
	return &link{transport: &sdk.IOTransport{Reader: child.Stdout(), Writer: child.Stdin(), MaxLineLength: maxMessage}, gone: child.Done(),
		close: func() {
			_ = child.Kill() // what is left is swept at the next start
			<-child.Done()
			_ = child.Stdout().Close()
			<-child.Quiet(read) // its last words
			_ = child.Stderr().Close()
			<-read
		}}, nil
}

// goes runs f in a goroutine that a group waits for.
func goes(g *sync.WaitGroup, f func()) { g.Go(crash.Guarded(f)) }

// httpClient returns a client that sends the server's headers to its host and to no other, these headers, and what closes its
// connections.
func (s *server) httpClient() (*http.Client, *headers, func()) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	h := &headers{next: t, host: hostOf(s.spec.URL), values: s.spec.Headers}
	return &http.Client{Transport: h, CheckRedirect: signin.Stays}, h, t.CloseIdleConnections
}

// headers adds headers to requests to one host, and keeps the status of an answer that lets nobody in.
type headers struct {
	next    http.RoundTripper
	host    string
	values  map[string]string
	refused atomic.Int64
}

// RoundTrip sends a request.
func (h *headers) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == h.host {
		r = r.Clone(r.Context())
		for name, value := range h.values {
			r.Header.Set(name, value)
		}
	}
	if r.Method == http.MethodDelete { // ends the session; nobody waits for a service that does not answer
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		r = r.WithContext(ctx)
	}
	resp, err := h.next.RoundTrip(r)
	if err == nil && (resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden) {
		h.refused.Store(int64(resp.StatusCode))
	}
	return resp, err
}

// problem returns why the service lets nobody in, nil if it does.
func (h *headers) problem() error {
	if status := h.refused.Load(); status != 0 {
		return fmt.Errorf("it refuses the sign-in (%d): put what it needs into headers", status)
	}
	return nil
}

// hostOf returns the host of a URL with its port, empty for none.
func hostOf(text string) string {
	at, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return at.Host
}
