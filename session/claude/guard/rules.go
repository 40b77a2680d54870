package guard

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
)

// suggestion is something the runtime would remember: rules, or also a mode or directories, which are left to the user.
type suggestion struct {
	Type  string `json:"type"`
	Rules []struct {
		Tool    string `json:"toolName"`
		Content string `json:"ruleContent"`
	} `json:"rules"`
	Behavior string `json:"behavior"`
}

// narrowest returns those suggestions that are rules for calls of the tool that asks, and for nothing else. A mode or a
// directory that the runtime suggests along with them allows more than the user is told of.
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

// suggestedRules words the runtime's suggestions as the one rule they are together, none if there is nothing that would
// make the same call pass.
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

// ruleLabel says in words what a rule of the runtime allows.
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

// ForSession rewrites suggestions so that they hold for this session only. As the runtime makes them, they may be written
// into the settings of the repository, where they would hold for everybody and for ever.
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

// RuleOf returns the rule that an answer gives for the session, if it gives one.
func RuleOf(ask *session.PermissionAsk, a session.Answer) (session.Rule, bool) {
	switch {
	case ask == nil || a.Decision != session.Allow || a.Scope != session.ScopeSession:
		return session.Rule{}, false
	case a.Rule != nil:
		return *a.Rule, true
	case len(ask.Rules) > 0:
		return ask.Rules[0], true
	}
	return session.Rule{}, false
}

// RulesOf returns the rules that the answers of a transcript left behind.
func RulesOf(t *session.Transcript) []session.Rule {
	var rules []session.Rule
	for _, turn := range t.Turns {
		for _, entry := range turn.Entries {
			ask, ok := entry.(*session.Ask)
			if !ok || !ask.Settled {
				continue
			}
			if r, ok := RuleOf(ask.Permission, ask.Settlement.Answer); ok {
				rules = append(rules, r)
			}
		}
	}
	return rules
}
