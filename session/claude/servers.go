package claude

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/clienttools"
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

// Extensions returns what shows and switches the MCP servers of the runtime. It remembers for the project what is switched off.
func (c *conversation) Extensions() session.Extensions {
	ask := func(ctx context.Context, subtype string, fields map[string]any) (json.RawMessage, error) {
		return askServers(ctx, c, subtype, fields)
	}
	do := func(ctx context.Context, subtype, name string) error {
		_, err := ask(ctx, subtype, map[string]any{"serverName": name})
		return err
	}
	toggle := func(ctx context.Context, name string, on bool) error {
		before := extendsOf(ctx, c.a, c.o)
		_, err := ask(ctx, "mcp_toggle", map[string]any{"serverName": name, "enabled": on})
		adopt(ctx, c, before)
		return err
	}
	return session.Extensions{Servers: &process.Servers{
		Described: c.a.ExtensionsFor(c.o.Dir).Servers,
		List:      func(ctx context.Context) ([]session.Server, bool) { return listServers(ctx, c) },
		Stop:      func(ctx context.Context, name string) error { return toggle(ctx, name, false) },
		Start: func(ctx context.Context, name string, was session.ServerState) error {
			if was == session.ServerOff {
				return toggle(ctx, name, true)
			}
			return do(ctx, "mcp_reconnect", name)
		},
		SignIn: func(ctx context.Context, name string) (string, error) {
			raw, err := ask(ctx, "mcp_authenticate", map[string]any{"serverName": name})
			var r struct {
				Page string `json:"authUrl"`
			}
			return r.Page, cmp.Or(err, unreadable(raw, &r))
		},
		Forget: func(ctx context.Context, name string) error { return do(ctx, "mcp_clear_auth", name) },
	}}
}

// adopt takes over what the process itself has written into its files, as when it remembers a switch, if they were those that it started
// with before.
func adopt(ctx context.Context, c *conversation, before string) {
	now := extendsOf(ctx, c.a, c.o)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if e := c.Link; e != nil && e.launch.extends == before {
		e.launch.extends = now
	}
}

// unreadable decodes an answer, none included.
func unreadable(raw json.RawMessage, into any) error {
	if len(raw) == 0 {
		return nil
	}
	return json.Unmarshal(raw, into)
}

// askServers makes a request about servers of the process that runs, which stays meanwhile.
func askServers(ctx context.Context, c *conversation, subtype string, fields map[string]any) (json.RawMessage, error) {
	const op = "ask about MCP servers"
	c.Mu.Lock()
	e := c.Link
	if e == nil || c.Closed {
		c.Mu.Unlock()
		return nil, &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New("the runtime does not run: it starts with the next prompt")}
	}
	e.asides++
	c.Mu.Unlock()
	defer func() {
		c.Mu.Lock()
		defer c.Mu.Unlock()
		e.asides--
		c.Mu.Notify()
	}()
	raw, err := e.p.Control(ctx, subtype, fields)
	if errors.Is(err, driver.ErrUnsupported) {
		err = &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("version %s of Claude Code cannot do this", e.launch.Version)}
	}
	return raw, err
}

// listServers returns the servers of the runtime without parley's own, false while it does not run.
func listServers(ctx context.Context, c *conversation) ([]session.Server, bool) {
	raw, err := askServers(ctx, c, "mcp_status", nil)
	var r struct {
		Servers []struct {
			Name, Status, Error, Scope string
			Config                     struct{ Type, Command, URL string }
			Tools                      []json.RawMessage
		} `json:"mcpServers"`
	}
	if cmp.Or(err, unreadable(raw, &r)) != nil {
		return nil, session.KindOf(err) != session.KindUnsupported
	}
	files := map[string]string{"project": filepath.Join(c.o.Dir, ".mcp.json")}
	if home := cmp.Or(c.a.o.ConfigDir, c.a.o.Home); home != "" {
		files["user"], files["local"] = filepath.Join(home, ".claude.json"), filepath.Join(home, ".claude.json")
	}
	var all []session.Server
	for _, s := range r.Servers {
		if s.Name == clienttools.Name && (s.Config.Type == "sdk" || s.Config.Command+s.Config.URL == "") { // 2.1.112 names no type
			continue
		}
		one := session.Server{Name: s.Name, From: files[s.Scope], Project: s.Scope == "project", About: cmp.Or(s.Config.URL, s.Config.Command, strings.TrimSpace(s.Scope)), Tools: len(s.Tools)}
		one.State, one.Why = process.ServerState(s.Status, s.Error)
		all = append(all, one)
	}
	return all, true
}
