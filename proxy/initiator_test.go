package proxy

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/copilot"
)

// A request counts for the side that wants an answer to its last messages.
func TestInitiator(t *testing.T) {
	const (
		result   = `{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x"}]}`
		reminder = `{"type":"text","text":"\n<system-reminder>…</system-reminder>"}`
		stopped  = `{"type":"text","text":"[Request interrupted by user for tool use]"}`
		words    = `{"type":"text","text":"do this instead"}`
		claude   = "X-Claude-Code-Session-Id"
	)
	user := func(content string) string { return `{"role":"user","content":[` + content + `]}` }
	loop := `{"role":"user","content":"a"},{"role":"assistant","content":[]},` + user(result)
	tests := []struct {
		name, messages, more, header, value, want string
	}{
		{"a prompt", `{"role":"user","content":"hi"}`, "", "", "", "user"},
		{"a prompt of blocks", user(`{"type":"text","text":"tool_result"},{"type":"image"}`), "", "", "", "user"},
		{"a later prompt", `{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"content":"c","role":"user"}`, "", "", "", "user"},
		{"after tools, a prompt", user(result) + `,{"role":"assistant","content":"b"},{"role":"user","content":"c"}`, "", "", "", "user"},
		{"a result", loop, "", "", "", "agent"},
		{"several results", user(result + "," + result), "", "", "", "agent"},
		{"a result and a reminder", user(result + "," + reminder), "", "", "", "agent"},
		{"a reminder and a result", `{"content":[{"text":"x","type":"text"}, ` + result + ` ] , "role" : "user" }`, "", "", "", "agent"},
		{"a result and a picture", user(result + `,{"type":"image"}`), "", "", "", "agent"},
		{"a result and blank words", user(result + `,{"type":"text","text":" "}`), "", "", "", "agent"},
		{"a result and words", user(result + "," + reminder + "," + words), "", "", "", "user"},
		{"words before the last result", user(result + "," + words + "," + result), "", "", "", "agent"},
		{"a result and words of Claude Code", user(result + "," + words), "", claude, "s", "agent"},
		{"an interruption of Claude Code", user(result + "," + stopped), "", claude, "s", "agent"},
		{"words after an interruption of Claude Code", user(result + "," + stopped + "," + reminder + "," + words), "", claude, "s", "user"},
		{"an answer begun for the model", `{"role":"user","content":"a"},{"role":"assistant","content":"I will"}`, "", "", "", "user"},
		{"an answer to results begun for the model", loop + `,{"role":"assistant","content":"I will"}`, "", "", "", "agent"},
		{"a prompt and what the system adds", `{"role":"user","content":"a"},{"role":"system","content":"b"}`, "", "", "", "user"},
		{"results and what the system adds", loop + `,{"role":"system","content":"b"}`, "", "", "", "agent"},
		{"only the model", `{"role":"assistant","content":"I will"}`, "", "", "", "user"},
		{"a probe of Claude Code", `{"role":"user","content":"quota"}`, `,"max_tokens":1`, claude, "s", "agent"},
		{"one token of an answer", `{"role":"user","content":"quota"}`, `,"max_tokens":1`, "", "", "user"},
		{"one token in a conversation", `{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}`, `,"max_tokens":1`, claude, "s", "user"},
		{"no probe", `{"role":"user","content":"quota"}`, `,"max_tokens":10`, claude, "s", "user"},
		{"a client that says it is the agent", `{"role":"user","content":"look around"}`, "", "X-Initiator", "agent", "user"},
		{"a user whom the client knows", user(result), "", "X-Initiator", "user", "user"},
		{"nonsense of the client", `{"role":"user","content":"x"}`, "", "X-Initiator", "boss", "user"},
		{"no messages", ``, "", "", "", "user"},
		{"odd messages", `1,"x"`, "", "", "", "user"},
		{"an empty message", `{}`, "", "", "", "user"},
		{"odd content", user(`"x",1,[{"type":"tool_result"}],{"type":1}`), "", "", "", "user"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := whole(wholeAnswer)
			r := newRig(t, f)
			got := r.do("POST", "/v1/messages", `{"model":"claude-opus-4-6","messages":[ `+test.messages+" ]"+test.more+"}", test.header, test.value)
			if got.status != 200 {
				t.Fatal(got)
			}
			if by := f.last(t).Header.Get("X-Initiator"); by != test.want || r.settle().Initiator != test.want {
				t.Errorf("counts as the %s's", by)
			}
		})
	}
}

