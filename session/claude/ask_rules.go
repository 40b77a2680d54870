package claude

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/session"
)

// suggestion is something the runtime would remember: rules, a mode, or directories.
type suggestion struct {
	Type  string `json:"type"`
	Rules []struct {
		Tool    string `json:"toolName"`
		Content string `json:"ruleContent"`
	} `json:"rules"`
	Behavior    string   `json:"behavior"`
	Mode        string   `json:"mode"`
	Directories []string `json:"directories"`
}

// narrowest returns what is enough to make the same call pass again. For a command that writes into the session's
// directory the runtime suggests, besides a rule for the command, to accept all edits from now on; who allows a command
// has not said so.
// What cannot be put into words for the user is never among it.
func narrowest(suggestions []json.RawMessage) []json.RawMessage {
	var rules, others []json.RawMessage
	for _, raw := range suggestions {
		var s suggestion
		switch {
		case json.Unmarshal(raw, &s) != nil:
		case s.Type == "addRules" && s.Behavior == "allow" && len(s.Rules) > 0:
			rules = append(rules, raw)
		case s.Type == "setMode" && s.Mode == string(session.ModeAcceptEdits), s.Type == "addDirectories":
			others = append(others, raw)
		}
	}
	if len(rules) > 0 {
		return rules
	}
	return others
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
		switch {
		case s.Type == "addRules" && s.Behavior == "allow":
			for _, r := range s.Rules {
				labels = append(labels, ruleLabel(r.Tool, r.Content))
				patterns = append(patterns, patternOf(tool, r.Tool, r.Content))
			}
		case s.Type == "setMode" && s.Mode == string(session.ModeAcceptEdits):
			labels = append(labels, "all edits in this session's directories")
			patterns = append(patterns, modePattern)
		case s.Type == "addDirectories":
			labels = append(labels, "access to "+strings.Join(s.Directories, ", "))
			patterns = append(patterns, modePattern)
		}
	}
	if len(labels) == 0 {
		return nil
	}
	return []session.Rule{{Tool: tool, Pattern: strings.Join(patterns, "\n"), Label: strings.Join(slices.Compact(labels), ", ")}}
}

// modePattern stands where an allowance is none of calls of the tool, but a mode, a directory or a rule for another tool,
// which the runtime keeps itself. It matches nothing.
const modePattern = "\x00"

// patternOf is what a rule of the runtime is kept as. One for another tool than the one that asks must not come to mean
// all calls of this one. Patterns are kept line by line, so a command of several lines is left to the runtime: its lines
// alone are not what the user allowed.
func patternOf(tool, of, content string) string {
	if tool != of || strings.Contains(content, "\n") {
		return modePattern
	}
	return content
}

// ruleLabel says in words what a rule of the runtime allows.
func ruleLabel(tool, content string) string {
	prefix, isPrefix := strings.CutSuffix(content, ":*")
	domain, isDomain := strings.CutPrefix(content, "domain:")
	switch {
	case content == "":
		return "all calls of " + tool
	case tool == "Bash" && isPrefix:
		return fmt.Sprintf("commands that begin with %q", prefix)
	case tool == "Bash":
		return fmt.Sprintf("the command %q", content)
	case isDomain:
		return tool + " of " + domain
	}
	return tool + " of " + content
}

// forSession rewrites suggestions so that they hold for this session only. As the runtime makes them, they may be written
// into the settings of the repository, where they would hold for everybody and for ever.
func forSession(suggestions []json.RawMessage) []any {
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

// modeOf returns the mode that suggestions would change to, empty if they change none.
func modeOf(suggestions []json.RawMessage) session.Mode {
	for _, raw := range suggestions {
		var s struct{ Type, Mode string }
		if json.Unmarshal(raw, &s) == nil && s.Type == "setMode" {
			return session.Mode(s.Mode)
		}
	}
	return ""
}

// ruleOf returns the rule that an answer gives for the session, if it gives one.
func ruleOf(ask *session.PermissionAsk, a session.Answer) (session.Rule, bool) {
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

// rulesOf returns the rules that the answers of a transcript left behind.
func rulesOf(t *session.Transcript) []session.Rule {
	var rules []session.Rule
	for _, turn := range t.Turns {
		for _, entry := range turn.Entries {
			ask, ok := entry.(*session.Ask)
			if !ok || !ask.Settled {
				continue
			}
			if r, ok := ruleOf(ask.Permission, ask.Settlement.Answer); ok {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// ruled reports whether the user has allowed this call for the session. The runtime keeps such rules only as long as its
// process lives; this keeps them over a restart. What the runtime asks about for a reason of safety is always asked, and
// so are questions and plans. The lock is held.
func (c *conversation) ruled(q canUseTool) bool {
	if q.ReasonType == "safetyCheck" || q.ReasonType == "rule" || q.Tool == "AskUserQuestion" || q.Tool == "ExitPlanMode" {
		return false
	}
	var in struct {
		Command string `json:"command"`
		URL     string `json:"url"`
	}
	if json.Unmarshal(q.Input, &in) != nil {
		return false
	}
	var prefixes []session.Rule
	for _, r := range c.rules {
		if r.Tool != q.Tool {
			continue
		}
		if r.Pattern == "" {
			return true
		}
		for _, pattern := range strings.Split(r.Pattern, "\n") {
			if q.Tool == "Bash" && pattern == in.Command && pattern != "" {
				return true
			}
			if prefix, ok := strings.CutSuffix(pattern, ":*"); ok && q.Tool == "Bash" {
				prefixes = append(prefixes, session.Rule{Tool: q.Tool, Pattern: prefix})
			}
		}
	}
	if len(prefixes) == 0 {
		return false
	}
	ruling, _ := session.Policy{Rules: prefixes}.Decide(session.ToolCommand, session.PermissionAsk{Tool: q.Tool, Command: in.Command})
	return ruling == session.RulingAllow
}
