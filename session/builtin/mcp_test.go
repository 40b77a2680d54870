package builtin

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions"
	"parley/session/mcp/mcptest"
	"parley/session/permission"
)

// served gives a conversation one MCP server of a kind of [mcptest].
func served(t *testing.T, kind string) chatOption {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return func(o *Options, _ *session.OpenOptions) {
		o.Environ = os.Environ()
		o.Servers = func(context.Context, string) []extensions.Server {
			return []extensions.Server{{Name: "depot", Transport: extensions.Stdio, Command: []string{self}, Dir: dir, Env: map[string]string{mcptest.Variable: kind}}}
		}
	}
}

// toolsIn returns the names of the tools of the n-th request that belong to servers.
func toolsIn(s *fakeService, n int) (names []string) {
	var body struct {
		Tools []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(s.requests()[n]), &body); err != nil {
		s.t.Fatal(err)
	}
	for _, one := range body.Tools {
		if strings.HasPrefix(one.Name, "mcp__") || one.Name == "FindTools" {
			names = append(names, one.Name)
		}
	}
	return names
}

func TestServersTools(t *testing.T) {
	s := newService(t, callsReply([3]string{"e", "mcp__depot__echo", `{"words":"hi"}`}), says("done"))
	ch := openChat(t, s, served(t, "plain"))
	ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeSession})
	ch.send("x")
	if got := toolsIn(s, 0); len(got) < 8 || got[0] != "mcp__depot__ask" {
		t.Errorf("%q", got)
	}
	if got := ch.ended()["e"].Result.Text; got != `echo {"words":"hi"}` {
		t.Errorf("%q", got)
	}
	asks := eventsOf[session.Asked](ch)
	if len(asks) != 1 || len(asks[0].Permission.Rules) == 0 || asks[0].Permission.Rules[0].Text != "mcp depot/echo" {
		t.Errorf("%+v", asks)
	}
	if before, after := toolsIn(s, 0), toolsIn(s, 1); strings.Join(before, " ") != strings.Join(after, " ") {
		t.Errorf("%q, then %q", before, after)
	}
	state := ch.c.(session.ExtensionHolder).Extensions().Servers.Servers(t.Context(), false)
	if len(state) != 1 || state[0].State != session.ServerConnected {
		t.Errorf("%+v", state)
	}
}

// A call of a server is asked about in every mode that asks, denied by rules and in plan mode, and allowed by rules.
func TestServersAreJudged(t *testing.T) {
	call := [3]string{"e", "mcp__depot__echo", `{}`}
	for name, c := range map[string]struct {
		mode  session.Mode
		rule  permission.Rule
		asked int
		want  string
	}{
		"asked":           {session.ModeDefault, permission.Rule{}, 1, "echo {}"},
		"accepting edits": {session.ModeAcceptEdits, permission.Rule{}, 1, "echo {}"},
		"planning":        {session.ModePlan, permission.Rule{}, 0, permission.PlanModeReason},
		"bypassed":        {session.ModeBypass, permission.Rule{}, 0, "echo {}"},
		"allowed":         {session.ModeDefault, permission.Rule{Ruling: permission.Allow, Subject: permission.OnServer, Pattern: "depot"}, 0, "echo {}"},
		"denied":          {session.ModeBypass, permission.Rule{Ruling: permission.Deny, Subject: permission.OnServer, Pattern: "depot/echo"}, 0, "Refused: the rule"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, callsReply(call), says("done"))
			ch := openChat(t, s, mode(c.mode), served(t, "plain"), func(o *Options, _ *session.OpenOptions) {
				if c.rule.Pattern != "" {
					o.Rules = func(string) permission.Kept { return permission.Kept{Rules: []permission.Rule{c.rule}} }
				}
			})
			ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
			ch.send("x")
			if got := ch.ended()["e"].Result.Text; len(eventsOf[session.Asked](ch)) != c.asked || !strings.Contains(got, c.want) {
				t.Errorf("asked %d times: %q", len(eventsOf[session.Asked](ch)), got)
			}
		})
	}
}

