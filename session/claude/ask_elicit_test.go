package claude

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/mapper"
)

func TestElicitation(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ask := `{"subtype":"elicitation","mcp_server_name":"db","message":"Who?","mode":"form","requested_schema":{"type":"object","properties":{"n":{"type":"integer"},"ok":{"type":"boolean"},"x":{"type":"number"},"who":{"type":"string"},"tags":{"type":"array"},"maybe":{"type":["null","integer"]}}}}`
		ch.rt().ask("e1", ask)
		ch.rt().ask("e2", ask)
		ch.rt().ask("e3", ask)
		ch.rt().ask("e4", ask)
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 4 || asked[0].Kind != session.AskElicitation || asked[0].Elicitation.Server != "db" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("e1", session.Answer{Decision: session.Allow, Choices: map[string][]string{
			"n": {"7"}, "ok": {"true"}, "x": {"1.5"}, "who": {"me"}, "tags": {"a", "b"}, "maybe": {"3"}}}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["e1"]); got != `{"action":"accept","content":{"maybe":3,"n":7,"ok":true,"tags":["a","b"],"who":"me","x":1.5}}` {
			t.Error(got)
		}
		if err := ch.answers("e3", session.Answer{Decision: session.Allow, Choices: map[string][]string{
			"n": {"seven"}, "ok": {"perhaps"}, "x": {"NaN"}, "who": {"7"}, "tags": {}}}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["e3"]); got != `{"action":"accept","content":{"tags":[],"who":"7"}}` {
			t.Errorf("values of other types: %s", got)
		}
		if err := ch.answers("e2", session.Answer{Decision: session.Deny}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["e2"]); got != `{"action":"decline"}` {
			t.Error(got)
		}
		if err := ch.answers("e4", session.Answer{Decision: session.Cancel}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["e4"]); got != `{"action":"cancel"}` {
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
		if err := ch.answers("e1", session.Answer{Decision: session.Deny, Message: session.UnattendedReason}); err != nil {
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

// A field is answered in its type, and with a value that it lists.
func TestFieldsOfAForm(t *testing.T) {
	const titled = `[{"const":"r","title":"Red"},{"const":2,"title":"Two"}]`
	for _, c := range []struct {
		schema  string
		choices []string
		want    string
	}{
		{`{"type":"string"}`, []string{"a, b"}, `"a, b"`},
		{`{"type":["null","string"],"format":"email"}`, []string{"a@b.c"}, `"a@b.c"`},
		{`{"type":"string","enum":["red","blue"],"enumNames":["Red","Blue"]}`, []string{"blue"}, `"blue"`},
		{`{"type":"string","enum":["red","blue"]}`, []string{"green"}, ""},
		{`{"type":"string","oneOf":` + titled + `}`, []string{"r"}, `"r"`},
		{`{"anyOf":` + titled + `}`, []string{"2"}, `2`},
		{`{"type":"string","oneOf":` + titled + `}`, []string{"Red"}, ""},
		{`{"enum":[1,2.5,true]}`, []string{"2.5"}, `2.5`},
		{`{"type":"array","items":{"type":"string","enum":["a","b, c"]}}`, []string{"a", "b, c"}, `["a","b, c"]`},
		{`{"type":"array","items":{"anyOf":` + titled + `}}`, []string{"r", "2"}, `["r",2]`},
		{`{"type":"array","items":{"oneOf":` + titled + `}}`, []string{"r", "other"}, ""},
		{`{"type":"array","items":{"enum":["a"]}}`, nil, `[]`},
		{`{"type":"array"}`, []string{"x"}, `["x"]`},
		{`{"type":"integer","minimum":1,"maximum":9}`, []string{" 9 "}, `9`},
		{`{"type":"integer","minimum":1,"maximum":9}`, []string{"10"}, ""},
		{`{"type":"integer"}`, []string{"9007199254740993"}, `9007199254740993`},
		{`{"type":"integer"}`, []string{"1.5"}, ""},
		{`{"type":"number","minimum":-1.5}`, []string{"-1.5"}, `-1.5`},
		{`{"type":"number","minimum":-1.5}`, []string{"-2"}, ""},
		{`{"type":"number"}`, []string{"+Inf"}, ""},
		{`{"type":["boolean","null"]}`, []string{"True"}, `true`},
		{`{"type":"object"}`, []string{"x"}, `"x"`},
		{`7`, []string{"x"}, `"x"`},
	} {
		p := &pendingAsk{kind: session.AskElicitation, schema: json.RawMessage(`{"type":"object","properties":{"f":` + c.schema + `}}`)}
		got, err := json.Marshal(p.reply(session.Answer{Decision: session.Allow, Choices: map[string][]string{"f": c.choices}}))
		want := `{"action":"accept","content":{"f":` + c.want + `}}`
		if c.want == "" {
			want = `{"action":"accept","content":{}}`
		}
		if err != nil || string(got) != want {
			t.Errorf("%s of %q: %s, %v", c.schema, c.choices, got, err)
		}
	}
	page := &pendingAsk{kind: session.AskElicitation}
	if got, err := json.Marshal(page.reply(session.Answer{Decision: session.Allow})); err != nil || string(got) != `{"action":"accept"}` {
		t.Errorf("a page: %s, %v", got, err)
	}
}
