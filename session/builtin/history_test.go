package builtin

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// checkShape checks what the service demands of messages.
func checkShape(t *testing.T, messages []Message) {
	t.Helper()
	if err := shapeError(messages); err != "" {
		t.Errorf("%s in %+v", err, messages)
	}
}

func shapeError(messages []Message) string {
	used, open := map[string]bool{}, map[string]bool{}
	for i, m := range messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return "roles do not alternate from the user"
		}
		if len(m.Content) == 0 {
			return "empty message"
		}
		thinkingOnly, other := true, false
		for _, c := range m.Content {
			thinkingOnly = thinkingOnly && c.isThinking()
			switch c.Type {
			case "text":
				if c.Text == "" {
					return "empty text"
				}
				other = true
			case "tool_use":
				if m.Role != "assistant" || used[c.ID] || len(c.Input) == 0 || c.Input[0] != '{' || !json.Valid(c.Input) {
					return "bad tool_use " + c.ID
				}
				used[c.ID], open[c.ID] = true, true
			case "tool_result":
				if m.Role != "user" || !open[c.ToolUseID] || other || c.Content == "" {
					return "bad tool_result " + c.ToolUseID
				}
				delete(open, c.ToolUseID)
			}
		}
		if thinkingOnly {
			return "nothing but thinking"
		}
		if m.Role == "user" && len(open) > 0 {
			return "unanswered tool_use"
		}
	}
	if len(messages) > 0 && messages[len(messages)-1].Role != "user" {
		return "does not end with the user"
	}
	return ""
}

// randomEvents makes a session of many turns as the agent could have emitted it, with every kind of ending.
func randomEvents(r *rand.Rand) []session.Event {
	var out []session.Event
	outcomes := []session.TurnOutcome{session.TurnCompleted, session.TurnCancelled, session.TurnFailed, session.TurnLimit, session.TurnRefused}
	for turn := range 1 + r.IntN(5) {
		h := session.Head{Session: "s", Turn: session.TurnID(fmt.Sprintf("t%d", turn)), Gen: session.Generation(1 + turn/2)}
		prompts := []string{"do it", "  ", "again"}
		out = append(out, session.TurnStarted{Head: h, Prompt: session.Prompt{Text: prompts[r.IntN(3)]}})
		for n := 1; n <= r.IntN(4); n++ {
			out = append(out, randomAnswer(r, h, n)...)
		}
		out = append(out, session.TurnEnded{Head: h, Outcome: outcomes[r.IntN(len(outcomes))]})
	}
	return out
}

func randomAnswer(r *rand.Rand, h session.Head, n int) []session.Event {
	var out, ends []session.Event
	for i := range r.IntN(5) {
		part := session.PartID(fmt.Sprintf("%s.%d.%d", h.Turn, n, i))
		call := session.CallID(fmt.Sprintf("c-%s-%d-%d", h.Turn, n, i))
		switch r.IntN(4) {
		case 0:
			out = append(out, session.PartStarted{Head: h, Part: part, Kind: session.PartReasoning}, session.PartDelta{Head: h, Part: part, Text: "hm"},
				session.PartEnded{Head: h, Part: part, Opaque: encodeOpaque(opaquePart{N: n, Type: "thinking", Model: "m", Signature: "x"})})
		case 1:
			out = append(out, session.PartStarted{Head: h, Part: part, Kind: session.PartText}, session.PartDelta{Head: h, Part: part, Text: []string{"words", " \n"}[r.IntN(2)]},
				session.PartEnded{Head: h, Part: part, Opaque: encodeOpaque(opaquePart{N: n})})
		default:
			input := []string{`{"a": 1}`, `{}`, `[]`, `{"a`, `"x"`, `null`}[r.IntN(6)]
			out = append(out, session.ToolStarted{Head: h, Call: call, Name: "Glob"}, session.ToolInput{Head: h, Call: call, Fragment: input},
				session.ToolReady{Head: h, Call: call, Input: json.RawMessage(input)})
			ends = append(ends, session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: []string{"", "found"}[r.IntN(2)]}})
		}
	}
	return append(out, ends...)
}

