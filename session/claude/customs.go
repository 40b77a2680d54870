package claude

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/agentfiles"
	"parley/session/claude/driver"
)

var _ session.CustomsLister = (*Agent)(nil)

// agents returns the custom agents that the runtime does not find itself or in the folders of plugins, and the one that the user has
// chosen, nil for none.
func (a *Agent) agents(ctx context.Context, dir, custom string, plugins []string, models []session.Model) (map[string]driver.AgentDefinition, *session.CustomAgent, error) {
	if a.Finder == nil {
		return nil, nil, nil
	}
	chosen, err := a.Finder.Chosen(ctx, dir, custom)
	if err != nil {
		return nil, nil, err
	}
	var all map[string]driver.AgentDefinition
	add := func(c session.CustomAgent) {
		if all == nil {
			all = map[string]driver.AgentDefinition{}
		}
		all[c.Name] = definition(c, models)
	}
	trusted := a.o.Trusted(dir)
	for _, c := range a.Finder.Customs(ctx, dir).Agents {
		if !c.Hidden && !a.finds(c, plugins, trusted) {
			add(c)
		}
	}
	return all, chosen, nil
}

// finds reports whether the runtime reads the file of a custom agent itself. It then also uses what parley does not pass on,
// such as the agent's hooks.
func (a *Agent) finds(c session.CustomAgent, plugins []string, trusted bool) bool {
	if slices.ContainsFunc(plugins, func(dir string) bool { return strings.HasPrefix(c.Path, dir+string(filepath.Separator)) }) {
		return true
	}
	switch c.Origin {
	case session.CustomUser, session.CustomPlugin:
		return !c.FileNamed && a.transcripts != "" && strings.HasPrefix(c.Path, a.transcripts+string(filepath.Separator))
	case session.CustomRepository:
		return !c.FileNamed && trusted && strings.Contains(filepath.ToSlash(c.Path), "/.claude/agents/")
	}
	return false
}

// runtimeTools are tools of the runtime, under their names in all versions.
var runtimeTools = []string{"Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "Glob", "Grep", "LS", "LSP", "Bash", "BashOutput",
	"TaskOutput", "KillShell", "TaskStop", "WebFetch", "WebSearch", "Task", "Agent", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList",
	"TaskGet", "AskUserQuestion", "ExitPlanMode", "Skill"}

// definition returns a custom agent as the runtime takes it.
func definition(c session.CustomAgent, models []session.Model) driver.AgentDefinition {
	d := driver.AgentDefinition{Description: c.About, Prompt: c.Prompt, Model: claudeModel(c, models), Skills: c.Skills, Servers: serversOf(c)}
	if slices.Contains([]string{"low", "medium", "high", "xhigh", "max"}, c.Effort) {
		d.Effort = c.Effort
	}
	if d.Prompt == "" { // the runtime takes none without
		d.Prompt = c.About
	}
	if c.Tools != nil {
		d.Tools = namesFor(c.Tools)
		d.NoTools = len(d.Tools) == 0
	}
	d.DisallowedTools = namesFor(c.Denied)
	return d
}

// namesFor returns the names that the runtime has for the tools of a list. It finds out itself about those that are unknown here.
func namesFor(list []string) []string {
	var out []string
	for _, e := range list {
		names := agentfiles.Allowed(session.CustomAgent{Tools: []string{e}}, runtimeTools)
		if len(names) == 0 || strings.Contains(e, "(") {
			if names = agentfiles.ServerTools([]string{e}); len(names) == 0 {
				names = []string{e}
			}
		}
		for _, n := range names {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// claudeModel returns the model of a custom agent as the runtime spells it, "" for that of the conversation.
func claudeModel(c session.CustomAgent, models []session.Model) string {
	id := c.PickModel(models)
	if !strings.HasPrefix(id, "claude-") {
		return ""
	}
	return spelledFor(models, id)
}

// serversOf returns the MCP servers of a custom agent as the runtime takes them.
func serversOf(c session.CustomAgent) []map[string]json.RawMessage {
	var byName map[string]map[string]any
	if len(c.Servers) == 0 || json.Unmarshal(c.Servers, &byName) != nil {
		return nil
	}
	var out []map[string]json.RawMessage
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		s := byName[name]
		if s["type"] == "local" { // as Copilot writes
			s["type"] = "stdio"
		}
		delete(s, "tools")
		if raw, err := json.Marshal(s); err == nil {
			out = append(out, map[string]json.RawMessage{name: raw})
		}
	}
	return out
}

// hold makes a custom agent hold the conversation of a launch. The runtime's own way, a flag, keeps the agent for all later starts
// of a session, and differs between versions.
func hold(l *driver.Launch, c session.CustomAgent) {
	l.AppendSystem = strings.TrimSpace(l.AppendSystem + "\n\nThe user has chosen the agent " + c.Name + " for this conversation. Its author says:\n" + c.Prompt)
	l.FreshPrompt = true
	if c.Tools != nil {
		l.Tools = append([]string{}, slices.DeleteFunc(namesFor(c.Tools), func(n string) bool { return strings.HasPrefix(n, "mcp__") })...)
		l.NoServers = len(agentfiles.ServerTools(c.Tools)) == 0
	}
	l.Disallowed = append(l.Disallowed, namesFor(c.Denied)...)
	l.Servers = withServers(l.Servers, serversOf(c))
}

// withServers returns MCP servers with more of them; one of the same name stays.
func withServers(servers json.RawMessage, more []map[string]json.RawMessage) json.RawMessage {
	all := map[string]json.RawMessage{}
	if len(more) == 0 || len(servers) > 0 && json.Unmarshal(servers, &all) != nil {
		return servers
	}
	for _, m := range more {
		for name, s := range m {
			if _, taken := all[name]; !taken {
				all[name] = s
			}
		}
	}
	merged, err := json.Marshal(all)
	if err != nil {
		return servers
	}
	return merged
}

// customized reports whether a custom agent has held the conversation before.
func customized(o session.OpenOptions) bool {
	if o.Settings.Custom != "" || o.History == nil {
		return o.Settings.Custom != ""
	}
	for _, turn := range o.History.Turns {
		for _, e := range turn.Entries {
			if m, ok := e.(*session.Mark); ok {
				if _, is := m.Event.(session.CustomChanged); is {
					return true
				}
			}
		}
	}
	return false
}

// chosen returns the custom agent that the user has chosen, as settings have it.
func (c *conversation) chosen() string {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return c.Settings.Custom
}
