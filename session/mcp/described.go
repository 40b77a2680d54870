package mcp

import (
	"context"
	"errors"

	"parley/session"
	"parley/session/extensions"
)

var (
	_ session.ServerKeeper = (*Pool)(nil)
	_ session.ServerKeeper = Described{}
)

// Described shows servers that nobody has started.
type Described struct {
	Find func(ctx context.Context) []extensions.Server
}

// Servers returns the servers as files describe them.
func (d Described) Servers(ctx context.Context, _ bool) []session.Server {
	var out []session.Server
	for _, s := range d.Find(ctx) {
		one := newServer(nil, s).state
		if one.State == Starting {
			one.State = session.ServerWaiting
		}
		out = append(out, one)
	}
	return out
}

// SignOut returns an error of kind [session.KindUnsupported]: nothing runs.
func (d Described) SignOut(ctx context.Context, name string) (bool, error) {
	return false, d.SwitchServer(ctx, name, false)
}

// SwitchServer returns an error of kind [session.KindUnsupported]: nothing runs.
func (d Described) SwitchServer(context.Context, string, bool) error {
	return &session.Error{Op: "switch an MCP server", Kind: session.KindUnsupported, Err: errors.New("no server runs yet: they start with the first prompt")}
}