// The service accepts the messages of any session, cut off at any point.
func TestMessagesAlwaysHaveShape(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		events := randomEvents(r)
		for cut := 0; cut <= len(events); cut += 1 + r.IntN(3) {
			var tr session.Transcript
			for _, e := range events[:cut] {
				tr.Apply(e)
			}
			for _, model := range []string{"m", "other"} {
				messages := join(piecesOf(tr.Turns, false), model)
				if err := shapeError(messages); err != "" {
					b, _ := json.MarshalIndent(messages, "", " ")
					t.Fatalf("seed %d, cut at %d, model %s: %s\n%s", seed, cut, model, err, b)
				}
				// With a new prompt on top, as it will be asked.
				tr2 := tr
				next := append(piecesOf(tr2.Turns, false), piece{"user", []Content{{Type: "text", Text: "next"}}})
				if err := shapeError(join(next, model)); err != "" {
					t.Fatalf("seed %d, cut at %d, with a prompt: %s", seed, cut, err)
				}
			}
		}
	}
}

func TestThinkingOfAnotherModelIsLeftOut(t *testing.T) {
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	var tr session.Transcript
	redacted := json.RawMessage(`{"type":"redacted_thinking","data":"a+/="}`)
	for _, e := range []session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "x"}},
		session.PartStarted{Head: h, Part: "1", Kind: session.PartReasoning},
		session.PartEnded{Head: h, Part: "1", Opaque: encodeOpaque(opaquePart{N: 1, Type: "thinking", Model: "m", Signature: "s"})},
		session.PartStarted{Head: h, Part: "2", Kind: session.PartReasoning},
		session.PartEnded{Head: h, Part: "2", Opaque: encodeOpaque(opaquePart{N: 1, Type: "redacted_thinking", Model: "m", Block: redacted})},
		session.PartReplaced{Head: h, Part: "3", Kind: session.PartText, Text: "y", Opaque: encodeOpaque(opaquePart{N: 1})},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
	} {
		tr.Apply(e)
	}
	b, err := encodeJSON(join(piecesOf(tr.Turns, false), "m")[1])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},` + string(redacted) + `,{"type":"text","text":"y"}]}`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
	if got := join(piecesOf(tr.Turns, false), "n")[1].Content; len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// A session that is resumed between turns asks exactly what an uninterrupted one asks.
func TestResumedRequestsAreTheSame(t *testing.T) {
	script := func() []reply {
		return []reply{
			stream(start("m1"), think(0, "c2ln", "hm <&>"), text(1, "I look."), use(2, "r1", "Read", `{"file_path": "a"}`), use(3, "g1", "Glob", `{ "pattern" : "*" }`), end("tool_use")),
			callsReply([3]string{"b1", "Bash", `{"command":"echo out; exit 3"}`}),
			stream(start("m3"), think(0, "c2ln2", "so"), text(1, "Done."), end("end_turn")),
			callsReply([3]string{"e1", "Edit", `{"file_path":"a","old_string":"one","new_string":"two"}`}),
			says("Edited."),
			says("Bye."),
		}
	}
	prompts := []string{"first", "second", "third"}
	run := func(dir string, resume bool) []string {
		s := newService(t, script()...)
		realClock := func(o *Options, _ *session.OpenOptions) { o.Now = time.Now } // files have its times
		ch := openChat(t, s, in(dir), mode(session.ModeBypass), realClock)
		ch.file("a", "one\n")
		var past []session.Event
		for i, p := range prompts {
			if resume && i > 0 {
				past = append(past, ch.all()...)
				var tr session.Transcript
				for _, e := range past {
					tr.Apply(e)
				}
				ch = openChat(t, s, in(dir), mode(session.ModeBypass), realClock, history(&tr))
			}
			if end := ch.sendAs(session.TurnID(p), session.Prompt{Text: p}); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v", end)
			}
		}
		if got := ch.content("a"); got != "two\n" {
			t.Errorf("%q", got)
		}
		return s.requests()
	}
	dir := t.TempDir()
	if diff := cmp.Diff(run(dir, false), run(dir, true)); diff != "" {
		t.Error(diff)
	}
}

func TestPromptBlocks(t *testing.T) {
	got := promptBlocks(session.Prompt{Text: "look", Attachments: []session.Attachment{
		{Kind: session.AttachFile, Path: "/a/b.go"}, {Kind: session.AttachDirectory, Path: "/a/"},
		{Kind: session.AttachSelection, Path: "/a/c.go", FirstLine: 3, LastLine: 4, Text: "x\n```\n"},
		{Kind: session.AttachImage, MediaType: "image/png", Data: []byte{1, 2}}, {Kind: session.AttachPaste, Text: "long"},
	}})
	b, _ := encodeJSON(got)
	want := `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AQI="}},` +
		`{"type":"text","text":"<system-reminder>\nThe user points to these. Read what you need of them.\n- /a/b.go\n- /a/\n` +
		"- /a/c.go:3-4\\n````\\nx\\n```\\n````\\n" + `</system-reminder>"},{"type":"text","text":"look\n\n<pasted>\nlong\n</pasted>"}]`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
	if got := promptBlocks(session.Prompt{Text: " \n"}); got != nil {
		t.Errorf("%+v", got)
	}
}

