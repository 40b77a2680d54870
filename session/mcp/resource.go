package mcp

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/session"
)

// maxResources bounds the resources of one server that are offered.
const maxResources = 500

var _ session.ResourceLister = (*Pool)(nil)

// Resources returns the resources of all connected servers, in the order in which their names hold.
func (p *Pool) Resources() []session.ServerResource {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []session.ServerResource
	for _, s := range p.servers {
		if s.conn != nil {
			out = append(out, s.resources...)
		}
	}
	return out
}

// listResources lists the resources of a server that can be written in one word. One that cannot list them has none.
func (s *server) listResources(ctx context.Context, conn *sdk.ClientSession) []session.ServerResource {
	if caps := conn.InitializeResult().Capabilities; caps == nil || caps.Resources == nil {
		return nil
	}
	var out []session.ServerResource
	for one, err := range conn.Resources(ctx, nil) {
		if err != nil || len(out) == maxResources {
			break
		}
		if one.URI == "" || len(one.URI) > maxAbout || strings.ContainsFunc(one.URI, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '"' }) {
			continue
		}
		out = append(out, session.ServerResource{Mention: s.spec.Name + ":" + one.URI, Name: cut(cmp.Or(one.Title, one.Name), maxAbout), About: cut(one.Description, maxAbout)})
	}
	return out
}
