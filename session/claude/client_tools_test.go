package claude

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/clienttools"
)

// withTools gives conversations tools.
func withTools(tools ...session.ClientTool) option {
	return func(_ *Options, open *session.OpenOptions) { open.Tools = tools }
}

// clientCall calls a tool of parley as the runtime does, and returns where its answer comes.
func (f *fake) clientCall(ctx context.Context, call, name, args string) <-chan string {
	out := make(chan string, 1)
	_, later := f.o.Message(ctx, json.RawMessage(`{"id":"`+call+`","method":"tools/call","params":{"name":"`+name+`","arguments":`+args+
		`,"_meta":{"claudecode/toolUseId":"`+call+`"}}}`))
	go func() {
		reply, _ := json.Marshal(later())
		out <- string(reply)
	}()
	return out
}

const whichOne = `{"question":"Which one?","options":["red","blue"]}`

// A tool's question is one of the session: with the call's head, answered once, by whatever ends it.
func TestToolAsks(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		rt := ch.rt()
		if rt.o.ToolServer != clienttools.Name {
			t.Errorf("the server is %q", rt.o.ToolServer)
		}
		answered, ctx := rt.clientCall(t.Context(), "t1", "ask_user", whichOne), t.Context()
		synctest.Wait()
		ctx, end := context.WithCancel(ctx)
		taken := rt.clientCall(ctx, "t2", "ask_user", whichOne)
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 2 || asked[0].Kind != session.AskQuestion || asked[0].Call != "t1" || asked[0].Turn == "" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers(asked[0].Ask, session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which one?": {"red"}}}); err != nil {
			t.Fatal(err)
		}
		if got := <-answered; !strings.Contains(got, "The user answered: red") {
			t.Error(got)
		}
		end() // the runtime took it back
		if got := <-taken; !strings.Contains(got, "did not finish") {
			t.Error(got)
		}
		synctest.Wait()
		if settled := eventsOf[session.Settled](ch); len(settled) != 2 || settled[1].How != session.SettledCancelled {
			t.Errorf("%+v", settled)
		}
		if err := ch.answers(asked[1].Ask, yesAnswer); session.KindOf(err) != session.KindNotFound {
			t.Errorf("a late answer: %v", err)
		}
		if len(rt.raw) != 0 {
			t.Errorf("requests were answered that the runtime did not make: %v", rt.raw)
		}
	}, withTools(clienttools.Ask))
}

var yesAnswer = session.Answer{Decision: session.Allow}

// An interrupt ends what a tool asks.
func TestToolInterrupted(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "hello")
		ch.rt().taken(string(turnID(1)))
		synctest.Wait()
		out := ch.rt().clientCall(t.Context(), "t1", "ask_user", whichOne)
		synctest.Wait()
		cancel()
		ch.finished(done)
		if got := <-out; !strings.Contains(got, "closed the question without answering") {
			t.Error(got)
		}
		if settled := eventsOf[session.Settled](ch); len(settled) != 1 || settled[0].How != session.SettledCancelled {
			t.Errorf("%+v", settled)
		}
		if got := <-ch.rt().clientCall(t.Context(), "t2", "ask_user", whichOne); !strings.Contains(got, "closed the question") {
			t.Errorf("between turns: %s", got)
		}
	}, withTools(clienttools.Ask))
}

// Calls are judged by the names that rules have for all agents. A server of the user with parley's name is one like any other.
func TestToolsAreJudged(t *testing.T) {
	search := session.ClientTool{Name: "session_search", Schema: []byte("{}")}
	inTurn(t, func(t *testing.T, ch *chat) {
		use := func(id, tool string) {
			ch.rt().ask(id, `{"subtype":"can_use_tool","tool_name":"`+tool+`","tool_use_id":"`+id+`","input":{}`+suggestMCP+`}`)
			synctest.Wait()
		}
		use("p1", "mcp__parley__ask_user")
		if got := ch.rt().replies["p1"]; got.Behavior != "allow" || len(eventsOf[session.Asked](ch)) != 0 {
			t.Errorf("a question: %+v", got)
		}
		use("p2", "mcp__parley__session_search")
		use("p3", "mcp__parley__notify") // not offered
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 2 || asked[0].Permission.Tool != "session_search" || asked[1].Permission.Tool != "mcp__parley__notify" {
			t.Fatalf("%+v", asked)
		}
		if rules := asked[0].Permission.Rules; len(rules) != 1 || rules[0].Text != "tool session_search" {
			t.Errorf("offered %+v", rules)
		}
		if err := ch.answers("p2", session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
			t.Fatal(err)
		}
		use("p4", "mcp__parley__session_search")
		if got := ch.rt().replies["p4"]; got.Behavior != "allow" {
			t.Errorf("with the rule: %+v", got)
		}
		if err := ch.answers("p3", session.Answer{Decision: session.Deny}); err != nil {
			t.Fatal(err)
		}
	}, withTools(clienttools.Ask, search))
}

// Changes of the tools start the runtime again, once and before the next prompt.
func TestToolsChange(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		first := ch.rt()
		for range 2 {
			if err := ch.c.(session.ClientTools).SetTools(t.Context(), []session.ClientTool{clienttools.Ask}); err != nil {
				t.Fatal(err)
			}
		}
		ch.turn(2, "hello again")
		second := ch.rt()
		if second == first || second.o.ToolServer == "" {
			t.Error("it goes on without the tools")
		}
		ch.turn(3, "and again")
		if ch.rt() != second {
			t.Error("it was started once more")
		}
	})
}

func TestToolsOffered(t *testing.T) {
	tools := []session.ClientTool{clienttools.Ask, {Name: "session_search", Private: true}}
	for _, tc := range []struct {
		chosen *session.CustomAgent
		want   int
	}{{nil, 2}, {&session.CustomAgent{}, 2}, {&session.CustomAgent{Tools: []string{"Read"}}, 0}, {&session.CustomAgent{Tools: []string{"ask_user", "session_search"}}, 1},
		{&session.CustomAgent{Tools: []string{"mcp__parley"}}, 1}, {&session.CustomAgent{Denied: []string{"mcp__parley__ask_user"}}, 1}} {
		if got := offered(tools, tc.chosen); len(got) != tc.want {
			t.Errorf("%+v gets %d", tc.chosen, len(got))
		}
	}
}
