package copilot

import (
	"cmp"
	"context"
	"errors"

	"parley/session"
	"parley/session/process"
)

var (
	_ session.ExtensionHolder = (*conversation)(nil)
	_ session.ExtensionFinder = (*Agent)(nil)
)

// ExtensionsFor returns what shows the MCP servers of a directory.
func (a *Agent) ExtensionsFor(dir string) (e session.Extensions) {
	if a.o.Described != nil {
		e.Servers = a.o.Described(dir)
	}
	return e
}

// Extensions returns what shows and switches the MCP servers of the runtime, for its session.
func (c *conversation) Extensions() session.Extensions {
	do := func(method string) func(ctx context.Context, name string) error {
		return func(ctx context.Context, name string) error {
			return askServers(ctx, c, method, map[string]any{"serverName": name}, nil)
		}
	}
	return session.Extensions{Servers: &process.Servers{
		Described: c.a.ExtensionsFor(c.o.Dir).Servers,
		List:      func(ctx context.Context) ([]session.Server, bool) { return listServers(ctx, c) },
		Stop:      do("session.mcp.disable"),
		Start: func(ctx context.Context, name string, was session.ServerState) error {
			if was == session.ServerOff {
				return do("session.mcp.enable")(ctx, name)
			}
			return do("session.mcp.restartServer")(ctx, name)
		},
		SignIn: func(ctx context.Context, name string) (string, error) {
			var r struct {
				Page string `json:"authorizationUrl"`
			}
			err := askServers(ctx, c, "session.mcp.oauth.login", map[string]any{"serverName": name, "clientName": "parley"}, &r)
			return r.Page, err
		},
		Forget: func(context.Context, string) error {
			return &session.Error{Op: "sign out of an MCP server", Kind: session.KindUnsupported, Err: errors.New("the runtime forgets no sign-in")}
		},
	}}
}

// askServers makes a request about servers of the session that is open in the runtime.
func askServers(ctx context.Context, c *conversation, method string, params map[string]any, result any) error {
	const op = "ask about MCP servers"
	c.Mu.Lock()
	l := c.Link
	c.Mu.Unlock()
	if l == nil {
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New("the runtime does not run: it starts with the next prompt")}
	}
	err := l.call(ctx, method, params, result)
	if isUnknownMethod(err) {
		err = &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New("version " + l.client.Version() + " of Copilot cannot do this")}
	}
	return err
}

// listServers returns the servers of the runtime, false while it does not run.
func listServers(ctx context.Context, c *conversation) ([]session.Server, bool) {
	var r struct {
		Servers []struct{ Name, Status, Source, SourcePlugin, Error string }
	}
	if err := askServers(ctx, c, "session.mcp.list", nil, &r); err != nil {
		return nil, session.KindOf(err) != session.KindUnsupported
	}
	var all []session.Server
	for _, s := range r.Servers {
		one := session.Server{Name: s.Name, About: cmp.Or(s.SourcePlugin, s.Source)}
		one.State, one.Why = process.ServerState(s.Status, s.Error)
		all = append(all, one)
	}
	return all, true
}
