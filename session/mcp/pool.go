package mcp

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/extensions"
	"parley/session/mcp/signin"
	"parley/session/proc"
)

// Bounds are how long things may take.
type Bounds struct {
	// Start is for the start of a server until its tools are listed, Wait for those that the first request waits for.
	Start, Wait time.Duration
	// Silence is how long a call may say nothing, apart from the time that the user takes to answer its questions.
	Silence time.Duration
	// Call is how long a call may run that speaks all the time, apart from the same.
	Call time.Duration
	// SignIn is for the user to sign in.
	SignIn time.Duration
	// Retry is the wait before a server that ended is started again, by the number of starts before. After the last there is none.
	Retry []time.Duration
}

// defaultBounds hold where options have none.
var defaultBounds = Bounds{Start: 30 * time.Second, Wait: 5 * time.Second, Silence: 5 * time.Minute, Call: 2 * time.Hour, SignIn: 10 * time.Minute,
	Retry: []time.Duration{time.Second, 5 * time.Second, 25 * time.Second}}

// Options configures a [Pool].
type Options struct {
	// Servers finds the servers. It is called with each turn.
	Servers func(ctx context.Context) []extensions.Server
	// Processes starts programs with what Environ returns then, to which a server adds its own variables.
	Processes *proc.Group
	Environ   func() []string
	// Version is that of this program.
	Version string
	// Notice gets what the user should know, from any goroutine. Nil: nobody does.
	Notice func(text string)
	// SignIns keeps the sign-ins to services; nil: none is possible.
	SignIns *signin.Store
	// Bounds are how long things may take; the zero value means the usual ones.
	Bounds Bounds
}

// Pool is the servers of one conversation. It is safe for concurrent use.
type Pool struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	begin sync.Once
	// finding serialises looks for servers, so that the newest list holds.
	finding sync.Mutex
	// found is closed once the servers are known.
	found chan struct{}

	mu      sync.Mutex
	servers []*server
	// news is closed and replaced with every change of a state or of tools.
	news chan struct{}
}

