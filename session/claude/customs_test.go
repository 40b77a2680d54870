package claude

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/claude/driver"
)

func TestCustomAgentsAsTheRuntimeTakesThem(t *testing.T) {
	models := []session.Model{{ID: "claude-haiku-4.5"}, {ID: "gpt-5.4"}}
	d := definition(session.CustomAgent{Name: "a", About: "about", Tools: []string{"read", "execute", "github/*", "Bash(git diff:*)", "own_tool"},
		Denied: []string{"edit"}, Model: "Haiku", Effort: "high", Servers: json.RawMessage(`{"s":{"type":"local","command":"x","tools":["*"]}}`)}, models)
	if got := strings.Join(d.Tools, " "); got != "Read LS Bash BashOutput TaskOutput KillShell TaskStop mcp__github Bash(git diff:*) own_tool" {
		t.Errorf("tools %s", got)
	}
	if d.Prompt != "about" || d.Effort != "high" || !strings.HasPrefix(d.Model, "claude-haiku-4-5") || !slices.Contains(d.DisallowedTools, "Write") {
		t.Errorf("%+v", d)
	}
	if len(d.Servers) != 1 || string(d.Servers[0]["s"]) != `{"command":"x","type":"stdio"}` {
		t.Errorf("servers %s", d.Servers)
	}
	if d := definition(session.CustomAgent{Tools: []string{}, Model: "gpt-5.4", Effort: "most"}, models); !d.NoTools || d.Model != "" || d.Effort != "" {
		t.Errorf("%+v", d)
	}
	var l driver.Launch
	hold(&l, session.CustomAgent{Name: "a", Prompt: "Be kind.", Tools: []string{"Read"}, Servers: json.RawMessage(`{"s":{"command":"x"}}`)})
	if !l.NoServers || strings.Join(l.Tools, " ") != "Read" || !strings.HasSuffix(l.AppendSystem, "Be kind.") || string(l.Servers) != `{"s":{"command":"x"}}` {
		t.Errorf("%+v", l)
	}
	l = driver.Launch{}
	if hold(&l, session.CustomAgent{Name: "a"}); l.Tools != nil || l.NoServers {
		t.Errorf("without a list: %+v", l)
	}
}

// The runtime reads the files of its folders itself, with what parley does not pass on.
func TestAgentsThatTheRuntimeFinds(t *testing.T) {
	a := &Agent{transcripts: "/home/u/.claude"}
	for _, tc := range []struct {
		agent   session.CustomAgent
		trusted bool
		want    bool
	}{
		{session.CustomAgent{Origin: session.CustomUser, Path: "/home/u/.claude/agents/x.md"}, false, true},
		{session.CustomAgent{Origin: session.CustomUser, Path: "/home/u/.claude/agents/x.md", FileNamed: true}, false, false},
		{session.CustomAgent{Origin: session.CustomUser, Path: "/home/u/.copilot/agents/x.md"}, false, false},
		{session.CustomAgent{Origin: session.CustomRepository, Path: "/r/.claude/agents/x.md"}, true, true},
		{session.CustomAgent{Origin: session.CustomRepository, Path: "/r/.claude/agents/x.md"}, false, false},
		{session.CustomAgent{Origin: session.CustomRepository, Path: "/r/.github/agents/x.md"}, true, false},
		{session.CustomAgent{Origin: session.CustomGiven, Path: "/r/.claude/agents/x.md"}, true, false},
	} {
		if got := a.finds(tc.agent, nil, tc.trusted); got != tc.want {
			t.Errorf("%+v: %v", tc.agent, got)
		}
	}
}
