package builtin

import (
	"cmp"
	"slices"

	"parley/session"
	"parley/session/builtin/shell"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
	"parley/session/toolview"
)

// role is a kind of agent: the conversation's own, or one that children are of. Nothing changes it.
type role struct {
	// name and about describe it to the model that chooses it; both are empty at the top.
	name, about string
	// words come first in the system prompt.
	words string
	// fits reports whether the agent gets a tool.
	fits func(t *tool.Tool) bool
	// custom, if set, is the custom agent that the role is of.
	custom *session.CustomAgent
	// thrifty prefers a model that costs little.
	thrifty bool
	// planNote is the note that the model reads with each request in plan mode.
	planNote string
}

// deepest is the number of agents above one that may not start others.
const deepest = 2

// topRole is the role of the conversation's own agent.
var topRole = &role{words: topWords, planNote: planNote, fits: func(*tool.Tool) bool { return true }}

// roles are the kinds of children, in the order the model sees them.
var roles = []*role{
	{name: "general", about: "does a whole task with all of your tools", words: childWords, planNote: childPlanNote,
		fits: func(t *tool.Tool) bool { return t != questionTool && t != planTool }},
	exploreRole,
}

var exploreRole = &role{name: "explore", about: "finds and reads, changes nothing; quick and cheap, good for \"where is\" and \"how does\"",
	words: childWords + exploreWords, planNote: childPlanNote, thrifty: true,
	fits: func(t *tool.Tool) bool {
		return t != shell.BashOutput && (t.Kind == toolview.Read || t.Kind == toolview.Search)
	}}

// offered returns those of some tools that an agent below depth others gets. Those at the deepest level start none.
func (r *role) offered(given []*tool.Tool, depth int) []*tool.Tool {
	return slices.DeleteFunc(slices.Clone(given), func(t *tool.Tool) bool {
		return !r.fits(t) || depth >= deepest && t.Kind == toolview.Agent
	})
}

// settings returns the model and the effort of the next request. At the top it reports them.
func (l *loop) settings(models []session.Model) (session.Model, string) {
	s := l.c.current()
	if l.child == "" {
		model := wire.ChooseModel(models, cmp.Or(s.Model, l.role().pick(models)))
		if len(models) > 0 { // else it is a guess, which nobody has confirmed
			s.Model = model.ID
		}
		l.c.tell(s)
		return model, cmp.Or(s.Effort, l.role().effort(model))
	}
	above := wire.ChooseModel(models, cmp.Or(l.aboveModel(), s.Model))
	switch {
	case l.job.model != "":
		model := wire.ChooseModel(models, l.job.model)
		if effort := l.role().effort(model); effort != "" {
			return model, effort
		}
		if model.ID == above.ID {
			return model, s.Effort
		}
		return model, ""
	case l.role().thrifty:
		if model := thriftyModel(models, above); model.ID != above.ID {
			return model, ""
		}
	}
	return above, s.Effort
}

// aboveModel returns the model that an agent above was given, "" for the session's.
func (l *loop) aboveModel() string {
	for p := l.parent; p != nil && p.job != nil; p = p.parent {
		if p.job.model != "" {
			return p.job.model
		}
	}
	return ""
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