// TestOwnAgentsSayWhoAsks believes the header of an agent of this program, and of no other client.
func TestOwnAgentsSayWhoAsks(t *testing.T) {
	f := whole(wholeAnswer)
	r := newRig(t, f)
	own, err := r.Open("own", WithInitiator())
	if err != nil {
		t.Fatal(err)
	}
	const prompt = `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"look around"}]}`
	for _, test := range []struct{ bearer, by, want string }{{own, "agent", "agent"}, {own, "user", "user"}, {own, "", "user"}, {r.bearer, "agent", "user"}} {
		if got := r.do("POST", "/v1/messages", prompt, "Authorization", "Bearer "+test.bearer, "X-Initiator", test.by); got.status != 200 {
			t.Fatal(got)
		}
		if by := f.last(t).Header.Get("X-Initiator"); by != test.want {
			t.Errorf("%q of own=%v counts as the %s's", test.by, test.bearer == own, by)
		}
	}
}

// asker sends requests of one conversation after another and tells as whose they counted.
type asker struct {
	*rig
	now  time.Time
	next error // how the next stream ends after its first event; nil: as it should
}

var (
	errBroken = &copilot.Error{Op: "x", Kind: copilot.KindNetwork}
	errSlower = &copilot.Error{Op: "x", Kind: copilot.KindRateLimit, Status: 429} // before the first event
)

func newAsker(t *testing.T) *asker {
	a := &asker{now: time.Unix(1e9, 0)}
	a.rig = newRig(t, &fake{
		onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
			switch a.next {
			case errSlower:
				return nil, nil, errSlower
			case nil:
				return newScript(hello...), nil, nil
			}
			return newScript(hello[0], step{err: a.next}), nil, nil
		},
		onMessage: func(context.Context, copilot.Request) (*copilot.Response, error) {
			if a.next != nil {
				return nil, a.next
			}
			return &copilot.Response{Body: []byte(wholeAnswer)}, nil
		},
	})
	a.clock.now = func() time.Time { return a.now }
	return a
}

func (a *asker) ask(want, messages string, stream bool, fail error, header ...string) {
	a.t.Helper()
	a.next = fail
	a.do("POST", "/v1/messages", fmt.Sprintf(`{"model":"claude-opus-4-6","messages":[%s],"stream":%v}`, messages, stream), header...)
	a.settle()
	if by := a.fake.last(a.t).Header.Get("X-Initiator"); by != want {
		a.t.Errorf("%s counts as the %s's", messages, by)
	}
}

const askedPrompt = `{"role":"user","content":"do it"}`

// A whole turn with tools is one request of the user, also where an answer breaks off and is asked for again.
func TestTurnIsOneRequestOfTheUser(t *testing.T) {
	const result = `{"type":"tool_result","tool_use_id":"t","content":"x"}`
	a := newAsker(t)
	a.ask("user", askedPrompt, true, errSlower) // not charged
	a.ask("user", askedPrompt, true, errBroken)
	a.ask("agent", askedPrompt, false, nil) // the same again, whole
	loop := askedPrompt
	for range 3 {
		loop += `,{"role":"assistant","content":[]},{"role":"user","content":[` + result + `]}`
		a.ask("agent", loop, true, nil)
	}
	loop += `,{"role":"assistant","content":"done"},` + askedPrompt
	a.ask("user", loop, true, nil)
}

