package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/session"
	"parley/session/extensions"
	"parley/session/proc"
)

// maxTools bounds the tools of one server.
const maxTools = 500

// lasting is how long a connection has to hold for an end of it not to count against the server.
const lasting = time.Minute

// server is one server of a pool. The pool's lock guards its state, its tools and its session.
type server struct {
	pool *Pool
	spec extensions.Server
	// orders has at most one wish of the user: on (again) or off.
	orders chan bool
	// relist has a value when the server says that its tools have changed.
	relist chan struct{}
	stderr proc.Tail
	calls  calls

	state  session.Server
	starts int
	tools  []*Tool
	conn   *sdk.ClientSession
}

func newServer(p *Pool, spec extensions.Server) *server {
	s := &server{pool: p, spec: spec, orders: make(chan bool, 1), relist: make(chan struct{}, 1),
		state: session.Server{Name: spec.Name, From: spec.From, About: about(spec), State: Starting}}
	if spec.Why != "" {
		s.state.State, s.state.Why = Off, spec.Why
	}
	return s
}

// order is a wish of the user that ends a connection: to start anew, or to stay away.
type order bool

func (o order) Error() string { return "ended by the user" }

// run keeps the server connected until ctx ends.
func (s *server) run(ctx context.Context) {
	for {
		began := time.Now()
		err := s.connected(ctx)
		if ctx.Err() != nil {
			return
		}
		if on, ordered := errors.AsType[order](err); ordered {
			if !on {
				s.set(Off, switchedOff)
				if !s.await(ctx, 0) {
					return
				}
			}
		} else if !s.failed(ctx, err, time.Since(began)) {
			return
		}
		s.set(Starting, "")
	}
}

const switchedOff = "switched off for this session"

// failed records the end of a connection that held for a time, and waits until the server is to be started again. It reports false
// once ctx has ended.
func (s *server) failed(ctx context.Context, err error, held time.Duration) bool {
	why, n := s.why(err), 0
	s.pool.note(func() {
		if held > lasting {
			s.starts = 0
		}
		n, s.starts = s.starts, s.starts+1
		s.state.State, s.state.Why = Failed, why
	})
	if retry := s.pool.o.Bounds.Retry; n < len(retry) && !final(err) {
		return s.await(ctx, retry[n])
	}
	s.pool.o.Notice(fmt.Sprintf("The MCP server %s does not work: %s. /mcp starts it again.", s.spec.Name, why))
	return s.await(ctx, 0)
}

// await waits for a time, 0 for ever, or for the user to start the server. It reports false once ctx has ended.
func (s *server) await(ctx context.Context, wait time.Duration) bool {
	var after <-chan time.Time
	if wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		after = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-after:
			return true
		case on := <-s.orders:
			if on {
				s.pool.note(func() { s.starts = 1 })
				return true
			}
			after = nil
			s.set(Off, switchedOff)
		}
	}
}

func (s *server) set(state session.ServerState, why string) {
	s.pool.note(func() { s.state.State, s.state.Why = state, why })
}

// why returns what a person reads of an error: the last words of a program, or else the error.
func (s *server) why(err error) string {
	lines := strings.Split(strings.TrimSpace(s.stderr.Text()), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return cut(last, 200)
	}
	if err == nil {
		return "it ended"
	}
	return cut(err.Error(), 200)
}

// lasts is an error after which a server is not tried again by itself.
type lasts struct{ error }

func final(err error) bool {
	_, is := errors.AsType[lasts](err)
	return is
}

// connected connects the server, lists its tools, and returns when the connection has ended and nothing of it is left.
func (s *server) connected(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, s.pool.o.Bounds.Start)
	defer cancel()
	link, err := s.link(within)
	if err != nil {
		return err
	}
	defer link.close()
	version := ""
	if s.spec.Transport == extensions.Stdio {
		version = "2025-11-25"
	}
	conn, err := s.client().Connect(within, link.transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil && link.refused != nil {
		err = cmp.Or(link.refused(), err)
	}
	if err != nil {
		return s.slow(within, "it did not answer", err)
	}
	defer func() { _ = conn.Close() }()
	tools, err := s.list(within, conn)
	if err != nil {
		return s.slow(within, "it did not list its tools", err)
	}
	s.pool.note(func() { s.conn, s.tools, s.state.State, s.state.Why = conn, tools, Connected, "" })
	defer s.pool.note(func() { s.conn = nil })
	return s.attend(ctx, conn, link)
}

// slow returns the error of a start that took too long, or the error as it is.
func (s *server) slow(ctx context.Context, what string, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%s within %s", what, s.pool.o.Bounds.Start)
	}
	return err
}

// attend waits for the end of a connection: the server's, the user's wish, or that of ctx. Meanwhile it lists tools anew.
func (s *server) attend(ctx context.Context, conn *sdk.ClientSession, l *link) error {
	ended := make(chan error, 1)
	var waiting sync.WaitGroup
	defer waiting.Wait()
	goes(&waiting, func() { ended <- conn.Wait() })
	defer func() { _ = conn.Close() }()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			return err
		case <-l.gone:
			return errors.New("it ended")
		case on := <-s.orders:
			return order(on)
		case <-s.relist:
			within, cancel := context.WithTimeout(ctx, s.pool.o.Bounds.Start)
			if tools, err := s.list(within, conn); err == nil {
				s.pool.note(func() { s.tools = tools })
			}
			cancel()
		}
	}
}

// client returns the client of one connection. It offers the server no directories and no model: what it may ask is the user.
func (s *server) client() *sdk.Client {
	return sdk.NewClient(&sdk.Implementation{Name: "parley", Version: s.pool.o.Version}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}}},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			select {
			case s.relist <- struct{}{}:
			default:
			}
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { s.calls.progress(r.Params) },
		ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			schema, err := json.Marshal(r.Params.RequestedSchema)
			if err != nil || r.Params.RequestedSchema == nil {
				schema = nil
			}
			return s.calls.elicit(ctx, session.ElicitationAsk{Server: s.spec.Name, Message: cut(r.Params.Message, maxAbout), URL: r.Params.URL, Schema: schema})
		},
	})
}

// list returns the tools of a server, those that its file allows.
func (s *server) list(ctx context.Context, conn *sdk.ClientSession) ([]*Tool, error) {
	if caps := conn.InitializeResult().Capabilities; caps != nil && caps.Tools == nil {
		return nil, nil
	}
	var out []*Tool
	for t, err := range conn.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if len(out) == maxTools {
			s.pool.o.Notice(fmt.Sprintf("The MCP server %s has more than %d tools; the others are left out.", s.spec.Name, maxTools))
			break
		}
		if allowed(s.spec.Tools, t.Name) {
			if made := newTool(s.spec.Name, t); made != nil {
				out = append(out, made)
			}
		}
	}
	return out, nil
}
