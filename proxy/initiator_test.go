package proxy

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"parley/copilot"
)

// Who a request counts as coming from, by its last message.
func TestInitiator(t *testing.T) {
	const result = `{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x"}]}`
	tests := []struct {
		name, messages, more, header, want string
	}{
		{"a prompt", `{"role":"user","content":"hi"}`, "", "", "user"},
		{"a prompt of blocks", `{"role":"user","content":[{"type":"text","text":"tool_result"},{"type":"image"}]}`, "", "", "user"},
		{"a later prompt", `{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"content":"c","role":"user"}`, "", "", "user"},
		{"after tools, a prompt", `{"role":"user","content":[` + result + `]},{"role":"assistant","content":"b"},{"role":"user","content":"c"}`, "", "", "user"},
		{"a result", `{"role":"user","content":"a"},{"role":"assistant","content":[]},{"role":"user","content":[` + result + `]}`, "", "", "agent"},
		{"several results", `{"role":"user","content":[` + result + `,` + result + `]}`, "", "", "agent"},
		{"a result and a reminder", `{"role":"user","content":[` + result + `,{"type":"text","text":"<system-reminder>…"}]}`, "", "", "agent"},
		{"a reminder and a result", `{"content":[{"text":"x","type":"text"}, ` + result + ` ] , "role" : "user" }`, "", "", "agent"},
		{"the model's own words", `{"role":"user","content":"a"},{"role":"assistant","content":"I will"}`, "", "", "agent"},
		{"a probe", `{"role":"user","content":"quota"}`, `,"max_tokens":1`, "", "agent"},
		{"no probe", `{"role":"user","content":"quota"}`, `,"max_tokens":10`, "", "user"},
		{"an agent that says so", `{"role":"user","content":"look around"}`, "", "agent", "agent"},
		{"a user whom the client knows", `{"role":"user","content":[` + result + `]}`, "", "user", "user"},
		{"nonsense of the client", `{"role":"user","content":"x"}`, "", "boss", "user"},
		{"no messages", ``, "", "", "user"},
		{"odd messages", `1,"x"`, "", "", "user"},
		{"an empty message", `{}`, "", "", "user"},
		{"odd content", `{"role":"user","content":["x",1,[{"type":"tool_result"}],{"type":1}]}`, "", "", "user"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := whole(wholeAnswer)
			r := newRig(t, f)
			got := r.do("POST", "/v1/messages", `{"model":"claude-opus-4-6","messages":[ `+test.messages+" ]"+test.more+"}", "X-Initiator", test.header)
			if got.status != 200 {
				t.Fatal(got)
			}
			if by := f.last(t).Header.Get("X-Initiator"); by != test.want || r.settle().Initiator != test.want {
				t.Errorf("counts as the %s's", by)
			}
		})
	}
}

// A whole turn with tools is one request of the user, also where an answer breaks off and is asked for again.
func TestTurnIsOneRequestOfTheUser(t *testing.T) {
	const result = `{"type":"tool_result","tool_use_id":"t","content":"x"}`
	broken := &copilot.Error{Op: "x", Kind: copilot.KindNetwork}
	refused := &copilot.Error{Op: "x", Kind: copilot.KindRateLimit, Status: 429}
	var next error
	f := &fake{
		onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
			if next == refused {
				return nil, nil, refused
			}
			return newScript(hello[0], step{err: next}), nil, nil
		},
		onMessage: func(context.Context, copilot.Request) (*copilot.Response, error) {
			return &copilot.Response{Body: []byte(wholeAnswer)}, nil
		},
	}
	r := newRig(t, f)
	other, err := r.Open("s2")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(want, messages string, stream bool, fail error, header ...string) {
		t.Helper()
		next = fail
		r.do("POST", "/v1/messages", fmt.Sprintf(`{"model":"claude-opus-4-6","messages":[%s],"stream":%v}`, messages, stream), header...)
		if by := f.last(t).Header.Get("X-Initiator"); by != want {
			t.Errorf("%s counts as the %s's", messages, by)
		}
	}
	prompt := `{"role":"user","content":"do it"}`
	ask("user", prompt, true, refused) // not charged
	ask("user", prompt, true, broken)
	ask("agent", prompt, false, nil) // the same again, whole
	ask("user", prompt, false, nil, "Authorization", "Bearer "+other)
	loop := prompt
	for range 3 {
		loop += `,{"role":"assistant","content":[]},{"role":"user","content":[` + result + `]}`
		ask("agent", loop, true, nil)
	}
	loop += `,{"role":"assistant","content":"done"},` + prompt
	ask("user", loop, true, nil)
}

// The interaction is the session's: the same for all its requests and in all runs, another one for others.
func TestInteractionID(t *testing.T) {
	f := whole(wholeAnswer)
	r := newRig(t, f)
	id := func(header ...string) string {
		r.do("POST", "/v1/messages", wholeBody, header...)
		return f.last(t).Header.Get("X-Interaction-Id")
	}
	one := id()
	if one != id() || len(one) != 36 || one != interactionID("s1", nil) {
		t.Errorf("%s is not stable", one)
	}
	other, err := r.Open("s2")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{one: true}
	for _, header := range [][]string{{"Authorization", "Bearer " + other}, {"X-Claude-Code-Session-Id", "a"},
		{"X-Claude-Code-Session-Id", "b"}, {"X-Interaction-Id", "c"}} {
		if v := id(header...); seen[v] {
			t.Errorf("%v shares its interaction with another", header)
		} else {
			seen[v] = true
		}
	}
}

// What a session cost is the sum of what the service told, also of requests that were cut, and stays with its id.
func TestSpent(t *testing.T) {
	h := newHeld(6) // held after the price came
	r := newRig(t, h.fake)
	if got := r.Spent("s1"); got != (Spending{}) {
		t.Errorf("at first: %+v", got)
	}
	c := r.dial()
	c.post(r, streamBody)
	<-h.arrived
	in := c.response().Body
	buf := make([]byte, 1)
	for seen := 0; seen < len(wireOf(hello[:6])); seen++ {
		if _, err := in.Read(buf); err != nil {
			t.Fatal(err)
		}
	}
	_ = c.conn.Close()
	r.settle()
	want := Spending{Requests: 1, Priced: 1, NanoAIU: 123456789, Usage: Usage{Input: 11, Output: 7, CacheRead: 5, CacheCreate: 2}}
	if got := r.Spent("s1"); got != want {
		t.Errorf("after a cut: %+v", got)
	}
	close(h.release)
	r.do("POST", "/v1/messages", wholeBody)
	r.do("POST", "/v1/messages", "{")
	r.do("GET", "/v1/models", "")
	r.settle()
	want = Spending{Requests: 2, Priced: 2, NanoAIU: 123456789 + 42, Usage: Usage{Input: 14, Output: 11, CacheRead: 6, CacheCreate: 2}}
	r.Revoke("s1")
	if got := r.Spent("s1"); got != want || r.Spent("s2") != (Spending{}) {
		t.Errorf("in the end: %+v", got)
	}
}
