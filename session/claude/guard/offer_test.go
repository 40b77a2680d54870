package guard

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// request is a permission request with suggestions, as the runtime makes it.
func request(t *testing.T, call, suggestions string) Call {
	t.Helper()
	c, ok := ReadRequest(json.RawMessage(`{"subtype":"can_use_tool",` + call + `,"permission_suggestions":[` + suggestions + `]}`))
	if !ok {
		t.Fatal(call)
	}
	return c
}

// What the runtime suggests is offered in words that say all of it, with the place where it would be kept.
func TestOffers(t *testing.T) {
	const rules = `{"type":"addRules","behavior":"allow","destination":%q,"rules":[{"toolName":%q,"ruleContent":%q}]}`
	for _, c := range []struct{ suggestion, want string }{
		{fmt.Sprintf(rules, "localSettings", "WebFetch", "domain:x.example"), "pages of x.example|.claude/settings.local.json of this project"},
		{fmt.Sprintf(rules, "projectSettings", "Bash", "npm test:*"), `every command that begins with "npm test"|.claude/settings.json of this project`},
		{fmt.Sprintf(rules, "session", "Bash", "touch made *"), `every command that begins with "touch made"|Claude Code, in this session`},
		{fmt.Sprintf(rules, "session", "Bash", "git * --x"), `every command like "git * --x"|Claude Code, in this session`},
		{fmt.Sprintf(rules, "session", "Bash", "cd .. && ls"), `the command "cd .. && ls"|Claude Code, in this session`},
		{fmt.Sprintf(rules, "session", "Bash", ""), "every command|Claude Code, in this session"},
		{fmt.Sprintf(rules, "session", "Read", "//tmp/x/**"), "reading everything below /tmp/x|Claude Code, in this session"},
		{fmt.Sprintf(rules, "session", "Edit", "/src/*.go"), "edits of /src/*.go|Claude Code, in this session"},
		{fmt.Sprintf(rules, "userSettings", "mcp__x__y", ""), "every call of y of the server x|the user's settings of Claude Code"},
		{`{"type":"setMode","mode":"acceptEdits","destination":"session"}`, "the mode acceptEdits: edits in this project pass|Claude Code, in this session"},
		{`{"type":"addDirectories","directories":["/x","/y"],"destination":"session"}`, "work in /x, /y too: reading there passes|Claude Code, in this session"},
		{`{"type":"addRules","behavior":"allow","rules":[{"toolName":"WebFetch"},{"toolName":"Bash"}]}`,
			"every call of WebFetch, every command|Claude Code, in this session"},
		{`{"type":"setMode","mode":"bypassPermissions","destination":"session"}`, ""},
		{`{"type":"setMode","mode":"auto","destination":"session"}`, ""},
		{`{"type":"addRules","behavior":"deny","destination":"session","rules":[{"toolName":"WebFetch"}]}`, ""},
		{`{"type":"addRules","behavior":"allow","destination":"elsewhere","rules":[{"toolName":"WebFetch"}]}`, ""},
		{`{"type":"removeRules"}`, ""}, {`7`, ""},
	} {
		g := someGuard(t)
		g.Trusted = true
		got := ""
		for _, o := range g.offers(request(t, `"tool_name":"WebFetch","input":{}`, c.suggestion)) {
			got += o.Rule.Label + "|" + o.Rule.Destination
			if o.Rule.Text != "" || o.Rule.Tool != "" {
				t.Errorf("parley would keep %+v", o.Rule)
			}
			if _, ok := permission.ReadRule(o.Rule); ok {
				t.Errorf("%+v is a rule of parley", o.Rule)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q", c.suggestion, got)
		}
	}
}

// Nothing is offered to be written into a repository whose settings the runtime does not load.
func TestOffersOfAnUntrustedRepository(t *testing.T) {
	for _, where := range []string{"localSettings", "projectSettings", "session"} {
		got := someGuard(t).offers(request(t, `"tool_name":"mcp__x__y","input":{}`,
			`{"type":"addRules","behavior":"allow","destination":"`+where+`","rules":[{"toolName":"mcp__x__y"}]}`))
		if len(got) != 1 || got[0].Rule.Destination != "Claude Code, in this session" || !strings.Contains(string(got[0].Update), `"destination":"session"`) {
			t.Errorf("%s: %+v", where, got)
		}
	}
}

// What is always asked is asked again after any grant, so none is offered.
func TestNothingIsOfferedForWhatIsAlwaysAsked(t *testing.T) {
	g := someGuard(t)
	const mode = `{"type":"setMode","mode":"acceptEdits","destination":"session"}`
	for _, call := range []string{`"tool_name":"Edit","input":{"file_path":"/x/.envrc"}`, `"tool_name":"AskUserQuestion","input":{}`,
		`"tool_name":"ExitPlanMode","input":{}`} {
		if j := g.Judge(request(t, call, mode)); j.Ruled || len(j.Rules) > 0 || len(j.Offers) > 0 {
			t.Errorf("%s: %+v", call, j)
		}
	}
	c := request(t, `"tool_name":"Bash","input":{"command":"touch x"}`, mode)
	c.Asked = "a rule asks"
	if j := g.Judge(c); j.Reason != "a rule asks" || len(j.Offers) > 0 {
		t.Errorf("%+v", j)
	}
	if _, ok := ReadRequest(json.RawMessage(`7`)); ok {
		t.Error("a malformed request is understood")
	}
	if j := g.Judge(Call{}); j.Ruled || len(j.Rules) > 0 {
		t.Errorf("%+v", j)
	}
}

// A rule that an older parley has kept may say more than any rule may say now.
func TestOldRulesAllowNothing(t *testing.T) {
	g := someGuard(t)
	for _, pattern := range []string{"", "\x00", "touch x", "npm test:*", "go test:*", "touch x\nnpm test:*", "python3.12:*"} {
		g.Rules.Rules = read(session.Rule{Tool: "Bash", Pattern: pattern})
		for _, command := range []string{"touch x", "npm test", "go test ./...", "python3.12 x", "rm -rf /"} {
			input, err := json.Marshal(map[string]string{"command": command})
			if err != nil {
				t.Fatal(err)
			}
			if g.Judge(request(t, `"tool_name":"Bash","input":`+string(input), `{}`)).Ruled {
				t.Errorf("%q allows %q", pattern, command)
			}
		}
	}
	g.Rules.Rules = read(session.Rule{Tool: "Edit", Pattern: "\x00", Label: "all edits in this session's directories"})
	if g.Judge(request(t, `"tool_name":"Edit","input":{"file_path":"/etc/passwd"}`, `{}`)).Ruled {
		t.Error("a mode is taken for a rule")
	}
}

// read returns the rules of a list that allow something.
func read(list ...session.Rule) []permission.Rule {
	var rules []permission.Rule
	for _, kept := range list {
		if r, ok := permission.ReadRule(kept); ok {
			rules = append(rules, r)
		}
	}
	return rules
}