// The definitions of 107 tools cost fewer than 2,000 tokens at the start: a model finds those that it needs.
func TestManyToolsAreFound(t *testing.T) {
	s := newService(t, callsReply([3]string{"f", "FindTools", `{"query":"department 42"}`}),
		callsReply([3]string{"u", "mcp__depot__tool_42", `{"what":"x"}`}), says("done"))
	ch := openChat(t, s, mode(session.ModeBypass), served(t, "many"))
	ch.send("x")
	if got := toolsIn(s, 0); len(got) != 1 || got[0] != "FindTools" {
		t.Fatalf("%q", got)
	}
	bare := newService(t, says("done"))
	openChat(t, bare, mode(session.ModeBypass)).send("x")
	if more := len(s.requests()[0]) - len(bare.requests()[0]); more <= 0 || more > 6000 {
		t.Errorf("%d bytes more", more)
	}
	if got := ch.ended()["f"].Result.Text; !strings.HasPrefix(got, "mcp__depot__tool_42: Handles the things of department 42.") {
		t.Errorf("%q", got)
	}
	if got := toolsIn(s, 1); len(got) < 2 || got[0] != "FindTools" {
		t.Errorf("%q", got)
	}
	if got := ch.ended()["u"].Result.Text; got != "handled" {
		t.Errorf("%q", got)
	}
	again := newService(t, says("done"))
	openChat(t, again, history(ch.transcript()), served(t, "many")).send("y")
	if got := toolsIn(again, 0); len(got) != 2 || got[1] != "mcp__depot__tool_42" {
		t.Errorf("after it was opened again: %q", got)
	}
}

func TestServersAsk(t *testing.T) {
	s := newService(t, callsReply([3]string{"a", "mcp__depot__ask", `{}`}), says("done"))
	ch := openChat(t, s, mode(session.ModeBypass), served(t, "plain"))
	ch.answerAll(session.Answer{Decision: session.Allow, Choices: map[string][]string{"port": {"80"}}})
	ch.send("x")
	asks := eventsOf[session.Asked](ch)
	if len(asks) != 1 || asks[0].Kind != session.AskElicitation || asks[0].Elicitation.Server != "depot" || asks[0].Call != "a" {
		t.Fatalf("%+v", asks)
	}
	if got := ch.ended()["a"].Result.Text; got != "accept 80" {
		t.Errorf("%q", got)
	}
}

// A child has the tools of servers if the agent that started it has some; one that only explores has none.
func TestChildrenHaveServers(t *testing.T) {
	for role, want := range map[string]int{"general": 8, "explore": 0} {
		s := newService(t, callsReply([3]string{"k", "Task", `{"description":"d","prompt":"p","subagent_type":"` + role + `"}`}), says("child"), says("done"))
		ch := openChat(t, s, mode(session.ModeBypass), served(t, "plain"))
		ch.send("x")
		if got := toolsIn(s, 1); len(got) < want || want == 0 && len(got) > 0 {
			t.Errorf("%s: %q", role, got)
		}
	}
}

// TestPromptsAndResourcesOfServers lets the user type the prompt of a server and mention a resource: the model reads both, and the
// command is known afterwards.
func TestPromptsAndResourcesOfServers(t *testing.T) {
	s := newService(t, says("reviewed"), says("noted"), says("as it is"))
	ch := openChat(t, s, served(t, "plain"))
	ch.send("/depot:review main all of it")
	ch.send("see @depot:test://notes, and @other:x:y")
	ch.send("write to @me: hello")
	for n, want := range []string{"Review main for all of it.", "Remember the milk.", ""} {
		all := s.messages(n)
		last, got := all[len(all)-1].Content, ""
		for _, b := range last {
			got += b.Text
		}
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "-----") {
			t.Errorf("request %d: %q", n, got)
		}
	}
	if n := strings.Count(s.requests()[1], "-----"); n != 4 {
		t.Errorf("the marks of both stand %d times", n)
	}
	c := ch.c.(*conversation)
	if got := c.prompts.Of(c.open.Dir); len(got) != 1 || got[0].Name != "depot:review" || got[0].Arguments != "branch [what]" || got[0].About != "Reviews a change" {
		t.Errorf("%+v", got)
	}
	if end := ch.send("/depot:review"); end.Outcome != session.TurnFailed || end.Problem == nil || !strings.Contains(end.Problem.What, "branch is missing") {
		t.Errorf("%+v %+v", end, end.Problem)
	}
	if end := ch.send("what is in @depot:test://nothing"); end.Outcome != session.TurnFailed || end.Problem == nil {
		t.Errorf("%+v %+v", end, end.Problem)
	}
}

