package mcptool

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/mcp"
	"parley/session/toolview"
)

// maxDirect bounds the definitions that a model reads without asking, in bytes: about 5,000 tokens.
const maxDirect = 20_000

// Kit is the tools of the servers of one conversation. It is safe for concurrent use.
type Kit struct {
	pool *mcp.Pool
	ask  func(ctx context.Context, s mcp.Sampling) (mcp.Sampled, error)

	mu sync.Mutex
	// sampled are the servers that the user lets ask a model in this session.
	sampled map[string]bool
	// made are the tools by what they were made of, so that equal lists have equal tools.
	made map[*mcp.Tool]*tool.Tool
	// loaded are the names that a model has found.
	loaded map[string]bool
	// finders are the tools that find others, by what they say.
	finders map[string]*tool.Tool
}

// New returns the tools of a pool, whose servers ask lets have an answer of a model once the user lets them. The methods of a nil Kit are those of one without servers.
func New(pool *mcp.Pool, ask func(ctx context.Context, s mcp.Sampling) (mcp.Sampled, error)) *Kit {
	k := &Kit{pool: pool, ask: ask, sampled: map[string]bool{}, made: map[*mcp.Tool]*tool.Tool{}, loaded: map[string]bool{}, finders: map[string]*tool.Tool{}}
	return k
}

// Restore loads the tools that a session has called before.
func (k *Kit) Restore(t *session.Transcript) {
	if k == nil || t == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, turn := range t.Turns {
		k.restore(turn.Entries)
	}
}

func (k *Kit) restore(entries []session.Entry) {
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Tool:
			if strings.HasPrefix(e.Name, "mcp__") {
				k.loaded[e.Name] = true
			}
		case *session.Child:
			k.restore(e.Entries)
		}
	}
}

// Await takes over changes of how servers are described, and waits until they have started, for a moment; see [mcp.Pool.Await].
func (k *Kit) Await(ctx context.Context) {
	if k != nil {
		k.pool.Renew(ctx)
		k.pool.Await(ctx)
	}
}

// Renew takes over changes of how servers are described, without waiting for those that start; see [mcp.Pool.Renew].
func (k *Kit) Renew(ctx context.Context) {
	if k != nil {
		k.pool.Renew(ctx)
	}
}

// Tools returns what a model that reaches some servers reads now, in an order that only grows while no server comes or goes.
func (k *Kit) Tools(r mcp.Reach) []*tool.Tool {
	if k == nil {
		return nil
	}
	all := k.pool.Tools(r)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(all) == 0 {
		return nil
	}
	if size(all) > maxDirect {
		out := []*tool.Tool{k.find(all, r)}
		for _, t := range all {
			if k.loaded[t.Name] {
				out = append(out, k.tool(t))
			}
		}
		return out
	}
	var out []*tool.Tool
	for _, t := range all {
		out = append(out, k.tool(t))
	}
	return out
}

// Named returns a tool that a model calls without having found it, as it may have read its name elsewhere, and loads it. It is nil
// for any other name, and for those out of reach.
func (k *Kit) Named(name string, r mcp.Reach) *tool.Tool {
	if k == nil {
		return nil
	}
	for _, t := range k.pool.Tools(r) {
		if t.Name == name {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.loaded[name] = true
			return k.tool(t)
		}
	}
	return nil
}

// size returns how long the definitions of tools are, in bytes.
func size(all []*mcp.Tool) int {
	n := 0
	for _, t := range all {
		n += len(t.Name) + len(t.About) + len(t.Schema)
	}
	return n
}

// tool returns a tool of a server as the agent has it. The lock is held.
func (k *Kit) tool(t *mcp.Tool) *tool.Tool {
	if made := k.made[t]; made != nil && made.Name == t.Name {
		return made
	}
	made := &tool.Tool{Name: t.Name, Kind: toolview.MCP, Description: t.About, Schema: t.Schema,
		Prepare: func(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) { return k.prepare(w, t, input) }}
	k.made[t] = made
	return made
}

// prepare returns the job of a call.
func (k *Kit) prepare(w *tool.Workspace, t *mcp.Tool, input json.RawMessage) (*tool.Job, error) {
	var fields map[string]json.RawMessage
	if err := tool.DecodeInput(input, &fields); err != nil {
		return nil, err
	}
	return &tool.Job{Run: func(ctx context.Context, id session.CallID, live func(string)) tool.Outcome {
		r, err := k.pool.Call(ctx, t, input, mcp.Caller{Live: live, Ask: func(ctx context.Context, ask session.ElicitationAsk) session.Answer {
			return w.Host.Put(ctx, id, session.Asked{Kind: session.AskElicitation, Elicitation: &ask})
		}, Sample: func(ctx context.Context, s mcp.Sampling) (mcp.Sampled, error) {
			return k.sample(ctx, s, func(ctx context.Context, asked session.Asked) session.Answer { return w.Host.Put(ctx, id, asked) })
		}})
		switch {
		case ctx.Err() != nil:
			return tool.Cancelled
		case err != nil:
			return tool.Failed("%s.", sentence(err.Error()))
		}
		out := tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: r.Text, Media: r.Media}}
		if r.Failed {
			out.How = session.ToolFailed
		}
		return out
	}}, nil
}

// sentence returns an error as a sentence without its full stop.
func sentence(s string) string {
	s = strings.TrimSuffix(s, ".")
	return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):]
}
