package process

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/session"
)

// Servers shows and switches the MCP servers of a runtime. Its functions are set before the first use, and called with no lock held. It
// is safe for concurrent use.
type Servers struct {
	// List asks the runtime for its servers, false while none runs. Described shows them then; nil shows nothing. It also knows whose
	// they are, which runtimes do not say of all.
	List      func(ctx context.Context) ([]session.Server, bool)
	Described session.ServerKeeper
	// Start starts a server in a state, again if it runs. Stop ends it.
	Start func(ctx context.Context, name string, was session.ServerState) error
	Stop  func(ctx context.Context, name string) error
	// SignIn begins a sign-in and returns the page for the browser, "" if none was needed. Forget forgets one.
	SignIn func(ctx context.Context, name string) (page string, err error)
	Forget func(ctx context.Context, name string) error

	mu    sync.Mutex
	pages map[string]string
	shown map[string]bool // pages that were returned
}

// The runtimes report no state by themselves: they are asked again until it settles.
const (
	serversPause = 300 * time.Millisecond
	serversWait  = 5 * time.Minute // a sign-in takes its time
)

// Servers implements [session.ServerKeeper].
func (s *Servers) Servers(ctx context.Context, settled bool) []session.Server {
	ctx, end := context.WithTimeout(ctx, serversWait)
	defer end()
	for {
		all, running := s.List(ctx)
		switch {
		case !running && s.Described != nil:
			return s.Described.Servers(ctx, settled)
		case !s.unsettled(all) || !settled || ctx.Err() != nil:
			return s.explained(ctx, all)
		}
		select {
		case <-ctx.Done():
		case <-time.After(serversPause):
		}
	}
}

// explained returns the servers of the runtime with what their files say, in the order of these.
func (s *Servers) explained(ctx context.Context, all []session.Server) []session.Server {
	if s.Described == nil {
		return all
	}
	files := s.Described.Servers(ctx, false)
	with := map[string]int{}
	for _, one := range all {
		with[inFile(one.Name)]++
	}
	at := func(name string) int {
		in := inFile(name)
		if in != name && with[in] > 1 {
			return -1 // the file may be that of another one with this name
		}
		return slices.IndexFunc(files, func(f session.Server) bool { return f.Over == "" && f.Name == in })
	}
	for i := range all {
		if n := at(all[i].Name); n >= 0 {
			all[i].From, all[i].About, all[i].Project = files[n].From, files[n].About, files[n].Project
		}
	}
	last := func(name string) int {
		if n := at(name); n >= 0 {
			return n
		}
		return len(files)
	}
	slices.SortStableFunc(all, func(a, b session.Server) int { return last(a.Name) - last(b.Name) })
	return all
}

// inFile returns the name of a server in its file: Claude Code calls that of a plugin plugin:PLUGIN:NAME.
func inFile(name string) string {
	if parts := strings.SplitN(name, ":", 3); len(parts) == 3 && parts[0] == "plugin" {
		return parts[2]
	}
	return name
}

// unsettled adds the pages of sign-ins, and reports whether a server is starting or waits for a page that was returned before.
func (s *Servers) unsettled(all []session.Server) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	waits := false
	for i := range all {
		one := &all[i]
		if one.State != session.ServerSignIn {
			delete(s.pages, one.Name)
			waits = waits || one.State == session.ServerStarting
			continue
		}
		if one.Page = s.pages[one.Name]; one.Page != "" {
			waits = waits || s.shown[one.Page]
			s.shown[one.Page] = true
		}
	}
	return waits
}

// SwitchServer implements [session.ServerKeeper].
func (s *Servers) SwitchServer(ctx context.Context, name string, on bool) error {
	all, running := s.List(ctx)
	if !running && s.Described != nil {
		return s.Described.SwitchServer(ctx, name, on)
	}
	for _, one := range all {
		switch {
		case one.Name != name:
			continue
		case !on:
			return s.Stop(ctx, name)
		case one.State != session.ServerSignIn:
			return s.Start(ctx, name, one.State)
		}
		page, err := s.SignIn(ctx, name)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.pages == nil {
			s.pages, s.shown = map[string]string{}, map[string]bool{}
		}
		s.pages[name] = page
		return err
	}
	return &session.Error{Op: "switch an MCP server", Kind: session.KindNotFound, Err: errNoServer(name)}
}

// SignOut implements [session.ServerKeeper]. The runtimes do not say whether there was a sign-in.
func (s *Servers) SignOut(ctx context.Context, name string) (bool, error) {
	if _, running := s.List(ctx); !running && s.Described != nil {
		return s.Described.SignOut(ctx, name)
	}
	err := s.Forget(ctx, name)
	return err == nil, err
}

// errNoServer is the error of a name that no server has.
type errNoServer string

func (e errNoServer) Error() string { return "there is no MCP server " + string(e) }

// ServerState returns the state that runtimes call by a word, and why it is so.
func ServerState(status, fault string) (session.ServerState, string) {
	switch status {
	case "connected":
		return session.ServerConnected, ""
	case "pending", "connecting":
		return session.ServerStarting, ""
	case "needs-auth":
		return session.ServerSignIn, ""
	case "disabled":
		return session.ServerOff, "switched off"
	case "stopped", "not_configured":
		return session.ServerOff, strings.ReplaceAll(status, "_", " ")
	}
	return session.ServerFailed, fault
}
