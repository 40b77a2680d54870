package session

import (
	"slices"
	"strings"
)

// PickModel returns the id of the first model that the agent asks for and that can be used, "" if there is none. Its file may
// name a model as the service does, by the name for people, or by a word for the newest Claude of a size, such as "haiku".
func (a CustomAgent) PickModel(models []Model) string {
	for _, want := range slices.Concat([]string{a.Model}, a.Others) {
		want = strings.TrimSpace(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(want)), "(copilot)"))
		if want == "" || want == "inherit" {
			continue
		}
		if m := FindModel(models, want); m != nil && m.Unusable == "" {
			return m.ID
		}
		best := ""
		for _, m := range models {
			size := slices.Contains([]string{"haiku", "sonnet", "opus"}, want) && strings.HasPrefix(m.ID, "claude-") && strings.Contains(m.ID, want)
			if m.Unusable == "" && (size || strings.EqualFold(m.Name, want)) && m.ID > best {
				best = m.ID
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}
