package role

import (
	"encoding/json"
	"slices"

	"parley/session"
	"parley/session/builtin/form"
	"parley/session/builtin/shell"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
	"parley/session/toolview"
)

// Role is a kind of agent: the conversation's own, or one that children are of. Nothing changes it.
type Role struct {
	// Name and about describe it to the model that chooses it; both are empty at the top.
	Name, about string
	// Words come first in the system prompt.
	Words string
	// fits reports whether the agent gets a tool.
	fits func(t *tool.Tool) bool
	// custom, if set, is the custom agent that the role is of.
	custom *session.CustomAgent
	// thrifty prefers a model that costs little.
	thrifty bool
	// planNote is the note that the model reads with each request in plan mode.
	planNote string
}

// Fits reports whether an agent of the role gets a tool.
func (r *Role) Fits(t *tool.Tool) bool { return r.fits(t) }

// Custom returns the custom agent that the role is of, nil for none. Nobody changes it.
func (r *Role) Custom() *session.CustomAgent { return r.custom }

// Servers returns the MCP servers that the custom agent of the role brings, nil for none.
func (r *Role) Servers() json.RawMessage {
	if r.custom == nil {
		return nil
	}
	return r.custom.Servers
}

// PlanNote returns the note that the model reads with each request in plan mode.
func (r *Role) PlanNote(unattended bool) string {
	if unattended {
		return unattendedPlanNote
	}
	return r.planNote
}

// deepest is the number of agents above one that may not start others.
const deepest = 2

// Top is the role of the conversation's own agent.
var Top = &Role{Words: topWords, planNote: form.PlanNote, fits: func(*tool.Tool) bool { return true }}

// builtin are the kinds of children, in the order the model sees them.
var builtin = []*Role{
	{Name: "general", about: "does a whole task with all of your tools", Words: childWords, planNote: childPlanNote,
		fits: func(t *tool.Tool) bool { return t != form.Question && t != form.Plan }},
	Explore,
}

// Explore is the role of children that only find and read.
var Explore = &Role{Name: "explore", about: "finds and reads, changes nothing; quick and cheap, good for \"where is\" and \"how does\"",
	Words: childWords + exploreWords, planNote: childPlanNote, thrifty: true,
	fits: func(t *tool.Tool) bool {
		return t != shell.BashOutput && (t.Kind == toolview.Read || t.Kind == toolview.Search)
	}}

// Offered returns those of some tools that an agent below depth others gets. Those at the deepest level start none.
func (r *Role) Offered(given []*tool.Tool, depth int) []*tool.Tool {
	return slices.DeleteFunc(slices.Clone(given), func(t *tool.Tool) bool {
		return !r.Fits(t) || depth >= deepest && t.Kind == toolview.Agent
	})
}

// ChildModel returns the model and the effort of a child's next request: want is the model that the child was given, "" for none, and
// above the model of the agent that started it, with the effort of the session.
func (r *Role) ChildModel(models []session.Model, want string, above session.Model, effort string) (session.Model, string) {
	switch {
	case want != "":
		model := wire.ChooseModel(models, want)
		if own := r.Effort(model); own != "" {
			return model, own
		}
		if model.ID == above.ID {
			return model, effort
		}
		return model, ""
	case r.thrifty:
		if model := thriftyModel(models, above); model.ID != above.ID {
			return model, ""
		}
	}
	return above, effort
}

// The least that a model needs to explore, in tokens.
const (
	minWindow = 100_000
	minOutput = 8_000
)

// thriftyModel returns the cheapest model that is fit to explore: one that reasons and has room. Models that the plan includes
// come first, then those of the lowest price. It returns the one above if none is known to be cheaper.
func thriftyModel(models []session.Model, above session.Model) session.Model {
	if above.Free {
		return above
	}
	best := above
	for _, m := range models {
		reasons := m.AdaptiveThinking || m.MaxThinking > 0 || len(m.Efforts) > 0
		if m.Unusable != "" || m.Preview || !reasons || wire.Window(m) < minWindow || m.MaxOutput < minOutput {
			continue
		}
		if cheaper(m, best) {
			best = m
		}
	}
	return best
}

// cheaper reports whether a is known to cost less than b.
func cheaper(a, b session.Model) bool {
	if a.Free != b.Free {
		return a.Free
	}
	if a.Price == nil || b.Price == nil {
		return false
	}
	return a.Price.Input+a.Price.Output < b.Price.Input+b.Price.Output
}

// Pick returns the model that the custom agent of a role asks for, "" for none or one that the login does not have.
func (r *Role) Pick(models []session.Model) string {
	if r.custom == nil {
		return ""
	}
	return r.custom.PickModel(models)
}

// Effort returns the effort that the custom agent of a role asks for, "" for none or one that the model does not take.
func (r *Role) Effort(m session.Model) string {
	if r.custom == nil || !slices.Contains(m.Efforts, r.custom.Effort) {
		return ""
	}
	return r.custom.Effort
}
