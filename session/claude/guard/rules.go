package guard

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
)

// suggestion is a change of the runtime's permissions: rules, a mode or directories.
type suggestion struct {
	Type  string `json:"type"`
	Rules []struct {
		Tool    string `json:"toolName"`
		Content string `json:"ruleContent"`
	} `json:"rules"`
	Behavior string `json:"behavior"`
}

// narrowest returns the suggestions with rules for calls of the tool only. A mode or a directory would allow more than the
// user is shown.
func narrowest(tool string, suggestions []json.RawMessage) []json.RawMessage {
	var rules []json.RawMessage
	for _, raw := range suggestions {
		var s suggestion
		if json.Unmarshal(raw, &s) != nil || s.Type != "addRules" || s.Behavior != "allow" || len(s.Rules) == 0 {
			continue
		}
		for _, r := range s.Rules {
			if r.Tool != tool {
				s.Rules = nil
			}
		}
		if len(s.Rules) > 0 {
			rules = append(rules, raw)
		}
	}
	return rules
}

// suggestedRules returns the runtime's suggestions as one rule, none without suggestions.
func suggestedRules(tool string, suggestions []json.RawMessage) []session.Rule {
	var labels, patterns []string
	for _, raw := range suggestions {
		var s suggestion
		if json.Unmarshal(raw, &s) != nil {
			continue
		}
		for _, r := range s.Rules {
			labels = append(labels, ruleLabel(r.Tool, r.Content))
			patterns = append(patterns, r.Content)
		}
	}
	if len(labels) == 0 {
		return nil
	}
	return []session.Rule{{Tool: tool, Pattern: strings.Join(patterns, "\n"), Label: strings.Join(slices.Compact(labels), ", ")}}
}

// ruleLabel returns what a rule of the runtime allows, in words.
func ruleLabel(tool, content string) string {
	domain, isDomain := strings.CutPrefix(content, "domain:")
	switch {
	case content == "":
		return "all calls of " + tool
	case isDomain:
		return tool + " of " + domain
	}
	return tool + " of " + content
}

// ForSession limits suggestions to the session. Otherwise the runtime may write them into the settings of the repository.
func ForSession(suggestions []json.RawMessage) []any {
	var out []any
	for _, raw := range suggestions {
		var s map[string]any
		if json.Unmarshal(raw, &s) != nil {
			continue
		}
		s["destination"] = "session"
		out = append(out, s)
	}
	return out
}
