package repair

import (
	"strconv"

	"parley/copilot"
	"parley/internal/lazyregexp"
)

// Model holds the properties of the requested model that repairs need. The zero value is an unknown model, for which
// only what no model accepts is repaired.
type Model struct {
	// Known reports whether the other fields are valid.
	Known bool
	// Output bounds the output tokens of an answer, Whole those of an answer that is not streamed; 0: unknown.
	Output, Whole int
	// Adaptive: the model takes thinking "adaptive". Manual: it takes "enabled" with a budget of MinBudget to MaxBudget
	// tokens; MaxBudget 0: no known bound.
	Adaptive, Manual     bool
	MinBudget, MaxBudget int
	// Efforts are the accepted efforts; empty: none may be sent.
	Efforts []string
	// Prefill: the conversation may end with text of the assistant.
	Prefill bool
}

// minBudget is the smallest thinking budget of a model with an unknown minimum.
const minBudget = 1024

// ModelOf converts the service's description of a model.
func ModelOf(m copilot.Model) Model {
	s := m.Supports
	out := Model{
		Known: m.ID != "", Output: m.Limits.Output, Whole: m.Limits.NonStreamingOutput,
		Adaptive: s.AdaptiveThinking, MinBudget: s.MinThinkingBudget, MaxBudget: s.MaxThinkingBudget, Efforts: s.Efforts,
		// The service does not report it. Models that decide themselves how much to think refuse a prefilled answer,
		// and all others accept it.
		Prefill: !s.AdaptiveThinking,
	}
	out.Manual = s.MinThinkingBudget > 0 || s.MaxThinkingBudget > 0 || s.Thinking && !s.AdaptiveThinking
	if out.Adaptive && onlyAdaptive(m.ID) {
		out.Manual = false
	}
	out.MinBudget = max(out.MinBudget, minBudget)
	return out
}

var claudeVersion = lazyregexp.New(`^claude-[a-z]+-(\d+)(?:[.-](\d))?(?:-|$)`)

// onlyAdaptive reports whether a model is a Claude model from 4.7 on. These refuse a budget although some declare
// bounds for one.
func onlyAdaptive(id string) bool {
	v := claudeVersion.FindStringSubmatch(id)
	if v == nil {
		return false
	}
	major, _ := strconv.Atoi(v[1])
	minor, _ := strconv.Atoi(v[2])
	return major > 4 || major == 4 && minor >= 7
}