// A prompt that failed or was refused before a word was said is not asked along with the next one, in this process or
// after resuming; one that was answered in part stays.
func TestWhatWasNeverAnsweredIsLeftOut(t *testing.T) {
	quota := fault(402, envelope("billing_error", "no quota"))
	refused := stream(start("m"), think(0, "c2ln", "hm"), end("refusal"))
	image := session.Attachment{Kind: session.AttachImage, MediaType: "image/png", Data: []byte("x")}
	prompts := []session.Prompt{{Text: "error quota", Attachments: []session.Attachment{image}}, {Text: "nonsense"}, {Text: "hello"},
		{Text: "look"}, {Text: "error quota"}, {Text: "bye"}}
	script := func() []reply {
		return []reply{quota, refused, says("Hi."), callsReply([3]string{"g", "Glob", `{"pattern":"*"}`}), quota, quota, says("Bye.")}
	}
	run := func(dir string, resume bool) []string {
		s := newService(t, script()...)
		ch := openChat(t, s, in(dir))
		var past []session.Event
		for i, p := range prompts {
			if resume && i > 0 {
				past = append(past, ch.all()...)
				var tr session.Transcript
				for _, e := range past {
					tr.Apply(e)
				}
				ch = openChat(t, s, in(dir), history(&tr))
			}
			ch.sendAs(session.TurnID(fmt.Sprint(i)), p)
		}
		last := s.messages(len(s.requests()) - 1)
		checkShape(t, last)
		var words []string
		for _, m := range last {
			for _, c := range m.Content {
				words = append(words, c.Type+" "+c.Text)
			}
		}
		want := []string{"text hello", "text Hi.", "text look", "tool_use ", "tool_result ", "text bye"}
		if diff := cmp.Diff(want, words); diff != "" {
			t.Errorf("resumed %v: %s", resume, diff)
		}
		return s.requests()
	}
	dir := t.TempDir()
	if diff := cmp.Diff(run(dir, false), run(dir, true)); diff != "" {
		t.Error(diff)
	}
}

// What is sent again is asked, once; what the user interrupted is still told.
func TestWhatIsSentAgainIsAskedOnce(t *testing.T) {
	s := newService(t, fault(402, envelope("billing_error", "no quota")), fault(402, envelope("billing_error", "no quota")), says("Hi."))
	ch := openChat(t, s)
	for range 3 {
		ch.send("hello")
	}
	if got := s.messages(2); len(got) != 1 || len(got[0].Content) != 1 || got[0].Content[0].Text != "hello" {
		t.Errorf("%+v", got)
	}
	tr := session.Transcript{}
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	tr.Apply(session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "wait"}})
	tr.Apply(session.TurnEnded{Head: h, Outcome: session.TurnCancelled})
	if got := join(piecesOf(tr.Turns, false), "m"); len(got) != 1 || got[0].Content[0].Text != "wait" || got[0].Content[1].Text != interruptedNote {
		t.Errorf("%+v", got)
	}
}
