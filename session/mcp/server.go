package mcp

import (
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
	"parley/session/mcp/signin"
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
	// life ends with the server, by end. Both are set once it is in its pool.
	life context.Context
	end  context.CancelFunc
	// orders has at most one wish of the user: on (again) or off.
	orders chan bool
	// relist has a value when the server says that its tools have changed.
	relist chan struct{}
	stderr proc.Tail
	calls  calls
	// signing reports whether the user may be asked to sign in: they have just started the server. Only run uses it.
	signing bool

	state  session.Server
	starts int
	tools  []*Tool
	// prompts and resources are those of the newest connection.
	prompts   []Prompt
	resources []session.ServerResource
	conn      *sdk.ClientSession
}

func newServer(p *Pool, spec extensions.Server) *server {
	s := &server{pool: p, spec: spec, orders: make(chan bool, 1), relist: make(chan struct{}, 1),
		state: session.Server{Name: spec.Name, Project: spec.Project, About: about(spec), State: Starting}}
	s.describe(spec)
	if spec.Why != "" {
		s.state.State, s.state.Why, s.state.Over = Off, spec.Why, spec.Over
	}
	return s
}

// describe takes over where a server that is the same is described now. The lock is held.
func (s *server) describe(spec extensions.Server) {
	s.spec.From, s.spec.Agents = spec.From, spec.Agents
	s.state.From, s.state.Of = spec.From, strings.Join(spec.Agents, ", ")
}

// relistPause is the least time between two lists, for a server that says all the time that something has changed.
const relistPause = 100 * time.Millisecond

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
			s.signing = bool(on) && s.signsIn()
			if !on {
				s.set(Off, switchedOff)
				if !s.await(ctx, 0) {
					return
				}
			}
		} else if errors.Is(err, signin.ErrNeeded) {
			s.set(session.ServerSignIn, "choose it to sign in")
			s.pool.o.Notice(fmt.Sprintf("The MCP server %s wants you to sign in: choose it in /mcp.", s.spec.Name))
			if !s.await(ctx, 0) {
				return
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
				s.signing = s.signsIn()
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

func (l lasts) Unwrap() error { return l.error }

func final(err error) bool {
	_, is := errors.AsType[lasts](err)
	return is
}

// connected connects the server, lists its tools, and returns when the connection has ended and nothing of it is left.
func (s *server) connected(ctx context.Context) error {
	bound := s.pool.o.Bounds.Start
	if s.signing {
		bound = s.pool.o.Bounds.SignIn
	}
	within, cancel := context.WithTimeout(ctx, bound)
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
	conn, err := s.connect(within, cancel, link, version)
	if err != nil {
		return s.unmet(within, link, err)
	}
	defer func() { _ = conn.Close() }()
	tools, err := s.list(within, conn)
	if err != nil {
		return s.slow(within, "it did not list its tools", err)
	}
	prompts, resources := s.listPrompts(within, conn), s.listResources(within, conn)
	if link.holds != nil {
		link.holds()
	}
	s.pool.note(func() {
		s.conn, s.tools, s.prompts, s.resources, s.state.State, s.state.Why = conn, tools, prompts, resources, Connected, ""
	})
	defer s.pool.note(func() { s.conn = nil })
	return s.attend(ctx, conn, link)
}

// connect greets the server. While the user signs in, it also waits for the wish to give that up.
func (s *server) connect(ctx context.Context, end func(), l *link, version string) (*sdk.ClientSession, error) {
	greet := func() (*sdk.ClientSession, error) {
		return s.client().Connect(ctx, l.transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	}
	if !s.signing {
		return greet()
	}
	s.signing = false
	var conn *sdk.ClientSession
	var err error
	over := make(chan struct{})
	var waiting sync.WaitGroup
	goes(&waiting, func() {
		defer close(over)
		conn, err = greet()
	})
	defer waiting.Wait()
	select {
	case <-over:
		return conn, err
	case on := <-s.orders:
		end()
		<-over
		if conn != nil {
			_ = conn.Close()
		}
		return nil, order(on)
	}
}

// unmet returns why the server could not be greeted.
func (s *server) unmet(ctx context.Context, l *link, err error) error {
	if _, ordered := errors.AsType[order](err); ordered {
		return err
	}
	if l.refused != nil {
		if why := l.refused(); why != nil {
			return lasts{why}
		}
	}
	return s.slow(ctx, "it did not answer", err)
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
	relist, pause := s.relist, time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-pause.C:
			relist = s.relist
		case err := <-ended:
			return err
		case <-l.gone:
			return errors.New("it ended")
		case on := <-s.orders:
			return order(on)
		case <-relist:
			relist = nil
			pause.Reset(relistPause)
			within, cancel := context.WithTimeout(ctx, s.pool.o.Bounds.Start)
			if tools, err := s.list(within, conn); err == nil {
				prompts, resources := s.listPrompts(within, conn), s.listResources(within, conn)
				s.pool.note(func() { s.tools, s.prompts, s.resources = tools, prompts, resources })
			}
			cancel()
		}
	}
}

// changes wants the lists anew.
func (s *server) changes() {
	select {
	case s.relist <- struct{}{}:
	default:
	}
}

// client returns the client of one connection. It offers the server no directories: what it may ask is the user, and a model if the user
// lets it.
func (s *server) client() *sdk.Client {
	o := &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}}},
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { s.changes() },
		PromptListChangedHandler:    func(context.Context, *sdk.PromptListChangedRequest) { s.changes() },
		ResourceListChangedHandler:  func(context.Context, *sdk.ResourceListChangedRequest) { s.changes() },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { s.calls.progress(r.Params) },
		ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			schema, err := json.Marshal(r.Params.RequestedSchema)
			if err != nil || r.Params.RequestedSchema == nil {
				schema = nil
			}
			return s.calls.elicit(ctx, session.ElicitationAsk{Server: s.spec.Name, Message: cut(r.Params.Message, maxAbout), URL: r.Params.URL, Schema: schema})
		},
	}
	s.samples(o)
	return sdk.NewClient(&sdk.Implementation{Name: "parley", Version: s.pool.o.Version}, o)
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
