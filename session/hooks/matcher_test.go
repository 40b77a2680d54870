package hooks

import (
	"encoding/json"
	"testing"
)

// What Claude Code 2.1.330 runs for the tool Bash, as it was recorded.
func TestMatchersAreThoseOfClaudeCode(t *testing.T) {
	for matcher, want := range map[string]bool{
		"": true, "*": true, "Bash": true, "Bash|Read": true, "Read|Bash|Edit": true, "Ba.*": true, "as.*": true, ".*sh": true, "Bash, Read": true,
		"Bash,Read": true, " Bash ": true, "^Ba": true, "(?!Read)B": true, "Bash|Rea.*": true, "Read|Ba.*": true, "B?ash": true,
		"Bas": false, "bash": false, "[": false, "Read": false, "(?!B)Read": false,
	} {
		if got := matches(matcher, "Bash", false); got != want {
			t.Errorf("%q: %v", matcher, got)
		}
	}
	for matcher, want := range map[string]bool{"bash": true, "ba": false, "ba.*": true, "view|bash": true, "": true, "[": false} {
		if got := matches(matcher, "bash", true); got != want {
			t.Errorf("the whole of %q: %v", matcher, got)
		}
	}
	if wrongMatcher("[", false) == "" || wrongMatcher("(?!Read)B", false) != "" || wrongMatcher("*", true) != "" {
		t.Error("matchers are checked wrongly")
	}
	if !matches(`(?=(a+)+$)(?!a)`, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false) {
		t.Error("a search that takes too long does not count as found")
	}
}

func TestRulesThatLimitHooks(t *testing.T) {
	for _, c := range []struct {
		rule, tool, input string
		want              bool
	}{
		{"", "Bash", `{"command":"ls"}`, true},
		{"Bash", "Bash", `{"command":"ls"}`, true},
		{"Bash(*)", "Bash", `{"command":"ls"}`, true},
		{"Bash(git *)", "Bash", `{"command":"git push"}`, true},
		{"Bash(git:*)", "Bash", `{"command":"git push"}`, true},
		{"Bash(git *)", "Bash", `{"command":"cd x && git push"}`, true},
		{"Bash(git *)", "Bash", `{"command":"ls -l"}`, false},
		{"Bash(git *)", "Bash", `{"command":"$(echo git) push"}`, true},
		{"Bash(git *)", "Bash", `{"command":"g\"i\"t push"}`, true},
		{"Bash(git *)", "Read", `{"file_path":"/x"}`, false},
		{"Edit(src/**)", "Edit", `{"file_path":"/r/src/a/b.go"}`, true},
		{"Edit(*.go)", "Edit", `{"file_path":"/r/a.go"}`, true},
		{"Edit(*.go)", "Edit", `{"file_path":"/r/a.md"}`, false},
		{"Read(~/.ssh/*)", "Read", `{"file_path":"/home/u/.ssh/id"}`, true},
		{"mcp__x__.*", "Bash", `{"command":"ls"}`, true},
		{"Bash(broken", "Bash", `{"command":"ls"}`, true},
	} {
		h := Hook{Event: PreToolUse, If: c.rule}
		if got := h.covers(Event{Name: PreToolUse, Tool: c.tool, Input: json.RawMessage(c.input)}); got != c.want {
			t.Errorf("%s, %s %s: %v", c.rule, c.tool, c.input, got)
		}
	}
}

func TestWhatMatchersAreComparedWith(t *testing.T) {
	for _, c := range []struct {
		matcher string
		e       Event
		want    bool
	}{
		{"startup", Event{Name: SessionStart, Why: "startup"}, true},
		{"resume|clear", Event{Name: SessionStart, Why: "startup"}, false},
		{"zzz", Event{Name: UserPromptSubmit, Prompt: "x"}, true},
		{"zzz", Event{Name: Stop}, true},
		{"explore", Event{Name: SubagentStop, AgentKind: "explore"}, true},
		{"general", Event{Name: SubagentStop, AgentKind: "explore"}, false},
		{"auto", Event{Name: PreCompact, Why: "manual"}, false},
		{"permission_prompt", Event{Name: Notification, Why: "permission_prompt"}, true},
		{"package.json|.env", Event{Name: FileChanged, Path: "/r/sub/.env"}, true},
		{"package.json", Event{Name: FileChanged, Path: "/r/sub/.env"}, false},
	} {
		if got := (Hook{Event: c.e.Name, Matcher: c.matcher}).covers(c.e); got != c.want {
			t.Errorf("%q at %+v: %v", c.matcher, c.e, got)
		}
	}
	if (Hook{Event: PreToolUse, Matcher: "bash", Copilot: true}).covers(Event{Name: PreToolUse, Tool: "Bash"}) != true {
		t.Error("Copilot's name of a tool does not match")
	}
}
