package builtin

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/wire"
)

func TestWords(t *testing.T) {
	s := newService(t, says("Hello, world."))
	ch := openChat(t, s)
	if end := ch.send("hi"); end.Outcome != session.TurnCompleted || end.Problem != nil {
		t.Fatalf("%+v", end)
	}
	want := "turn_started reminded model_changed part_started part_delta part_ended usage_reported credits_reported context_reported turn_ended"
	if got := names(ch.all()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	tr := ch.transcript()
	if got := wordsOf(tr.Turns[0]); got != "Hello, world." {
		t.Error(got)
	}
	if diff := cmp.Diff(session.Usage{Input: 10, Output: 20, CacheRead: 100}, tr.Usage); diff != "" {
		t.Error(diff)
	}
	if tr.NanoAIU != 1500 || tr.Context.Used != 130 || tr.Context.Window != 200000 || tr.Settings.Model != "claude-test" {
		t.Errorf("%+v", tr)
	}
	h := s.headers[0]
	if h.Get("Authorization") != "Bearer secret.s" || h.Get("X-Api-Key") != "" || !strings.HasPrefix(h.Get("User-Agent"), "parley") {
		t.Errorf("%v", h)
	}
}

func wordsOf(turn *session.Turn) string {
	var b strings.Builder
	for _, e := range turn.Entries {
		if p, ok := e.(*session.Part); ok && p.Kind == session.PartText {
			b.WriteString(p.Text())
		}
	}
	return b.String()
}

func TestThinkingThenToolThenWords(t *testing.T) {
	s := newService(t,
		stream(start("m1"), think(0, "c2ln+/==", "I should ", "read <it> & more"), text(1, "Let me look."),
			use(2, "toolu_1", "Read", `{"file_path": "a.txt"}`), end("tool_use")),
		says("It says one."))
	ch := openChat(t, s)
	ch.file("a.txt", "one\n")
	if end := ch.send("what does it say?"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	if got := ch.ended()["toolu_1"]; got.Outcome != session.ToolOK || got.Result.Text != "1\tone\n" || got.Result.Summary != "1 line" {
		t.Errorf("%+v", got)
	}
	second := s.messages(1)
	if len(second) != 3 {
		t.Fatalf("%+v", second)
	}
	a := second[1].Content
	if a[0].Type != "thinking" || *a[0].Thinking != "I should read <it> & more" || a[0].Signature != "c2ln+/==" {
		t.Errorf("the thinking came back as %+v", a[0])
	}
	if a[1].Text != "Let me look." || a[2].ID != "toolu_1" || string(a[2].Input) != `{"file_path":"a.txt"}` {
		t.Errorf("%+v", a)
	}
	if r := second[2].Content[0]; r.Type != "tool_result" || r.ToolUseID != "toolu_1" || r.Content != "1\tone\n" || r.IsError {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(s.requests()[1], "<it> &") {
		t.Error("the thinking was rewritten")
	}
}

func TestRequestShape(t *testing.T) {
	s := newService(t, says("a"), says("b"))
	ch := openChat(t, s, model("claude-test", "high"))
	ch.file("AGENTS.md", "Always use tabs.")
	ch.send("first")
	ch.send("second")
	body := s.requests()[1]
	for _, want := range []string{`"model":"claude-test"`, `"max_tokens":64000`, `You run on the model `, `Time zone: UTC`, `"stream":true`, `"thinking":{"type":"adaptive","display":"summarized"}`,
		`"output_config":{"effort":"high"}`, "Always use tabs.", `"name":"Bash"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %.300s", want, body)
		}
	}
	if n := strings.Count(body, `"cache_control"`); n != 4 {
		t.Errorf("%d cache marks", n)
	}
	if got := s.messages(1); len(got) != 3 || got[1].Content[0].Text != "a" || got[2].Content[0].CacheControl == nil {
		t.Errorf("%+v", got)
	}
}

func TestThinkingBudget(t *testing.T) {
	s := newService(t, says("a"))
	ch := openChat(t, s, model("claude-budget", "high"))
	ch.send("x")
	body := s.requests()[0]
	if !strings.Contains(body, `"thinking":{"type":"enabled","budget_tokens":16000,"display":"summarized"}`) || strings.Contains(body, "effort") {
		t.Error(body[:300])
	}
	if got := s.headers[0].Get("Anthropic-Beta"); got != wire.InterleavedThinking {
		t.Error(got)
	}
}

func TestPlainModel(t *testing.T) {
	s := newService(t, says("a"))
	ch := openChat(t, s, model("plain", ""))
	ch.send("x")
	if body := s.requests()[0]; strings.Contains(body, `"thinking"`) || !strings.Contains(body, `"max_tokens":8192`) {
		t.Error(body)
	}
}

func TestParallelCallsThatOnlyRead(t *testing.T) {
	s := newService(t, callsReply(
		[3]string{"r1", "Read", `{"file_path":"a"}`}, [3]string{"r2", "Grep", `{"pattern":"two"}`}, [3]string{"r3", "Glob", `{"pattern":"*"}`}),
		says("done"))
	ch := openChat(t, s)
	ch.file("a", "one\n")
	ch.file("b", "two\n")
	ch.send("look")
	ended := ch.ended()
	for id, want := range map[session.CallID]string{"r1": "1\tone\n", "r2": "b\n"} {
		if got := ended[id].Result.Text; got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
	results := s.messages(1)[2].Content
	if len(results) != 3 || results[0].ToolUseID != "r1" || results[1].ToolUseID != "r2" || results[2].ToolUseID != "r3" {
		t.Errorf("the results are not in the order of the calls: %+v", results)
	}
}

func TestCallsOfSuccessiveAnswersStayApart(t *testing.T) {
	s := newService(t, callsReply([3]string{"r1", "Glob", `{"pattern":"*"}`}), callsReply([3]string{"r2", "Glob", `{"pattern":"*"}`}), says("done"))
	ch := openChat(t, s)
	ch.send("look")
	got := s.messages(2)
	if len(got) != 5 || got[1].Content[0].ID != "r1" || got[2].Content[0].ToolUseID != "r1" || got[3].Content[0].ID != "r2" {
		t.Errorf("%+v", got)
	}
}

func TestCallIDsAreNeverUsedTwice(t *testing.T) {
	again := callsReply([3]string{"same", "Glob", `{"pattern":"*"}`}, [3]string{"bad id!", "Glob", `{"pattern":"*"}`})
	s := newService(t, again, again, says("done"))
	ch := openChat(t, s)
	if end := ch.send("look"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	if n := len(ch.ended()); n != 4 {
		t.Errorf("%d calls", n)
	}
	checkShape(t, s.messages(2))
}

func TestUnknownToolAndMalformedInput(t *testing.T) {
	s := newService(t, callsReply([3]string{"c1", "Nope", `{}`}, [3]string{"c2", "Read", `{"file_path": [7]}`}, [3]string{"c3", "Read", `{"file`}),
		says("sorry"))
	ch := openChat(t, s)
	if end := ch.send("x"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	for id, want := range map[session.CallID]string{"c1": "no tool", "c2": "must be of type", "c3": "not valid JSON"} {
		if got := ch.ended()[id]; got.Outcome != session.ToolFailed || !strings.Contains(got.Result.Text, want) {
			t.Errorf("%+v", got)
		}
	}
	checkShape(t, s.messages(1))
}

func TestStopReasons(t *testing.T) {
	unfinished := start("m") + text(0, "I will") + use(1, "c1", "Glob", `{"pattern":"*"}`)
	tests := map[string]struct {
		replies []reply
		want    session.TurnOutcome
		says    string
		asked   int
	}{
		"max_tokens": {[]reply{stream(unfinished, end("max_tokens")), says("b")}, session.TurnCompleted, "", 2},
		"refusal":    {[]reply{stream(start("m"), end("refusal"))}, session.TurnRefused, "declined", 1},
		"window":     {[]reply{stream(start("m"), end("model_context_window_exceeded"))}, session.TurnLimit, "window", 1},
		"pause_turn": {[]reply{stream(start("m"), text(0, "a"), end("pause_turn")), says("b")}, session.TurnCompleted, "", 2},
		"unknown":    {[]reply{stream(start("m"), text(0, "a"), end("something_new"))}, session.TurnCompleted, "", 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newService(t, test.replies...)
			ch := openChat(t, s)
			end := ch.send("x")
			if end.Outcome != test.want || (end.Problem == nil) != (test.says == "") {
				t.Fatalf("%+v", end)
			}
			if end.Problem != nil && !strings.Contains(end.Problem.What, test.says) {
				t.Error(end.Problem.What)
			}
			if n := len(s.requests()); n != test.asked {
				t.Errorf("%d requests", n)
			}
			s.add(says("ok"))
			ch.send("go on")
			checkShape(t, s.messages(test.asked))
		})
	}
}

func TestTooManyRounds(t *testing.T) {
	s := newService(t)
	for range 5 {
		s.add(callsReply([3]string{"same", "Glob", `{"pattern":"*"}`}))
	}
	ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) { o.MaxRounds = 3 })
	if end := ch.send("x"); end.Outcome != session.TurnLimit || !strings.Contains(end.Problem.What, "3 requests") {
		t.Fatalf("%+v", end)
	}
	if n := len(s.requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// The first request of every turn is marked as the user's, also where the prompt follows results of tools; the rest of the
// turn is not.
func TestFirstRequestOfATurnIsTheUsers(t *testing.T) {
	s := newService(t, callsReply([3]string{"c1", "Glob", `{"pattern":"*"}`}), fault(400, envelope("invalid_request_error", "no")),
		fault(529, ""), says("fine"))
	ch := openChat(t, s)
	ch.send("x")
	ch.send("y")
	if last := s.messages(3)[2].Content; last[0].Type != "tool_result" || last[len(last)-1].Text != "y" {
		t.Fatalf("the prompt does not follow a result: %+v", last)
	}
	var got []string
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.headers {
		got = append(got, h.Get("X-Initiator"))
	}
	if want := []string{"user", "", "user", "user"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
