package translate

import "slices"

// efforts are all known degrees of reasoning, the least first.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// nearestEffort picks of a model's efforts the one asked for, else the next lower, else the lowest. It is "" if the
// model has none or the wish is unknown.
func nearestEffort(list []string, want string) string {
	if slices.Contains(list, want) {
		return want
	}
	rank := slices.Index(efforts, want)
	if rank < 0 {
		return ""
	}
	best, lowest := "", ""
	for _, e := range efforts {
		if !slices.Contains(list, e) {
			continue
		}
		if lowest == "" {
			lowest = e
		}
		if slices.Index(efforts, e) <= rank {
			best = e
		}
	}
	if best == "" {
		best = lowest
	}
	return best
}

// budgetEffort is the effort that comes closest to a budget of reasoning in tokens.
func budgetEffort(tokens int64) string {
	switch {
	case tokens <= 4096:
		return "low"
	case tokens <= 16384:
		return "medium"
	}
	return "high"
}

// effort is what to ask the model for, "" for its own default.
func (r *request) effort(m Model) string {
	t := r.Thinking
	switch {
	case r.OutputConfig.Effort != "":
		return nearestEffort(m.Efforts, r.OutputConfig.Effort)
	case t != nil && t.Type == "enabled" && t.Budget > 0:
		return nearestEffort(m.Efforts, budgetEffort(t.Budget))
	case t != nil && t.Type == "disabled":
		// Models that always think some keep their default: asking for "low" would not switch it off.
		for _, e := range efforts[:2] {
			if slices.Contains(m.Efforts, e) {
				return e
			}
		}
	}
	return ""
}

// thinks reports whether the client wants to see thinking blocks.
func (r *request) thinks() bool {
	return r.Thinking != nil && (r.Thinking.Type == "enabled" || r.Thinking.Type == "adaptive")
}

// silent reports whether thinking blocks are to carry their signature only.
func (r *request) silent() bool { return r.Thinking != nil && r.Thinking.Display == "omitted" }
