package repair

import (
	"regexp"
	"strconv"

	"parley/copilot"
)

// Model is what repairs need to know of the model that is asked. The zero value is a model nothing is known of: only
// what no model accepts is repaired then.
type Model struct {
	// Known says that the other fields mean something.
	Known bool
	// Output is the most output tokens of an answer, Whole of one that is not streamed; 0: not told.
	Output, Whole int
	// Adaptive: the model takes thinking "adaptive". Manual: it takes "enabled" with a budget of MinBudget to MaxBudget
	// tokens; MaxBudget 0: no bound is told.
	Adaptive, Manual     bool
	MinBudget, MaxBudget int
	// Efforts are the accepted efforts; empty: none may be sent.
	Efforts []string
	// Prefill: the conversation may end with words of the assistant.
	Prefill bool
}

// leastBudget is the smallest thinking budget of a model that does not tell its own.
const leastBudget = 1024

// ModelOf reads the service's description of a model.
func ModelOf(m copilot.Model) Model {
	s := m.Supports
	out := Model{
		Known: m.ID != "", Output: m.Limits.Output, Whole: m.Limits.NonStreamingOutput,
		Adaptive: s.AdaptiveThinking, MinBudget: s.MinThinkingBudget, MaxBudget: s.MaxThinkingBudget, Efforts: s.Efforts,
		// The service does not tell. All models that decide themselves how much to think refuse words put into their
		// mouth, all others take them.
		Prefill: !s.AdaptiveThinking,
	}
	out.Manual = s.MinThinkingBudget > 0 || s.MaxThinkingBudget > 0 || s.Thinking && !s.AdaptiveThinking
	if out.Adaptive && onlyAdaptive(m.ID) {
		out.Manual = false
	}
	out.MinBudget = max(out.MinBudget, leastBudget)
	return out
}

var claudeVersion = regexp.MustCompile(`^claude-[a-z]+-(\d+)(?:[.-](\d))?(?:-|$)`)

// onlyAdaptive reports a Claude model from 4.7 on. These refuse a budget although some of them declare bounds for one.
func onlyAdaptive(id string) bool {
	v := claudeVersion.FindStringSubmatch(id)
	if v == nil {
		return false
	}
	major, _ := strconv.Atoi(v[1])
	minor, _ := strconv.Atoi(v[2])
	return major > 4 || major == 4 && minor >= 7
}
