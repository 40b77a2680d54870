package claude

import (
	"testing"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
)

// A request gets the directory of its hook, unless another command of the same agent may have left it since.
func TestWhereACommandBegins(t *testing.T) {
	call := func(id session.CallID, agent string) guard.Call {
		return guard.Call{ID: id, Tool: "Bash", Agent: agent, Dir: "/project"}
	}
	for name, c := range map[string]struct {
		do   func(c *calls)
		want string
	}{
		"alone":                      {func(*calls) {}, "/project"},
		"beside one that stays":      {func(c *calls) { c.begin(call("b", ""), "", false) }, "/project"},
		"beside one that may move":   {func(c *calls) { c.begin(call("b", ""), "", true) }, ""},
		"after one that may move":    {func(c *calls) { c.begin(call("b", ""), "", true); c.remove("b") }, ""},
		"beside one of another":      {func(c *calls) { c.begin(call("b", "child"), "", true) }, "/project"},
		"after one of another":       {func(c *calls) { c.begin(call("b", "child"), "", true); c.remove("b") }, "/project"},
		"that has ended":             {func(c *calls) { c.remove("a") }, ""},
		"beside one that is unknown": {func(c *calls) { c.remove("c") }, "/project"},
	} {
		book := newCalls()
		book.begin(call("a", ""), "why", true)
		c.do(&book)
		q := book.complete(guard.Call{ID: "a", Dir: "/elsewhere"})
		if q.Dir != c.want || (q.Asked == "why") != (name != "that has ended") {
			t.Errorf("%s: %+v", name, q)
		}
	}
	book := newCalls()
	book.begin(call("a", ""), "", true)
	book.remove("a")
	book.begin(call("b", ""), "", false)
	if q := book.complete(guard.Call{ID: "b"}); q.Dir != "/project" {
		t.Errorf("a call that began after the move: %+v", q)
	}
}

// Rules for the runtime come from the settings, from the administrator, and with custom agents.
func TestWhereOwnRulesComeFrom(t *testing.T) {
	ch, _ := fakeWorld(t)
	agent := func(denied ...string) map[string]driver.AgentDefinition {
		return map[string]driver.AgentDefinition{"a": {DisallowedTools: denied}}
	}
	for name, c := range map[string]struct {
		launch  driver.Launch
		managed bool
		want    bool
		files   int
	}{
		"none":             {launch: driver.Launch{Disallowed: []string{"WebSearch", "Bash"}, Agents: agent("Write", "mcp__a__b(x)")}, files: 2},
		"trusted":          {launch: driver.Launch{Trusted: true}, files: 4},
		"of the chosen":    {launch: driver.Launch{Disallowed: []string{"Bash(git push:*)"}}, want: true, files: 2},
		"of an agent":      {launch: driver.Launch{Agents: agent("Read", "Bash(rm:*)")}, want: true, files: 2},
		"of administrator": {managed: true, want: true, files: 2},
	} {
		ch.a.o.ManagedSettings = func() bool { return c.managed }
		if got := ch.a.callsOf(c.launch); got.ownRules != c.want || len(got.settings) != c.files {
			t.Errorf("%s: %v, %q", name, got.ownRules, got.settings)
		}
	}
}
