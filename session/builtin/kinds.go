package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/session"
	"parley/session/agentfiles"
	"parley/session/builtin/tool"
)

// maxAbout bounds what the model reads about when to use a custom agent, in bytes.
const maxAbout = 600

// kinds are the agents of a conversation that have a name: those that children can be of, and the custom agent that holds the
// conversation.
type kinds struct {
	// all are the built-in kinds and the custom agents that models may start, in the order the model sees them. They stay the
	// same, as the tool that starts them does.
	all []*role
	// chosen is the custom agent that the top is, as in [session.Settings]. Only the running turn uses it.
	chosen string
}

var _ session.CustomsLister = (*Agent)(nil)

// Customs returns the custom agents and prompts of a directory.
func (a *Agent) Customs(ctx context.Context, dir string) session.Customs {
	if a.o.Customs == nil {
		return session.Customs{}
	}
	return a.o.Customs.Customs(ctx, dir)
}

// findKinds finds the kinds of agents for a conversation in a directory.
func findKinds(ctx context.Context, o Options, dir string) kinds {
	k := kinds{all: roles}
	if o.Customs == nil {
		return k
	}
	for _, a := range o.Customs.Customs(ctx, dir).Agents {
		if !a.Hidden && k.named(a.Name) == nil {
			k.all = append(slices.Clip(k.all), childRole(a))
		}
	}
	return k
}

// childRole returns the kind of children that are a custom agent.
func childRole(a session.CustomAgent) *role {
	about := a.About
	if len(about) > maxAbout {
		about = strings.ToValidUTF8(about[:maxAbout], "") + "…"
	}
	allowed := toolsOf(a)
	return &role{name: a.Name, about: about, custom: &a, planNote: childPlanNote,
		words: childWords + "\nYou are the agent " + a.Name + ". Its author says:\n" + a.Prompt + "\n",
		fits:  func(t *tool.Tool) bool { return t != questionTool && t != planTool && allowed(t) }}
}

// heldBy returns the role of a conversation that a custom agent holds.
func heldBy(a session.CustomAgent) *role {
	return &role{custom: &a, planNote: planNote, fits: toolsOf(a),
		words: topWords + "\nThe user has chosen the agent " + a.Name + " for this conversation. Its author says:\n" + a.Prompt + "\n"}
}

// toolsOf returns which tools a custom agent may use.
func toolsOf(a session.CustomAgent) func(t *tool.Tool) bool {
	return func(t *tool.Tool) bool { return len(agentfiles.Allowed(a, []string{t.Name})) > 0 }
}

// named returns a kind, the first for "", nil for an unknown one.
func (k *kinds) named(name string) *role {
	for _, r := range k.all {
		if strings.EqualFold(r.name, name) || name == "" || name == "general-purpose" && r.name == "general" { // as other agents call it
			return r
		}
	}
	return nil
}

func (k *kinds) names() []string { return namesOf(k.all) }

// among returns tools with the one that starts children of these kinds.
func (k *kinds) among(all []*tool.Tool) []*tool.Tool {
	if len(k.all) == len(roles) {
		return all
	}
	task := *taskTool
	task.Description, task.Schema = taskAbout+roleLines(k.all), taskSchema(k.all)
	return slices.Replace(slices.Clone(all), slices.Index(all, taskTool), slices.Index(all, taskTool)+1, &task)
}

// become makes the top the agent that the user has chosen, and reports why that is impossible. Only the running turn calls it.
func (c *conversation) become(ctx context.Context) *session.Problem {
	want := c.current().Custom
	if want == c.kinds.chosen {
		return nil
	}
	r := topRole
	if want != "" {
		if c.o.Customs == nil {
			return &session.Problem{Kind: session.KindUnsupported, What: "Custom agents are not available here.", Next: "Use /agents none to go on without."}
		}
		a, err := c.o.Customs.Chosen(ctx, c.open.Dir, want)
		if err != nil {
			p := session.ProblemOf(err, c.o.Now())
			p.Next = "Choose another agent with /agents, or none with /agents none."
			return p
		}
		r = heldBy(*a)
		if len(a.Servers) > 0 {
			c.out.emit(session.Notice{Head: c.head(), Severity: session.Info,
				Text: fmt.Sprintf("The MCP servers that the agent %s names are not used: put them into mcp.json.", a.Label())})
		}
	}
	c.top.play(r, c.has.own)
	c.kinds.chosen = want
	return nil
}

// pick returns the model that the custom agent of a role asks for, "" for none or one that the login does not have.
func (r *role) pick(models []session.Model) string {
	if r.custom == nil {
		return ""
	}
	return r.custom.PickModel(models)
}

// effort returns the effort that the custom agent of a role asks for, "" for none or one that the model does not take.
func (r *role) effort(m session.Model) string {
	if r.custom == nil || !slices.Contains(m.Efforts, r.custom.Effort) {
		return ""
	}
	return r.custom.Effort
}
