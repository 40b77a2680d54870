package repair

import (
	"slices"
	"strconv"

	"parley/internal/jsonedit"
)

// number returns a whole number, false if n is not one.
func (w *work) number(n jsonedit.Node) (int, bool) {
	if n == jsonedit.None {
		return 0, false
	}
	v, err := strconv.Atoi(string(w.Raw(n)))
	return v, err == nil
}

// lowerMaxTokens lowers max_tokens to the model's limit, which is lower for answers that are not streamed.
func lowerMaxTokens(w *work) {
	limit := w.model.Output
	if w.model.Whole > 0 && w.Kind(w.top("stream")) != 't' && (limit == 0 || w.model.Whole < limit) {
		limit = w.model.Whole
	}
	n := w.top("max_tokens")
	if asked, ok := w.number(n); ok && limit > 0 && asked > limit {
		w.Replace(n, strconv.Itoa(limit))
		w.fire("max_tokens")
	}
}

// usualBudget is the thinking budget if the client leaves it to the model.
const usualBudget = 16000

// mendThinking requests the kind of thinking that the model has, within its bounds. It removes thinking if the model
// has none, or if the answer is too short for the least budget.
func mendThinking(w *work) {
	t := w.top("thinking")
	if !w.thinks() {
		return
	}
	enabled := w.typeIs(t, "enabled")
	switch {
	case enabled && w.model.Manual:
		w.boundBudget(t)
	case !enabled && w.model.Adaptive:
	case w.model.Adaptive:
		w.Replace(w.Member(t, "type"), `"adaptive"`)
		w.DeleteMember(t, "budget_tokens")
		w.fire("thinking.type")
	case w.model.Manual:
		budget, ok := w.fits(max(usualBudget, w.model.MinBudget))
		if !ok {
			w.dropThinking()
			return
		}
		w.DeleteMember(t, "budget_tokens")
		w.Replace(w.Member(t, "type"), `"enabled"`)
		w.AppendMember(t, "budget_tokens", strconv.Itoa(budget))
		w.fire("thinking.type")
	default:
		w.dropThinking()
	}
}

// boundBudget limits a budget to the bounds of the model and below max_tokens.
func (w *work) boundBudget(t jsonedit.Node) {
	n := w.Member(t, "budget_tokens")
	asked, given := w.number(n)
	if !given {
		asked = usualBudget
	}
	budget, ok := w.fits(asked)
	switch {
	case !ok:
		w.dropThinking()
	case n == jsonedit.None:
		w.AppendMember(t, "budget_tokens", strconv.Itoa(budget))
		w.fire("thinking.budget_tokens")
	case !given || budget != asked:
		w.Replace(n, strconv.Itoa(budget))
		w.fire("thinking.budget_tokens")
	}
}

// fits returns the closest possible budget, false if there is none.
func (w *work) fits(budget int) (int, bool) {
	budget = max(budget, w.model.MinBudget)
	if w.model.MaxBudget > 0 {
		budget = min(budget, w.model.MaxBudget)
	}
	if limit, ok := w.number(w.top("max_tokens")); ok {
		budget = min(budget, limit-1)
	}
	return budget, budget >= w.model.MinBudget
}

func (w *work) dropThinking() {
	w.DeleteMember(w.Root(), "thinking")
	w.fire("thinking")
}

// mendThinkingFields removes fields that a kind of thinking does not have, such as a budget of the adaptive one. It
// replaces an unknown way to display thinking by one that shows something.
func mendThinkingFields(w *work) {
	t := w.top("thinking")
	kind := w.String(w.member(t, "type"))
	known, ok := thinkingFields[kind]
	if !ok {
		return
	}
	w.keep(t, known, "thinking.")
	if d := w.Member(t, "display"); d != jsonedit.None && !w.Is(d, "summarized") && !w.Is(d, "omitted") {
		w.Replace(d, `"summarized"`)
		w.fire("thinking.display")
	}
}

// dropForcedThinking removes thinking if a tool must be called, because the client depends on the tool.
func dropForcedThinking(w *work) {
	choice := w.top("tool_choice")
	if w.thinks() && (w.typeIs(choice, "any") || w.typeIs(choice, "tool")) {
		w.dropThinking()
	}
}

// minTopP is the smallest top_p that is allowed with thinking.
const minTopP = 0.95

// dropSampling removes parameters that are not allowed with thinking.
func dropSampling(w *work) {
	if !w.thinks() {
		return
	}
	for _, field := range []struct {
		name string
		good func(float64) bool
	}{
		{"temperature", func(v float64) bool { return v == 1 }},
		{"top_k", func(float64) bool { return false }},
		{"top_p", func(v float64) bool { return v >= minTopP }},
	} {
		n := w.top(field.name)
		if n == jsonedit.None || w.Kind(n) == 'n' {
			continue
		}
		if v, err := strconv.ParseFloat(string(w.Raw(n)), 64); err != nil || !field.good(v) {
			w.DeleteMember(w.Root(), field.name)
			w.fire("%s", field.name)
		}
	}
}

// efforts are all efforts, the least first.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// mendEffort selects the model's greatest effort up to the requested one, else its least. It removes the effort for a
// model without efforts.
func mendEffort(w *work) {
	config := w.top("output_config")
	n := w.member(config, "effort")
	if n == jsonedit.None || slices.Contains(w.model.Efforts, w.String(n)) {
		return
	}
	w.fire("output_config.effort")
	if best := nearestEffort(w.String(n), w.model.Efforts); best != "" {
		w.Replace(n, jsonedit.Quote(best))
		return
	}
	w.DeleteMember(config, "effort")
	if w.Len(config) == 0 {
		w.DeleteMember(w.Root(), "output_config")
	}
}

// nearestEffort returns that effort, "" if the requested word is not an effort or the model has none.
func nearestEffort(asked string, have []string) string {
	wanted := slices.Index(efforts, asked)
	if wanted < 0 {
		return ""
	}
	best, least := "", ""
	for i, e := range efforts {
		if !slices.Contains(have, e) {
			continue
		}
		if least == "" {
			least = e
		}
		if i <= wanted {
			best = e
		}
	}
	if best == "" {
		return least
	}
	return best
}
