package wire_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	. "parley/session/builtin/wire"
	"parley/session/builtin/wire/wiretest"
)

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
				session.PartEnded{Head: h, Part: part, Opaque: Opaque{N: n, Type: "thinking", Model: "m", Signature: "x"}.Encode()})
		case 1:
			out = append(out, session.PartStarted{Head: h, Part: part, Kind: session.PartText}, session.PartDelta{Head: h, Part: part, Text: []string{"words", " \n"}[r.IntN(2)]},
				session.PartEnded{Head: h, Part: part, Opaque: Opaque{N: n}.Encode()})
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
				messages := Join(Pieces(tr.Turns, false), model)
				if err := wiretest.ShapeError(messages); err != "" {
					b, _ := json.MarshalIndent(messages, "", " ")
					t.Fatalf("seed %d, cut at %d, model %s: %s\n%s", seed, cut, model, err, b)
				}
				// With a new prompt on top, as it will be asked.
				tr2 := tr
				next := append(Pieces(tr2.Turns, false), Piece{Role: "user", Blocks: []Content{{Type: "text", Text: "next"}}})
				if err := wiretest.ShapeError(Join(next, model)); err != "" {
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
		session.PartEnded{Head: h, Part: "1", Opaque: Opaque{N: 1, Type: "thinking", Model: "m", Signature: "s"}.Encode()},
		session.PartStarted{Head: h, Part: "2", Kind: session.PartReasoning},
		session.PartEnded{Head: h, Part: "2", Opaque: Opaque{N: 1, Type: "redacted_thinking", Model: "m", Block: redacted}.Encode()},
		session.PartReplaced{Head: h, Part: "3", Kind: session.PartText, Text: "y", Opaque: Opaque{N: 1}.Encode()},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
	} {
		tr.Apply(e)
	}
	b, err := EncodeJSON(Join(Pieces(tr.Turns, false), "m")[1])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},` + string(redacted) + `,{"type":"text","text":"y"}]}`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
	if got := Join(Pieces(tr.Turns, false), "n")[1].Content; len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestPromptBlocks(t *testing.T) {
	got := PromptBlocks(session.Prompt{Text: "look", Attachments: []session.Attachment{
		{Kind: session.AttachFile, Path: "/a/b.go"}, {Kind: session.AttachDirectory, Path: "/a/"},
		{Kind: session.AttachSelection, Path: "/a/c.go", FirstLine: 3, LastLine: 4, Text: "x\n```\n"},
		{Kind: session.AttachImage, MediaType: "image/png", Data: []byte{1, 2}}, {Kind: session.AttachPaste, Text: "long"},
	}})
	b, _ := EncodeJSON(got)
	want := `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AQI="}},` +
		`{"type":"text","text":"<system-reminder>\nThe user points to these. Read what you need of them.\n- /a/b.go\n- /a/\n` +
		"- /a/c.go:3-4\\n````\\nx\\n```\\n````\\n" + `</system-reminder>"},{"type":"text","text":"look\n\n<pasted>\nlong\n</pasted>"}]`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
	if got := PromptBlocks(session.Prompt{Text: " \n"}); got != nil {
		t.Errorf("%+v", got)
	}
}

// What the user interrupted is still told.
func TestInterruptedTurnsStay(t *testing.T) {
	tr := session.Transcript{}
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	tr.Apply(session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "wait"}})
	tr.Apply(session.TurnEnded{Head: h, Outcome: session.TurnCancelled})
	if got := Join(Pieces(tr.Turns, false), "m"); len(got) != 1 || got[0].Content[0].Text != "wait" || got[0].Content[1].Text != InterruptedNote {
		t.Errorf("%+v", got)
	}
}
