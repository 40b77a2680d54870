package claude

import (
	"context"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/mapper"
)

func TestElicitation(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ask := `{"subtype":"elicitation","mcp_server_name":"db","message":"Who?","mode":"form","requested_schema":{"type":"object","properties":{"n":{"type":"integer"},"ok":{"type":"boolean"},"x":{"type":"number"},"who":{"type":"string"},"tags":{"type":"array"}}}}`
		ch.rt().ask("e1", ask)
		ch.rt().ask("e2", ask)
		ch.rt().ask("e3", ask)
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 3 || asked[0].Kind != session.AskElicitation || asked[0].Elicitation.Server != "db" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.c.Answer("e1", session.Answer{Decision: session.Allow, Choices: map[string][]string{
			"n": {"7"}, "ok": {"true"}, "x": {"1.5"}, "who": {"me"}, "tags": {"a", "b"}}}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["e1"]); got != `{"action":"accept","content":{"n":7,"ok":true,"tags":["a","b"],"who":"me","x":1.5}}` {
			t.Error(got)
		}
		if err := ch.c.Answer("e3", session.Answer{Decision: session.Allow, Choices: map[string][]string{
			"n": {"seven"}, "ok": {"perhaps"}, "x": {"NaN"}, "who": {"7"}}}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["e3"]); got != `{"action":"accept","content":{"who":"7"}}` {
			t.Errorf("values of other types: %s", got)
		}
		if err := ch.c.Answer("e2", session.Answer{Decision: session.Deny}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["e2"]); got != `{"action":"decline"}` {
			t.Error(got)
		}
	})
}

// Only a user declines a form: after an interrupt, or without a user, it is cancelled.
func TestElicitationThatNobodyAnswers(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "hello")
		ch.rt().taken(string(turnID(1)))
		const ask = `{"subtype":"elicitation","mcp_server_name":"db","message":"Who?","mode":"form","requested_schema":{}}`
		ch.rt().ask("e1", ask)
		ch.rt().ask("e2", ask)
		ch.rt().ask("p1", bashAsk("t-1", "make", ""))
		synctest.Wait()
		if err := ch.c.Answer("e1", session.Answer{Decision: session.Deny, Message: session.UnattendedReason}); err != nil {
			t.Fatal(err)
		}
		cancel()
		ch.finished(done)
		for _, id := range []string{"e1", "e2"} {
			if got := string(ch.rt().raw[id]); got != `{"action":"cancel"}` {
				t.Errorf("%s: %s", id, got)
			}
		}
		if got := ch.rt().replies["p1"]; got.Behavior != "deny" || got.Message != mapper.RefusedByAbort {
			t.Errorf("%+v", got)
		}
	})
}