// The same prompt sent again is a new wish of the user, unless it asks once more, whole and within a minute, for an answer
// of the same conversation that broke off.
func TestTheSamePromptAgainIsTheUsers(t *testing.T) {
	const claude = "X-Claude-Code-Session-Id"
	for name, then := range map[string]func(a *asker){
		"after a whole answer, streaming": func(a *asker) { a.ask("user", askedPrompt, true, nil); a.ask("user", askedPrompt, true, nil) },
		"after a whole answer":            func(a *asker) { a.ask("user", askedPrompt, true, nil); a.ask("user", askedPrompt, false, nil) },
		"after whole answers":             func(a *asker) { a.ask("user", askedPrompt, false, nil); a.ask("user", askedPrompt, false, nil) },
		"after a refusal":                 func(a *asker) { a.ask("user", askedPrompt, true, errSlower); a.ask("user", askedPrompt, false, nil) },
		"streaming, after it broke off":   func(a *asker) { a.ask("user", askedPrompt, true, errBroken); a.ask("user", askedPrompt, true, nil) },
		"once the broken one was asked for again": func(a *asker) {
			a.ask("user", askedPrompt, true, errBroken)
			a.ask("agent", askedPrompt, false, errSlower) // not an answer
			a.ask("agent", askedPrompt, false, nil)
			a.ask("user", askedPrompt, false, nil)
		},
		"once a stream has brought the answer": func(a *asker) {
			a.ask("user", askedPrompt, true, errBroken)
			a.ask("user", askedPrompt, true, nil)
			a.ask("user", askedPrompt, false, nil)
		},
		"within a minute": func(a *asker) {
			a.ask("user", askedPrompt, true, errBroken)
			a.now = a.now.Add(time.Minute)
			a.ask("agent", askedPrompt, false, nil)
		},
		"after a minute": func(a *asker) {
			a.ask("user", askedPrompt, true, errBroken)
			a.now = a.now.Add(time.Minute + time.Second)
			a.ask("user", askedPrompt, false, nil)
		},
		"of another session": func(a *asker) {
			other, err := a.Open("s2")
			if err != nil {
				t.Fatal(err)
			}
			a.ask("user", askedPrompt, true, errBroken)
			a.ask("user", askedPrompt, false, nil, "Authorization", "Bearer "+other)
		},
		"of another conversation of the bearer": func(a *asker) {
			a.ask("user", askedPrompt, true, errBroken, claude, "one")
			a.ask("user", askedPrompt, false, nil, claude, "two")
			a.ask("agent", askedPrompt, false, nil, claude, "one")
		},
		"with another past": func(a *asker) {
			past := func(s string) string {
				return `{"role":"user","content":"` + s + `"},{"role":"assistant","content":"b"},` + askedPrompt
			}
			a.ask("user", past("x"), true, errBroken)
			a.ask("user", past("y"), false, nil)
			a.ask("agent", past("x"), false, nil)
		},
		"while another broke off too": func(a *asker) {
			a.ask("user", askedPrompt, true, errBroken)
			a.ask("user", `{"role":"user","content":"something else"}`, true, errBroken)
			a.ask("agent", askedPrompt, false, nil)
		},
	} {
		t.Run(name, func(t *testing.T) { then(newAsker(t)) })
	}
}

// A client that leaves has broken the answer off itself: what it sends then is a new request of the user.
func TestLeavingBreaksNothingOff(t *testing.T) {
	h := newHeld(4)
	h.onMessage = whole(wholeAnswer).onMessage
	r := newRig(t, h.fake)
	c := r.dial()
	c.post(r, streamBody)
	<-h.arrived
	_ = c.conn.Close()
	r.settle()
	r.do("POST", "/v1/messages", strings.Replace(streamBody, `"stream":true`, `"stream":false`, 1))
	if by := h.fake.last(t).Header.Get("X-Initiator"); by != "user" {
		t.Errorf("counts as the %s's", by)
	}
}

// A session remembers a bounded number of broken answers.
func TestBrokenAnswersAreBounded(t *testing.T) {
	var all turns
	now := time.Unix(1e9, 0)
	for i := range 10 * maxBroken {
		all.noteBroken(turn{size: i + 1}, now)
	}
	if n := len(all.broken); n != maxBroken {
		t.Errorf("%d are remembered", n)
	}
	if !all.follows(turn{size: 10 * maxBroken}, now) || all.follows(turn{size: 1}, now) {
		t.Error("the newest are not those that are kept")
	}
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
