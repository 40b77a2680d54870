package translate

import "slices"

// efforts are all known efforts, the least first.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// nearestEffort returns the requested effort if the model has it, else the next lower, else the lowest. It is "" if the
// model has none or the request is unknown.
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

// budgetEffort returns the effort closest to a reasoning budget in tokens.
func budgetEffort(tokens int64) string {
	switch {
	case tokens <= 4096:
		return "low"
	case tokens <= 16384:
		return "medium"
	}
	return "high"
}

// effort returns the effort to request, "" for the model's default.
func (r *request) effort(m Model) string {
	t := r.Thinking
	switch {
	case r.OutputConfig.Effort != "":
		return nearestEffort(m.Efforts, r.OutputConfig.Effort)
	case t != nil && t.Type == "enabled" && t.Budget > 0:
		return nearestEffort(m.Efforts, budgetEffort(t.Budget))
	case t != nil && t.Type == "disabled":
		// Models that always think a little keep their default: asking for "low" would not switch thinking off.
		for _, e := range efforts[:2] {
			if slices.Contains(m.Efforts, e) {
				return e
			}
		}
	}
	return ""
}

// thinks reports whether the client wants thinking blocks.
func (r *request) thinks() bool {
	return r.Thinking != nil && (r.Thinking.Type == "enabled" || r.Thinking.Type == "adaptive")
}

// silent reports whether thinking blocks contain only their signature.
func (r *request) silent() bool { return r.Thinking != nil && r.Thinking.Display == "omitted" }
