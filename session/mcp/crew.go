package mcp

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"parley/session"
	"parley/session/extensions"
)

// Crew is the custom agents of a conversation, which bring servers of their own. Those of agents that are in use run, and the others are
// listed with the reason. It is safe for concurrent use.
type Crew struct {
	// Shared finds the servers of all agents, All the agents of the directory, and Of the servers that one brings.
	Shared func(ctx context.Context) []extensions.Server
	All    func(ctx context.Context) []session.CustomAgent
	Of     func(ctx context.Context, a session.CustomAgent) []extensions.Server

	mu    sync.Mutex
	inUse []*session.CustomAgent // one for each use, in the order of their beginnings
}

// Use counts an agent as in use until done is called. The next look for servers takes both over. Nil is an agent without a file.
func (c *Crew) Use(a *session.CustomAgent) (done func()) {
	if c == nil || a == nil || len(a.Servers) == 0 {
		return func() {}
	}
	one := *a
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inUse = append(c.inUse, &one)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.inUse = slices.DeleteFunc(c.inUse, func(o *session.CustomAgent) bool { return o == &one })
	}
}

// Servers returns the servers of all agents, then those of the agents in use, then those of the others. The first of a name holds, and two
// agents that describe the same share it.
func (c *Crew) Servers(ctx context.Context) []extensions.Server {
	all := c.Shared(ctx)
	c.mu.Lock()
	inUse := slices.Clone(c.inUse)
	c.mu.Unlock()
	var added []*session.CustomAgent
	add := func(a *session.CustomAgent, used bool) {
		if slices.ContainsFunc(added, func(o *session.CustomAgent) bool { return reflect.DeepEqual(o, a) || o.Name == a.Name && !used }) {
			return
		}
		added = append(added, a)
		for _, s := range c.Of(ctx, *a) {
			at := slices.IndexFunc(all, func(o extensions.Server) bool { return o.Name == s.Name && o.Why == "" })
			switch {
			case s.Why != "":
			case !used:
				s.Why = "it runs while the agent " + a.Name + " is in use"
			case at >= 0 && len(all[at].Agents) > 0 && same(all[at], s):
				all[at].Agents = append(slices.Clip(all[at].Agents), a.Name)
				continue
			case at >= 0:
				s.Over = all[at].From
				s.Why = "replaced by the one in " + s.Over
			}
			all = append(all, s)
		}
	}
	for _, a := range inUse {
		add(a, true)
	}
	if c.All != nil {
		for _, a := range c.All(ctx) {
			if len(a.Servers) > 0 {
				add(&a, false)
			}
		}
	}
	return all
}

// same reports whether two servers are started and reached in the same way, for whomever.
func same(a, b extensions.Server) bool {
	a.From, a.Agents, b.From, b.Agents = "", nil, "", nil
	return reflect.DeepEqual(a, b)
}

// Reach is whose servers an agent may use: those of all agents, if Shared, and those of the custom agents of some names.
type Reach struct {
	Shared bool
	Agents []string
}

// has reports whether a server is within reach.
func (r Reach) has(s extensions.Server) bool {
	if len(s.Agents) == 0 {
		return r.Shared
	}
	return slices.ContainsFunc(s.Agents, func(name string) bool { return slices.Contains(r.Agents, name) })
}
