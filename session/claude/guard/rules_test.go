package guard

import (
	"encoding/json"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// Only a rule for calls of the tool is passed on, without anything that the user was not shown.
func TestOnlyRulesOfTheToolArePassedOn(t *testing.T) {
	mode := json.RawMessage(`{"type":"setMode","mode":"acceptEdits"}`)
	dirs := json.RawMessage(`{"type":"addDirectories","directories":["/x"]}`)
	rule := json.RawMessage(`{"type":"addRules","behavior":"allow","destination":"localSettings","rules":[{"toolName":"WebFetch","ruleContent":"domain:x.example"}]}`)
	other := json.RawMessage(`{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash"}]}`)
	both := json.RawMessage(`{"type":"addRules","behavior":"allow","rules":[{"toolName":"WebFetch"},{"toolName":"Bash"}]}`)
	ban := json.RawMessage(`{"type":"addRules","behavior":"deny","rules":[{"toolName":"WebFetch"}]}`)
	got := narrowest("WebFetch", []json.RawMessage{mode, dirs, other, both, ban, json.RawMessage(`7`), json.RawMessage(`{"type":"removeRules"}`), rule})
	if len(got) != 1 || string(got[0]) != string(rule) {
		t.Fatalf("%s", got)
	}
	rules := suggestedRules("WebFetch", got)
	if len(rules) != 1 || rules[0].Label != "WebFetch of x.example" || rules[0].Pattern != "domain:x.example" || suggestedRules("WebFetch", nil) != nil {
		t.Errorf("%+v", rules)
	}
	if s := ForSession(got); len(s) != 1 || s[0].(map[string]any)["destination"] != "session" {
		t.Errorf("%+v", s)
	}
}

// What the runtime suggests for a command or a file is never what the session is offered: parley's own rules are narrower.
func TestTheRuntimesRulesForCommandsAndFilesAreNotOffered(t *testing.T) {
	suggestions := `,"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"},
 {"type":"addDirectories","directories":["/etc"],"destination":"session"},
 {"type":"addRules","behavior":"allow","destination":"session","rules":[{"toolName":"Bash"},{"toolName":"Bash","ruleContent":"python3.12:*"},{"toolName":"Edit"}]}]`
	g := someGuard(t)
	for _, call := range []string{
		`"tool_name":"Bash","input":{"command":"python3.12 x.py"}`, `"tool_name":"Bash","input":{"command":"touch x"}`,
		`"tool_name":"Bash","input":{"command":"npm test"}`, `"tool_name":"PowerShell","input":{"command":"go test ./..."}`,
		`"tool_name":"Monitor","input":{"command":"go test ./..."}`, `"tool_name":"REPL","input":{"code":"1"}`,
		`"tool_name":"Bash","input":{"command":"ls\u00a0x"}`, `"tool_name":"Bash","input":7`, `"tool_name":"Edit","input":{}`,
		`"tool_name":"AskUserQuestion","input":{}`, `"tool_name":"ExitPlanMode","input":{}`,
	} {
		j := g.Judge(json.RawMessage(`{"subtype":"can_use_tool",`+call+suggestions+`}`), nil)
		if j.Ruled || len(j.Rules) > 0 || len(j.Suggestions) > 0 {
			t.Errorf("%s: %+v", call, j)
		}
	}
	if j := g.Judge(json.RawMessage(`7`), nil); j.Ruled || len(j.Rules) > 0 {
		t.Errorf("%+v", j)
	}
}

// A rule that an older parley has kept may say more than any rule may say now.
func TestOldRulesAllowNothing(t *testing.T) {
	g := someGuard(t)
	for _, pattern := range []string{"", "\x00", "touch x", "npm test:*", "go test:*", "touch x\nnpm test:*", "python3.12:*"} {
		rules := []session.Rule{{Tool: "Bash", Pattern: pattern}}
		for _, command := range []string{"touch x", "npm test", "go test ./...", "python3.12 x", "rm -rf /"} {
			input, err := json.Marshal(map[string]string{"command": command})
			if err != nil {
				t.Fatal(err)
			}
			raw := `{"tool_name":"Bash","permission_suggestions":[{}],"input":` + string(input) + `}`
			if g.Judge(json.RawMessage(raw), read(rules)).Ruled {
				t.Errorf("%q allows %q", pattern, command)
			}
		}
	}
	rules := []session.Rule{{Tool: "Edit", Pattern: "\x00", Label: "all edits in this session's directories"}}
	if g.Judge(json.RawMessage(`{"tool_name":"Edit","permission_suggestions":[{}],"input":{"file_path":"/etc/passwd"}}`), read(rules)).Ruled {
		t.Error("a mode is taken for a rule")
	}
}

// read returns the rules of a list that allow something.
func read(list []session.Rule) []permission.Rule {
	var rules []permission.Rule
	for _, kept := range list {
		if r, ok := permission.ReadRule(kept); ok {
			rules = append(rules, r)
		}
	}
	return rules
}
