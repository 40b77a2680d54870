package builtin

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"parley/session"
	"parley/session/clienttools"
)

// clientTool asks the user, and returns the answer.
func clientTool(name string) session.ClientTool {
	return session.ClientTool{Name: name, Description: "Shows it.", Schema: []byte(`{"type":"object"}`),
		Call: func(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
			a := c.Ask(ctx, session.QuestionAsk{Questions: []session.Question{{Text: "Fine?", Free: true}}})
			return session.ToolResult{Text: string(a.Decision) + a.Choices["Fine?"][0]}, nil
		}}
}

// A tool of parley asks in the name of its call, and the set changes between turns.
func TestClientTools(t *testing.T) {
	s := newService(t, callsReply([3]string{"d", "show_diff", `{}`}), says("done"), says("again"))
	ch := openChat(t, s, func(_ *Options, o *session.OpenOptions) {
		o.Tools = []session.ClientTool{clientTool("show_diff"), clienttools.Ask}
	})
	ch.answerAll(session.Answer{Decision: session.Allow, Choices: map[string][]string{"Fine?": {" with me"}}})
	ch.send("x")
	if got := ch.ended()["d"].Result.Text; got != "allow with me" {
		t.Errorf("%q", got)
	}
	if asks := eventsOf[session.Asked](ch); len(asks) != 1 || asks[0].Kind != session.AskQuestion || asks[0].Call != "d" {
		t.Errorf("%+v", asks)
	}
	if err := ch.c.(session.ClientTools).SetTools(t.Context(), []session.ClientTool{clientTool("notify")}); err != nil {
		t.Fatal(err)
	}
	ch.send("y")
	for n, want := range []bool{true, true, false} {
		var body struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal([]byte(s.requests()[n]), &body); err != nil {
			t.Fatal(err)
		}
		has := func(name string) bool {
			return slices.ContainsFunc(body.Tools, func(t struct{ Name string }) bool { return t.Name == name })
		}
		if has("show_diff") != want || has("notify") == want {
			t.Errorf("request %d has %+v", n, body.Tools)
		}
	}
}
