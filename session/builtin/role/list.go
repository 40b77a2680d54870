package role

import (
	"context"
	"slices"
	"strings"

	"parley/session"
	"parley/session/agentfiles"
	"parley/session/builtin/form"
	"parley/session/builtin/tool"
)

// maxAbout bounds what the model reads about when to use a custom agent, in bytes.
const maxAbout = 600

// List holds the kinds that children of a conversation can be of: the built-in ones and the custom agents that models may start, in
// the order the model sees them. It stays the same, as the tool that starts them does.
type List []*Role

// Find returns the kinds for a conversation in a directory. custom finds custom agents; nil: there are none.
func Find(ctx context.Context, custom session.CustomFinder, dir string) List {
	k := List(builtin)
	if custom == nil {
		return k
	}
	for _, a := range custom.Customs(ctx, dir).Agents {
		if !a.Hidden && k.Named(a.Name) == nil {
			k = append(slices.Clip(k), child(a))
		}
	}
	return k
}

// child returns the kind of children that are a custom agent.
func child(a session.CustomAgent) *Role {
	about := a.About
	if len(about) > maxAbout {
		about = strings.ToValidUTF8(about[:maxAbout], "") + "…"
	}
	allowed := toolsOf(a)
	return &Role{Name: a.Name, about: about, custom: &a, planNote: childPlanNote,
		Words: childWords + "\nYou are the agent " + a.Name + ". Its author says:\n" + a.Prompt + "\n",
		fits:  func(t *tool.Tool) bool { return t != form.Question && t != form.Plan && allowed(t) }}
}

// Held returns the role of a conversation that a custom agent holds.
func Held(a session.CustomAgent) *Role {
	return &Role{custom: &a, planNote: form.PlanNote, fits: toolsOf(a),
		Words: topWords + "\nThe user has chosen the agent " + a.Name + " for this conversation. Its author says:\n" + a.Prompt + "\n"}
}

// toolsOf returns which tools a custom agent may use.
func toolsOf(a session.CustomAgent) func(t *tool.Tool) bool {
	return func(t *tool.Tool) bool {
		return len(agentfiles.Allowed(a, []string{t.Name})) > 0 && (a.Tools == nil || !t.Private)
	}
}

// Named returns a kind, the first for "", nil for an unknown one.
func (k List) Named(name string) *Role {
	for _, r := range k {
		if strings.EqualFold(r.Name, name) || name == "" || name == "general-purpose" && r.Name == "general" { // as other agents call it
			return r
		}
	}
	return nil
}

// Names returns the names of the kinds.
func (k List) Names() []string {
	var out []string
	for _, r := range k {
		out = append(out, r.Name)
	}
	return out
}

// Among returns tools with the one that starts children of these kinds.
func (k List) Among(tools []*tool.Tool) []*tool.Tool {
	if len(k) == len(builtin) {
		return tools
	}
	task := *Task
	task.Description, task.Schema = k.about(), k.schema()
	at := slices.Index(tools, Task)
	return slices.Replace(slices.Clone(tools), at, at+1, &task)
}