// New returns a pool that has started nothing and read no file.
func New(o Options) *Pool {
	if o.Bounds.Start == 0 {
		o.Bounds = defaultBounds
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	p := &Pool{o: o, found: make(chan struct{}), news: make(chan struct{})}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Close ends all servers and returns when they have ended with all that they started. Calling it again does nothing.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.stop() // nothing is started any more
	p.mu.Unlock()
	p.begin.Do(func() { close(p.found) })
	p.work.Wait()
}

// Begin finds the servers and starts them in the background. Only the first call does anything.
func (p *Pool) Begin() {
	p.begin.Do(func() {
		p.work.Go(crash.Guarded(func() {
			p.find(p.ctx)
			close(p.found)
		}))
	})
}

// Renew finds the servers again: those that are described differently or not at all end, others start in the background, and those that
// are the same go on. Before the first turn it does nothing.
func (p *Pool) Renew(ctx context.Context) {
	select {
	case <-p.found:
		p.find(ctx)
	default:
	}
}

// find takes over the servers as they are described now.
func (p *Pool) find(ctx context.Context) {
	p.finding.Lock()
	defer p.finding.Unlock()
	specs := p.o.Servers(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil || p.ctx.Err() != nil {
		return
	}
	old, all, changed := slices.Clone(p.servers), make([]*server, 0, len(specs)), false
	for _, spec := range specs {
		at := slices.IndexFunc(old, func(s *server) bool { return same(s.spec, spec) && (len(spec.Agents) > 0 || s.spec.From == spec.From) })
		if at >= 0 {
			old[at].describe(spec)
			all, old = append(all, old[at]), slices.Delete(old, at, at+1)
			continue
		}
		s := newServer(p, spec)
		s.life, s.end = context.WithCancel(p.ctx)
		all, changed = append(all, s), true
		if s.state.State == Starting {
			p.work.Go(crash.Guarded(func() { s.run(s.life) }))
		}
	}
	for _, s := range old {
		s.end()
	}
	if p.servers = all; changed || len(old) > 0 {
		p.changed()
	}
}

// Await begins and waits until no server is starting for the first time, for as long as the bounds allow.
func (p *Pool) Await(ctx context.Context) {
	p.Begin()
	ctx, cancel := context.WithTimeout(ctx, p.o.Bounds.Wait)
	defer cancel()
	p.await(ctx, func(s *server) bool { return s.state.State == Starting && s.starts == 0 })
}

// await waits until the servers are known and none of them is busy.
func (p *Pool) await(ctx context.Context, busy func(*server) bool) {
	select {
	case <-p.found:
	case <-ctx.Done():
		return
	}
	for {
		p.mu.Lock()
		news, wait := p.news, slices.ContainsFunc(p.servers, busy)
		p.mu.Unlock()
		if !wait {
			return
		}
		select {
		case <-news:
		case <-ctx.Done():
			return
		case <-p.ctx.Done():
			return
		}
	}
}

// Tools returns the tools of all servers within reach that have answered, in the order of the servers. A server that is away keeps its
// tools: a list that changes costs the model's cache.
func (p *Pool) Tools(r Reach) []*Tool {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*Tool
	for _, s := range p.servers {
		if s.state.State != Off && r.has(s.spec) {
			out = append(out, s.tools...)
		}
	}
	return unique(out)
}

// unique renames tools whose names are equal after what models may not read in names was replaced. The first keeps its name.
func unique(all []*Tool) []*Tool {
	taken := map[string]bool{}
	for i, t := range all {
		if taken[t.Name] {
			renamed := *t
			renamed.Name = distinct(t.Name, taken)
			all[i] = &renamed
		}
		taken[all[i].Name] = true
	}
	return all
}

// Servers returns the state of every server, in the order in which their names hold, with settled once none is starting. Before
// the first turn it reads how they are described and starts none. While a user signs in, settled waits until the page appears or goes.
func (p *Pool) Servers(ctx context.Context, settled bool) []session.Server {
	select {
	case <-p.found:
	default:
		return Described{p.o.Servers}.Servers(ctx, settled)
	}
	if settled {
		shown := p.pages()
		p.await(ctx, func(s *server) bool {
			return s.state.State == Starting || len(s.orders) > 0 || s.state.Page != "" && shown[s] == s.state.Page
		})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []session.Server
	for _, s := range p.servers {
		one := s.state
		one.Tools = len(s.tools)
		out = append(out, one)
	}
	return out
}

// pages returns the pages that servers show for a sign-in.
func (p *Pool) pages() map[*server]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[*server]string{}
	for _, s := range p.servers {
		out[s] = s.state.Page
	}
	return out
}

// SwitchServer starts a server, starts it again, or ends it and takes its tools away, for this conversation. The error is of kind
// [session.KindNotFound] for a name that no usable server has.
func (p *Pool) SwitchServer(_ context.Context, name string, on bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.named(name)
	if s == nil || p.ctx.Err() != nil {
		return &session.Error{Op: "switch the MCP server " + name, Kind: session.KindNotFound,
			Err: errors.New("no server of that name runs here; those that are described start with the first prompt")}
	}
	select {
	case <-s.orders: // a wish that nobody has taken yet
	default:
	}
	s.orders <- on
	if s.state.State, s.state.Why = Off, switchedOff; on {
		s.state.State, s.state.Why = Starting, ""
	}
	p.changed()
	return nil
}

// SignOut forgets the sign-in to a service and ends its connection. It reports false if there was none.
func (p *Pool) SignOut(ctx context.Context, name string) (bool, error) {
	p.mu.Lock()
	s := p.named(name)
	p.mu.Unlock()
	if s == nil || p.o.SignIns == nil {
		return false, p.SwitchServer(ctx, name, false)
	}
	had, err := p.o.SignIns.Forget(s.spec.URL)
	if err != nil || !had {
		return had, err
	}
	return true, p.SwitchServer(ctx, name, false)
}

// changed tells those who wait that something is different. The lock is held.
func (p *Pool) changed() {
	close(p.news)
	p.news = make(chan struct{})
}

// note changes a server under the lock.
func (p *Pool) note(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	p.changed()
}

// named returns the usable server of a name, nil if there is none. The lock is held.
func (p *Pool) named(name string) *server {
	at := slices.IndexFunc(p.servers, func(s *server) bool { return s.spec.Name == name && s.spec.Why == "" })
	if at < 0 {
		return nil
	}
	return p.servers[at]
}

// The states of a server.
const (
	Starting  = session.ServerStarting
	Connected = session.ServerConnected
	Failed    = session.ServerFailed
	Off       = session.ServerOff
)

// about returns the first words that describe where a server is: its program or its host.
func about(s extensions.Server) string {
	if len(s.Command) > 0 {
		return s.Command[0]
	}
	return cmp.Or(hostOf(s.URL), string(s.Transport))
}
