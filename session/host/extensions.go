package host

import (
	"context"
	"errors"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
)

// extends says which kinds of extensions the host can show and switch for a session.
type extends struct {
	Servers bool `json:"servers,omitempty"`
	Hooks   bool `json:"hooks,omitempty"`
	Skills  bool `json:"skills,omitempty"`
}

func extendsOf(s *live.Session) extends {
	e := s.Extensions()
	return extends{e.Servers != nil, e.Hooks != nil, e.Skills != nil}
}

// switching is the argument of the request that starts or ends a server.
type switching struct {
	Name string `json:"name"`
	On   bool   `json:"on"`
}

var errNoServers = &session.Error{Op: "switch the server", Kind: session.KindUnsupported, Err: errors.New("this agent switches no servers")}

// ofExtensions are the requests about what extends a session. None is in order: files are read for them, and servers waited for.
func ofExtensions() map[string]handler {
	return map[string]handler{
		"servers": on(false, func(ctx context.Context, l *link, settled bool) (any, error) {
			if k := l.s.s.Extensions().Servers; k != nil {
				return k.Servers(ctx, settled), nil
			}
			return nil, nil
		}),
		"resources": on(false, func(_ context.Context, l *link, _ struct{}) (any, error) {
			if k, is := l.s.s.Extensions().Servers.(session.ResourceLister); is {
				return k.Resources(), nil
			}
			return nil, nil
		}),
		"switch server": on(false, func(ctx context.Context, l *link, a switching) (any, error) {
			if k := l.s.s.Extensions().Servers; k != nil {
				return nil, k.SwitchServer(ctx, a.Name, a.On)
			}
			return nil, errNoServers
		}),
		"sign out": on(false, func(ctx context.Context, l *link, name string) (any, error) {
			if k := l.s.s.Extensions().Servers; k != nil {
				return k.SignOut(ctx, name)
			}
			return nil, errNoServers
		}),
		"hooks": on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) {
			if k := l.s.s.Extensions().Hooks; k != nil {
				return k.Hooks(ctx), nil
			}
			return nil, nil
		}),
		"skills": on(false, func(ctx context.Context, l *link, _ struct{}) (any, error) {
			if k := l.s.s.Extensions().Skills; k != nil {
				return k.Skills(ctx), nil
			}
			return nil, nil
		}),
	}
}

// keeper shows and switches what extends a session in a host. Where the host does not answer, one entry in its name says why.
type keeper struct{ s *mirror }

// Extensions returns what extends the open session in the host, or its agent before there is one.
func (s *remote) Extensions() (e session.Extensions) {
	k := s.mirror.knows()
	if !s.mirror.connected() {
		return live.ExtensionsIn(s.mirror.m.Manager, k.Meta.Agent, k.Meta.Dir)
	}
	if k.Extends.Servers {
		e.Servers = keeper{s.mirror}
	}
	if k.Extends.Hooks {
		e.Hooks = keeper{s.mirror}
	}
	if k.Extends.Skills {
		e.Skills = keeper{s.mirror}
	}
	return e
}

// hostName is what an entry is called that says why the host did not answer.
const hostName = "session host"

// lookTime bounds what a host reads from files.
const lookTime = 10 * time.Second

// ask asks the host for what it has, and returns what the user reads if it does not answer, "" if it does or nobody waits any more.
func (k keeper) ask(ctx context.Context, do string, args, result any) (why string) {
	err := k.s.call(ctx, do, args, result)
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return ""
	case errors.Is(err, context.DeadlineExceeded):
		err = silentAt(do, k.s.at())
	}
	return strings.TrimSuffix(session.ProblemOf(err, time.Now()).What, ".")
}

// Servers returns the servers of the session.
func (k keeper) Servers(ctx context.Context, settled bool) (all []session.Server) {
	if !settled { // else it waits for servers
		limited, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		ctx = limited
	}
	if why := k.ask(ctx, "servers", settled, &all); why != "" {
		return []session.Server{{Name: hostName, State: session.ServerFailed, Why: why}}
	}
	return all
}

// SwitchServer starts or ends a server.
func (k keeper) SwitchServer(ctx context.Context, name string, on bool) error {
	return k.s.call(ctx, "switch server", switching{name, on}, nil)
}

// SignOut forgets the sign-in to a service.
func (k keeper) SignOut(ctx context.Context, name string) (was bool, err error) {
	err = k.s.call(ctx, "sign out", name, &was)
	return was, err
}

// Hooks returns the hooks of the session.
func (k keeper) Hooks(ctx context.Context) (r session.HookReport) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	if why := k.ask(ctx, "hooks", struct{}{}, &r); why != "" {
		return session.HookReport{Faults: []string{hostName + ": " + why}}
	}
	return r
}

// Skills returns the skills of the session's directory.
func (k keeper) Skills(ctx context.Context) (all []session.Skill) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	if why := k.ask(ctx, "skills", struct{}{}, &all); why != "" {
		return []session.Skill{{Name: hostName, Kind: "skill", Why: why}}
	}
	return all
}

// resourcesFor is how long the resources that a screen knows are new enough.
const resourcesFor = 2 * time.Second

// Resources returns what the servers offer as the screen knows it, and asks the host again in the background.
func (k keeper) Resources() []session.ServerResource {
	s := k.s
	s.state.Lock()
	defer s.state.Unlock()
	if time.Since(s.resourcesAt) >= resourcesFor {
		s.resourcesAt = time.Now()
		crash.Go(func() {
			var all []session.ServerResource
			if s.quick("resources", struct{}{}, &all) == nil {
				s.state.Lock()
				defer s.state.Unlock()
				s.resources = all
			}
		})
	}
	return s.resources
}
