package copilot

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"parley/internal/crash"
	"parley/session"
	"parley/session/copilot/driver"
)

// runtimes are the processes of the runtime: one for all sessions whose terminals have the same environment. It is safe for concurrent
// use.
type runtimes struct {
	start func(ctx context.Context, environ []string) (driver.Options, error)

	mu     sync.Mutex
	closed bool
	all    map[string]*driver.Host // by [terminals.Book.Mark]
	left   []*driver.Host          // whose sessions stay, and which get no others
	work   sync.WaitGroup          // of waiting for the end of those
}

// of returns the host of the runtime for a session, whose next start has the environment of the session's terminal.
func (r *runtimes) of(a *Agent, id session.ID) *driver.Host {
	mark, environ := a.o.Terminals.Mark(id), a.o.Terminals.In(id, a.o.Environ)
	r.mu.Lock()
	defer r.mu.Unlock()
	if h := r.all[mark]; h != nil {
		return h
	}
	h := driver.NewHost(driver.HostOptions{Idle: a.o.IdleAfter, Options: func(ctx context.Context) (driver.Options, error) { return r.start(ctx, environ) }})
	if r.closed {
		_ = h.Close(context.Background()) // it has nothing, and refuses then
		return h
	}
	if r.all == nil {
		r.all = map[string]*driver.Host{}
	}
	r.all[mark] = h
	return h
}

// leave starts another process than that of a client for the sessions that are opened from now on. That one keeps those that it has.
func (r *runtimes) leave(c *driver.Client) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for mark, h := range r.all {
		if h.Running() == c {
			delete(r.all, mark)
			r.left = append(r.left, h)
			r.work.Go(crash.Guarded(func() { r.forget(h, c) }))
		}
	}
}

// forget drops a host that was left once its process has ended.
func (r *runtimes) forget(h *driver.Host, c *driver.Client) {
	<-c.Done()
	_ = h.Close(context.Background()) // it has nothing, and refuses who was about to use it
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = slices.DeleteFunc(r.left, func(o *driver.Host) bool { return o == h })
}

// with returns the host of the runtime that has a session open, nil for none: its terminal may be another one by now.
func (r *runtimes) with(id session.ID) *driver.Host {
	for _, h := range r.hosts(false) {
		if c := h.Running(); c != nil && c.Router().Has(string(id)) {
			return h
		}
	}
	return nil
}

// running returns the clients that run. It starts nothing.
func (r *runtimes) running() (all []*driver.Client) {
	for _, h := range r.hosts(false) {
		if c := h.Running(); c != nil {
			all = append(all, c)
		}
	}
	return all
}

func (r *runtimes) hosts(last bool) (all []*driver.Host) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = r.closed || last
	return slices.AppendSeq(slices.Clone(r.left), maps.Values(r.all))
}

// close ends all, and refuses further starts.
func (r *runtimes) close(ctx context.Context) error {
	all := r.hosts(true)
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, h := range all {
		wg.Go(crash.Guarded(func() { errs[i] = h.Close(ctx) }))
	}
	wg.Wait()
	r.work.Wait()
	return errors.Join(errs...)
}

// process returns how to start the runtime with an environment.
func (a *Agent) process(ctx context.Context, environ []string) (driver.Options, error) {
	if a.o.Runtime == nil {
		return driver.Options{}, &session.Error{Op: opOpen, Kind: session.KindRuntime, Err: errors.New("there is no runtime")}
	}
	p, err := a.o.Runtime(ctx)
	if err != nil {
		return driver.Options{}, err
	}
	return driver.Options{
		Argv: p.Argv, Version: p.Version, Token: a.o.Token, Environ: environ, PassEnv: a.o.PassEnv, Home: a.home,
		APIURL: a.o.APIURL, GitHubURL: a.o.GitHubURL, Processes: a.o.Processes, Start: a.o.Start, Log: a.o.Log, Limits: a.o.Limits,
	}, nil
}
