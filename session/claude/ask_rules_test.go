package claude

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"parley/session"
)

func TestAllowancesOfTheHistory(t *testing.T) {
	past := &session.Transcript{Gen: 4, Title: "Old", Turns: []*session.Turn{{ID: "old", Entries: []session.Entry{&session.Ask{
		Asked: session.Asked{Ask: "a", Kind: session.AskPermission, Permission: &session.PermissionAsk{Tool: "WebFetch",
			Rules: []session.Rule{{Tool: "mcp__x__y", Label: "all calls of mcp__x__y"}}}},
		Settled: true, Settlement: session.Settled{How: session.SettledAnswered,
			Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeSession}},
	}}}}}
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"mcp__x__y","tool_use_id":"t1","input":{}}`)
		synctest.Wait()
		if got := ch.rt().replies["ask-1"]; got.Behavior != "allow" {
			t.Errorf("%+v", got)
		}
	}, func(_ *Options, o *session.OpenOptions) { o.History, o.Gen = past, 5 })
}

func TestModeAndDirectorySuggestions(t *testing.T) {
	raw := []json.RawMessage{
		json.RawMessage(`{"type":"setMode","mode":"acceptEdits","destination":"session"}`),
		json.RawMessage(`{"type":"addDirectories","directories":["/x"],"destination":"localSettings"}`),
		json.RawMessage(`{"type":"removeRules"}`), json.RawMessage(`7`),
	}
	rules := suggestedRules("Edit", raw)
	if len(rules) != 1 || rules[0].Label != "all edits in this session's directories, access to /x" || rules[0].Pattern == "" {
		t.Errorf("%+v", rules)
	}
	for _, s := range forSession(raw) {
		if s.(map[string]any)["destination"] != "session" {
			t.Error(s)
		}
	}
	c := &conversation{rules: rules}
	if c.ruled(canUseTool{Tool: "Edit", Input: json.RawMessage(`{"file_path":"/etc/passwd"}`)}) {
		t.Error("a mode is taken for a rule")
	}
	if suggestedRules("Edit", nil) != nil {
		t.Error("a rule of nothing")
	}
}

func TestACommandIsAllowedWithoutMore(t *testing.T) {
	mode := json.RawMessage(`{"type":"setMode","mode":"acceptEdits"}`)
	dirs := json.RawMessage(`{"type":"addDirectories","directories":["/x"]}`)
	rule := json.RawMessage(`{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash","ruleContent":"touch x"}]}`)
	ban := json.RawMessage(`{"type":"addRules","behavior":"deny","rules":[{"toolName":"Bash"}]}`)
	if got := narrowest([]json.RawMessage{dirs, rule, mode}); len(got) != 1 || string(got[0]) != string(rule) {
		t.Errorf("%s", got)
	}
	bypass := json.RawMessage(`{"type":"setMode","mode":"bypassPermissions"}`)
	if got := narrowest([]json.RawMessage{mode, dirs, ban, bypass}); len(got) != 2 {
		t.Errorf("what nobody is told of is allowed along with the rest: %s", got)
	}
}

// What a rule is kept as must allow nothing but what the user has read.
func TestRulesAllowNoMoreThanTheySay(t *testing.T) {
	allow := func(rules string) []session.Rule {
		return suggestedRules("Bash", []json.RawMessage{json.RawMessage(`{"type":"addRules","behavior":"allow","rules":[` + rules + `]}`)})
	}
	for _, tc := range []struct {
		rules, command string
		want           bool
	}{
		{`{"toolName":"Read"}`, "rm -rf /", false},
		{`{"toolName":"Read","ruleContent":"rm x"}`, "rm x", false},
		{`{"toolName":"Read"},{"toolName":"Bash","ruleContent":"ls /etc"}`, "ls /etc", true},
		{`{"toolName":"Read"},{"toolName":"Bash","ruleContent":"ls /etc"}`, "ls /", false},
		{`{"toolName":"Bash","ruleContent":"cd /x\nrm -rf y"}`, "rm -rf y", false},
		{`{"toolName":"Bash","ruleContent":"cd /x\nrm -rf y"}`, "cd /x\nrm -rf y", false}, // asked again after a restart
		{`{"toolName":"Bash"}`, "anything", true},
	} {
		c := &conversation{rules: allow(tc.rules)}
		input, err := json.Marshal(map[string]string{"command": tc.command})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.ruled(canUseTool{Tool: "Bash", Input: input}); got != tc.want {
			t.Errorf("%s allows %q: %v", tc.rules, tc.command, got)
		}
	}
}