// lendsAgents gives the custom agents servers of their own: "lender" has one, "other" another, and everybody reaches a third.
func lendsAgents(t *testing.T) chatOption {
	shared := served(t, "plain")
	return func(o *Options, open *session.OpenOptions) {
		shared(o, open)
		o.Customs = finder{{Name: "lender", About: "lends", Prompt: "MARK-lender", Servers: json.RawMessage(`{"own":{}}`)},
			{Name: "other", About: "none", Prompt: "MARK-other", Tools: []string{"read"}, Servers: json.RawMessage(`{"mine":{}}`)}}
		all := o.Servers
		o.AgentServers = func(ctx context.Context, dir string, a session.CustomAgent) []extensions.Server {
			one := all(ctx, dir)[0]
			var byName map[string]any
			if err := json.Unmarshal(a.Servers, &byName); err != nil {
				t.Error(err)
			}
			for name := range byName {
				one.Name, one.From, one.Agents = name, "/agents/"+a.Name, []string{a.Name}
			}
			return []extensions.Server{one}
		}
	}
}

// states returns a line for each server of a conversation.
func (ch *chat) states() string {
	var lines []string
	for _, s := range ch.c.(session.ExtensionHolder).Extensions().Servers.Servers(ch.t.Context(), true) {
		lines = append(lines, s.Name+" of "+s.Of+" "+s.Words())
	}
	return strings.Join(lines, "\n")
}

func configure(t *testing.T, ch *chat, s session.Settings) {
	t.Helper()
	if err := ch.c.Configure(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// has reports whether a request offers a tool of a server.
func has(s *fakeService, n int, server string) bool {
	return slices.ContainsFunc(toolsIn(s, n), func(name string) bool { return strings.HasPrefix(name, "mcp__"+server+"__") })
}

// The servers of the agent that holds the conversation run while it does, and nobody else reaches them.
func TestAgentsServersAtTheTop(t *testing.T) {
	s := newService(t, says("a"), callsReply([3]string{"e", "mcp__own__echo", `{"words":"hi"}`}), says("b"), says("c"))
	ch := openChat(t, s, mode(session.ModeBypass), lendsAgents(t))
	const idle = "depot of  connected\nown of lender off: it runs while the agent lender is in use\nmine of other off: it runs while the agent other is in use"
	ch.send("x")
	if got := ch.states(); got != idle || has(s, 0, "own") || !has(s, 0, "depot") {
		t.Errorf("%s, with %q", got, toolsIn(s, 0))
	}
	configure(t, ch, session.Settings{Mode: session.ModeBypass, Custom: "lender"})
	ch.send("y")
	if got := ch.ended()["e"].Result.Text; got != `echo {"words":"hi"}` || !has(s, 1, "own") || has(s, 1, "mine") {
		t.Errorf("%q, with %q", got, toolsIn(s, 1))
	}
	if got := ch.states(); !strings.Contains(got, "own of lender connected") {
		t.Errorf("%s", got)
	}
	configure(t, ch, session.Settings{Mode: session.ModeBypass})
	ch.send("z")
	if got := ch.states(); got != idle || has(s, 3, "own") {
		t.Errorf("%s, with %q", got, toolsIn(s, 3))
	}
}

// A child has the servers of its own file, also below an agent that has none, and they end with it.
func TestAgentsServersOfChildren(t *testing.T) {
	s := always(t, map[string][]reply{
		"begin":  {callsReply(task("c", "borrow", as("lender")), task("d", "look", as("other"))), says("ok")},
		"borrow": {callsReply([3]string{"e", "mcp__own__echo", `{}`}, task("g", "deeper", "")), says("lent")},
		"deeper": {callsReply([3]string{"h", "mcp__own__echo", `{}`}), says("deep")},
		"look":   {callsReply([3]string{"f", "mcp__mine__echo", `{}`}), says("looked")},
	})
	ch := openChat(t, s, mode(session.ModeBypass), lendsAgents(t))
	ch.send("begin")
	ended := ch.ended()
	for _, id := range []session.CallID{"e", "h"} {
		if got := ended[id].Result.Text; got != "echo {}" {
			t.Errorf("%s: %q", id, got)
		}
	}
	if got := ended["f"].Result.Text; !strings.Contains(got, "There is no tool") { // its file lists other tools
		t.Errorf("%q", got)
	}
	if got := ch.states(); !strings.Contains(got, "own of lender off: it runs while") {
		t.Errorf("%s", got)
	}
}
