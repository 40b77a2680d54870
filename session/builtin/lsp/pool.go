package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"parley/internal/crash"
	"parley/session/builtin/tool"
)

const (
	// maxStarts bounds the starts of one server for one root.
	maxStarts = 3
	// maxClients bounds the servers of a conversation that run at the same time.
	maxClients = 6
)

// Options configures the language servers of all conversations.
type Options struct {
	// Off reports that there are none.
	Off bool
	// Servers are the user's additions and changes to the known servers.
	Servers []Custom
	// Trusted reports whether the user trusts a directory. Nil: none is trusted.
	Trusted func(dir string) bool
	// Bounds limits the times of starts, requests and waits; zero: the defaults.
	Bounds Bounds
}

// Pool is the language servers of one conversation. It is safe for concurrent use.
type Pool struct {
	w       *tool.Workspace
	o       Options
	notice  func(text string)
	servers []Server

	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	finding sync.Mutex
	finder  *finder // nil before it is needed
	within  tops    // for which it finds

	mu      sync.Mutex
	closed  bool
	clients map[place]*client
	starts  map[place]int
	told    map[place]bool // that a server was given up
	old     map[string][]byte
}

// place is where a server runs.
type place struct{ server, root string }

// New returns a pool that has started nothing. notice gets what the user should know, from any goroutine.
func New(w *tool.Workspace, o Options, notice func(text string)) *Pool {
	if o.Bounds == (Bounds{}) {
		o.Bounds = defaultBounds
	}
	p := &Pool{w: w, o: o, notice: notice, clients: map[place]*client{}, starts: map[place]int{}, told: map[place]bool{}, old: map[string][]byte{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	if !o.Off {
		p.servers = withCustom(servers, o.Servers)
	}
	return p
}

// tops returns the directories of the session as they are now.
func (p *Pool) tops() tops { return p.w.Tops() }

// find returns what finds programs outside of the directories of now.
func (p *Pool) find() *finder {
	now := p.tops()
	p.finding.Lock()
	f, within := p.finder, p.within
	p.finding.Unlock()
	if f != nil && slices.Equal(within, now) {
		return f
	}
	f = newFinder(p.w, p.o.Trusted) // it asks for the trust in each
	p.finding.Lock()
	defer p.finding.Unlock()
	p.finder, p.within = f, now
	return f
}

// Close ends all servers and returns when they have ended with all that they started. Calling it again does nothing.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	p.work.Wait()
}

// serverFor returns the server for a file with links resolved, its program and its root; nil if there is none.
func (p *Pool) serverFor(real string) (s *Server, program, root string) {
	top := p.tops().of(real)
	if top == "" {
		return nil, "", ""
	}
	ext := filepath.Ext(real)
	for i := range p.servers {
		s := &p.servers[i]
		if s.Languages[ext] == "" {
			continue
		}
		root := rootOf(s, top, real)
		if program := p.find().find(s, top, root); program != "" {
			return s, program, root
		}
	}
	return nil, "", ""
}

// clientFor returns the server for a file with links resolved, and starts it if necessary. fresh reports whether it did. It is nil
// if there is none, or if it ended too often.
func (p *Pool) clientFor(real string) (c *client, fresh bool) {
	s, program, root := p.serverFor(real)
	if s == nil {
		return nil, false
	}
	at := place{s.Name, root}
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.clients[at]
	if before != nil && before.alive() {
		return before, false
	}
	if p.closed || before == nil && len(p.clients) >= maxClients {
		return nil, false
	}
	if p.starts[at] >= maxStarts {
		if !p.told[at] {
			p.told[at] = true
			p.giveUp(before)
		}
		return nil, false
	}
	p.starts[at]++
	c = newClient(s, program, root, p.o.Bounds)
	p.clients[at] = c
	p.work.Go(crash.Guarded(func() {
		if before != nil {
			<-before.gone // one server per root at a time
		}
		c.run(p.ctx, p.w.Processes, p.w.Environ)
	}))
	return c, true
}

// giveUp reports that a server is not started again.
func (p *Pool) giveUp(c *client) {
	why := c.lastWords()
	if why == "" && c.err != nil {
		why = cut(c.err.Error(), 200)
	}
	if why != "" {
		why = ": " + why
	}
	text := fmt.Sprintf("%s ended %d times and is not started again in this session%s", c.spec.Name, maxStarts, why)
	p.work.Go(crash.Guarded(func() { p.notice(text) })) // the caller holds the lock
}

// running returns the servers that have not ended.
func (p *Pool) running() []*client {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*client
	for _, c := range p.clients {
		if c.alive() {
			out = append(out, c)
		}
	}
	return out
}

// Touched records that a command may have changed files: servers get what is on disk before they are asked again.
func (p *Pool) Touched() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.clients {
		c.dirty.Store(true)
	}
}
