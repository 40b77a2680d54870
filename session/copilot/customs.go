package copilot

import (
	"context"
	"slices"

	"parley/session"
	"parley/session/agentfiles"
	"parley/session/copilot/protocol"
)

var _ session.CustomsLister = (*Agent)(nil)

// agents returns the custom agents of a directory, and the name of the one that the user has chosen, empty for none. They
// replace all that the runtime finds itself.
func (a *Agent) agents(ctx context.Context, dir, custom string, models []session.Model, tools []protocol.Tool) (all []protocol.Agent, chosen string, err error) {
	if a.Finder == nil {
		return nil, "", nil
	}
	one, err := a.Finder.Chosen(ctx, dir, custom)
	if err != nil {
		return nil, "", err
	}
	known := slices.Clone(runtimeTools)
	var private []string
	for _, t := range tools {
		known = append(known, t.Name)
		if t.Private {
			private = append(private, t.Name)
		}
	}
	for _, c := range a.Finder.Customs(ctx, dir).Agents {
		if one == nil || c.Name != one.Name {
			all = append(all, protocolAgent(c, models, known, private))
		}
	}
	if one != nil {
		all, chosen = append(all, protocolAgent(*one, models, known, private)), one.Name
	}
	return all, chosen, nil
}

// runtimeTools are tools of the runtime that files name by words for several, or by the names of another agent.
var runtimeTools = []string{"bash", "read_bash", "write_bash", "stop_bash", "list_bash", "view", "create", "edit", "apply_patch", "grep", "rg",
	"glob", "web_fetch", "web_search", "task", "read_agent", "list_agents", "write_agent", "update_todo", "sql", "skill"}

// protocolAgent returns a custom agent as the runtime takes it. known are the tools of the runtime and of parley, and private those that an
// agent with a list does not get.
func protocolAgent(c session.CustomAgent, models []session.Model, known, private []string) protocol.Agent {
	p := protocol.Agent{Name: c.Name, DisplayName: c.Title, Description: c.About, Prompt: c.Prompt, Model: c.PickModel(models),
		ReasoningEffort: c.Effort, Servers: c.Servers, Skills: c.Skills}
	if c.Tools != nil || len(c.Denied) > 0 {
		tools := toolsOf(c, known)
		if c.Tools != nil {
			tools = slices.DeleteFunc(tools, func(name string) bool { return slices.Contains(private, name) })
		}
		p.Tools = &tools
	}
	if c.Hidden {
		p.Infer = new(bool)
	}
	return p
}

// toolsOf returns the tools that a custom agent may use under the runtime's names. It finds out itself about those that are
// unknown here, such as tools of MCP servers.
func toolsOf(c session.CustomAgent, known []string) []string {
	out := agentfiles.Allowed(c, known)
	for _, t := range c.Tools {
		if !slices.Contains(c.Denied, t) && len(agentfiles.Allowed(session.CustomAgent{Tools: []string{t}}, known)) == 0 && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
