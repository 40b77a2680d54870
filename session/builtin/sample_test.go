package builtin

import (
	"context"
	"os"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions"
	"parley/session/mcp"
	"parley/session/mcp/mcptest"
)

// A server gets an answer of a model once the user lets it: once, for the session, or by its file. The credits count.
func TestServerSamples(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	call := func(id string) [3]string { return [3]string{id, "mcp__depot__sample", `{"tokens":50}`} }
	for name, c := range map[string]struct {
		choice  string
		allowed bool
		asks    int
		sampled bool
	}{"no": {"No", false, 2, false}, "once": {mcp.SampleOnce, false, 2, true}, "session": {mcp.SampleHere, false, 1, true}, "by its file": {"", true, 0, true}} {
		t.Run(name, func(t *testing.T) {
			replies := []reply{callsReply(call("a")), says("42"), callsReply(call("b")), says("42"), says("done")}
			if !c.sampled {
				replies = []reply{callsReply(call("a")), callsReply(call("b")), says("done")}
			}
			s := newService(t, replies...)
			ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) {
				o.Environ = os.Environ()
				o.Servers = func(context.Context, string) []extensions.Server {
					return []extensions.Server{{Name: "depot", Transport: extensions.Stdio, Command: []string{self}, Dir: t.TempDir(), Sampling: c.allowed,
						Env: map[string]string{mcptest.Variable: "samples"}}}
				}
			})
			ch.listen(func(e session.Event) {
				a, ok := e.(session.Asked)
				if !ok {
					return
				}
				answer := session.Answer{Decision: session.Allow, Scope: session.ScopeSession}
				if a.Question != nil {
					answer = session.Answer{Decision: session.Allow, Choices: map[string][]string{a.Question.Questions[0].Text: {c.choice}}, Notes: map[string]string{a.Question.Questions[0].Text: "mind the cost"}}
				}
				if err := ch.c.Answer(a.Ask, answer); err != nil {
					t.Error(err)
				}
			})
			ch.send("x")
			ended, asks := ch.ended(), 0
			for _, a := range eventsOf[session.Asked](ch) {
				if a.Question != nil {
					asks++
					if text := a.Question.Questions[0].Text; !strings.Contains(text, "depot") || !strings.Contains(text, "six times seven") {
						t.Errorf("asked %q", text)
					}
				}
			}
			if asks != c.asks {
				t.Errorf("%d questions", asks)
			}
			for _, id := range []session.CallID{"a", "b"} {
				if got := ended[id].Result.Text; strings.Contains(got, `says "42"`) != c.sampled || !c.sampled && !strings.Contains(got, "did not allow the server to ask a model: mind the cost") {
					t.Errorf("%s: %q", id, got)
				}
			}
			if body := s.requests()[1]; c.sampled && (!strings.Contains(body, `"max_tokens":50`) || !strings.Contains(body, "Be brief.") || strings.Contains(body, "mind the cost") == c.allowed || strings.Contains(body, `"tools"`)) {
				t.Errorf("asked %s", body)
			}
		})
	}
}

// The requests of a server count towards the limits of a run, and none is sent once they are reached: the last one is the agent's own.
func TestServerSamplesWithinLimits(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, callsReply([3]string{"a", "mcp__depot__sample", `{"tokens":50}`}, [3]string{"b", "mcp__depot__sample", `{"tokens":50}`}), says("42"), says("done"))
	ch := openChat(t, s, func(o *Options, open *session.OpenOptions) {
		open.Limits.Rounds, o.Environ = 3, os.Environ()
		o.Servers = func(context.Context, string) []extensions.Server {
			return []extensions.Server{{Name: "depot", Transport: extensions.Stdio, Command: []string{self}, Dir: t.TempDir(), Sampling: true,
				Env: map[string]string{mcptest.Variable: "samples"}}}
		}
	})
	ch.listen(func(e session.Event) {
		if a, ok := e.(session.Asked); ok {
			if err := ch.c.Answer(a.Ask, session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
				t.Error(err)
			}
		}
	})
	ch.send("x")
	ended := ch.ended()
	answered, refused := 0, 0
	for _, id := range []session.CallID{"a", "b"} {
		answered += strings.Count(ended[id].Result.Text, `says "42"`)
		refused += strings.Count(ended[id].Result.Text, "limit of 3 requests")
	}
	if n := len(s.requests()); answered != 1 || refused != 1 || n != 3 {
		t.Errorf("%d requests, %d answered, %d refused", n, answered, refused)
	}
}
