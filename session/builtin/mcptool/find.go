package mcptool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/mcp"
	"parley/session/toolview"
)

const (
	// maxFound bounds the tools that one search loads.
	maxFound = 8
	// maxServers bounds the servers that the description names.
	maxServers = 40
)

// Finder is the name of the tool that finds others.
const Finder = "FindTools"

const findSchema = `{"type":"object","properties":{"query":{"type":"string",` +
	`"description":"Words of what the tool should do, or its whole name"}},"required":["query"],"additionalProperties":false}`

// find returns the tool that finds others, with the servers that there are in its description. The lock is held.
func (k *Kit) find(all []*mcp.Tool, r mcp.Reach) *tool.Tool {
	counts := map[string]int{}
	var servers []string
	for _, t := range all {
		if counts[t.Server]++; counts[t.Server] == 1 {
			servers = append(servers, t.Server)
		}
	}
	var about strings.Builder
	fmt.Fprintf(&about, "Finds tools of MCP servers by words, and lets you call those that it returns from your next step on. "+
		"There are %d, too many to show: ", len(all))
	for i, s := range servers {
		if i == maxServers {
			fmt.Fprintf(&about, " and %d servers more", len(servers)-i)
			break
		}
		if i > 0 {
			about.WriteString(", ")
		}
		fmt.Fprintf(&about, "%s (%d)", s, counts[s])
	}
	about.WriteString(".")
	key := fmt.Sprint(r, about.String())
	if k.finders[key] == nil {
		k.finders[key] = &tool.Tool{Name: Finder, Kind: toolview.MCP, Description: about.String(), Schema: findSchema,
			Prepare: func(_ *tool.Workspace, input json.RawMessage) (*tool.Job, error) { return k.prepareFind(r, input) }}
	}
	return k.finders[key]
}

// prepareFind returns the job of a search, which asks nobody: it only reads descriptions.
func (k *Kit) prepareFind(r mcp.Reach, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Query string `json:"query"`
	}
	if err := tool.DecodeInput(input, &in, "query"); err != nil {
		return nil, err
	}
	return &tool.Job{Own: true, Run: func(context.Context, session.CallID, func(string)) tool.Outcome {
		found := matching(k.pool.Tools(r), in.Query)
		if len(found) == 0 {
			return tool.Failed("No tool matches %q. Try other words: what it does, or the name of its server.", in.Query)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		var lines []string
		for _, t := range found {
			k.loaded[t.Name] = true
			about, _, _ := strings.Cut(t.About, "\n")
			lines = append(lines, t.Name+": "+about)
		}
		return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: strings.Join(lines, "\n"),
			Summary: fmt.Sprintf("%d found", len(found))}}
	}}, nil
}

// matching returns the tools that fit a query best, or the one that it names.
func matching(all []*mcp.Tool, query string) []*mcp.Tool {
	for _, t := range all {
		if strings.EqualFold(t.Name, strings.TrimSpace(query)) {
			return []*mcp.Tool{t}
		}
	}
	return tool.Best(all, query, maxFound, func(t *mcp.Tool) (name, about string) { return t.Server + " " + t.Own, t.About })
}
