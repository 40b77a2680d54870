package translate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/google/go-cmp/cmp"
)

// piece is a part of an answer: reasoning, words or a call.
type piece struct {
	kind kind
	text string
	id   string
}

// syllables are what random texts are made of; some of them are hard to spell in JSON.
var syllables = []string{"a", "be ", "\"", "\\", "\n", "é", "🦜", "<b>", "{}", "\u2028", "\u0001", "[DONE]", "STO", "P"}

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteString(syllables[r.IntN(len(syllables))])
	}
	return b.String()
}

// randomAnswer makes an answer. Words never follow words, and reasoning is never the last: no service does that.
func randomAnswer(r *rand.Rand, a api) []piece {
	var out []piece
	if r.IntN(3) > 0 {
		out = append(out, piece{kind: kindThinking, text: randomText(r, 6), id: "secret" + randomText(r, 2)})
	}
	if r.IntN(4) > 0 {
		out = append(out, piece{kind: kindText, text: randomText(r, 12)})
	}
	for i := range r.IntN(4) {
		input, _ := json.Marshal(map[string]any{"k": randomText(r, 8), "n": i})
		out = append(out, piece{kind: kindTool, text: string(input), id: fmt.Sprintf("call %d|%s", i, randomText(r, 2))})
		if a == apiResponses && r.IntN(4) == 0 {
			out = append(out, piece{kind: kindText, text: randomText(r, 4)})
		}
	}
	if len(out) == 0 || out[len(out)-1].kind == kindThinking {
		out = append(out, piece{kind: kindText, text: "end"})
	}
	return out
}

// split cuts a text into pieces between characters.
func split(r *rand.Rand, text string) []string {
	var out []string
	runes := []rune(text)
	for len(runes) > 0 {
		n := 1 + r.IntN(min(len(runes), 5))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

type m = map[string]any

// responsesItems are the items of an answer at the Responses API.
func responsesItems(answer []piece) (items []any) {
	for _, p := range answer {
		switch p.kind {
		case kindThinking:
			items = append(items, m{"type": "reasoning", "id": "rs", "encrypted_content": p.id,
				"summary": []any{m{"type": "summary_text", "text": p.text}}})
		case kindTool:
			items = append(items, m{"type": "function_call", "call_id": p.id, "name": "read", "arguments": p.text})
		default:
			items = append(items, m{"type": "message", "role": "assistant",
				"content": []any{m{"type": "output_text", "text": p.text, "annotations": []any{}}}})
		}
	}
	return items
}

// responsesEvents streams the same items, with the events of calls that follow each other shuffled into one another.
func responsesEvents(r *rand.Rand, answer []piece) []event {
	out := []event{{"response.created", `{"response":{}}`}}
	items := responsesItems(answer)
	perItem := make([][]event, len(answer))
	for i, p := range answer {
		name, extra := "response.output_text.delta", m{"content_index": 0}
		switch p.kind {
		case kindThinking:
			name, extra = "response.reasoning_summary_text.delta", m{"summary_index": 0}
		case kindTool:
			name, extra = "response.function_call_arguments.delta", m{}
		}
		first := m{}
		for k, v := range items[i].(m) {
			first[k] = v
		}
		first["content"], first["arguments"], first["summary"] = []any{}, "", []any{}
		perItem[i] = append(perItem[i], event{"response.output_item.added", asJSON(m{"output_index": i, "item": first})})
		for _, s := range split(r, p.text) {
			e := m{"output_index": i, "delta": s}
			for k, v := range extra {
				e[k] = v
			}
			perItem[i] = append(perItem[i], event{name, asJSON(e)})
		}
		perItem[i] = append(perItem[i], event{"response.output_item.done", asJSON(m{"output_index": i, "item": items[i]})})
	}
	for open := 0; open < len(perItem); {
		// The next item may begin once the first open one has, and then takes turns with it.
		i := open
		if i+1 < len(perItem) && len(perItem[i]) < 3 && r.IntN(2) == 0 {
			i++
		}
		if len(perItem[i]) == 0 {
			i = open
		}
		if len(perItem[i]) > 0 {
			out = append(out, perItem[i][0])
			perItem[i] = perItem[i][1:]
		}
		for open < len(perItem) && len(perItem[open]) == 0 {
			open++
		}
	}
	return append(out, event{"response.completed", asJSON(m{"response": m{"status": "completed"}})})
}

// chatMessageOf is the answer as a message of Chat Completions.
func chatMessageOf(answer []piece) m {
	out := m{"role": "assistant", "content": nil}
	var calls []any
	for _, p := range answer {
		switch p.kind {
		case kindThinking:
			out["reasoning_text"], out["reasoning_opaque"] = p.text, p.id
		case kindTool:
			calls = append(calls, m{"id": p.id, "type": "function", "function": m{"name": "read", "arguments": p.text}})
		default:
			out["content"] = p.text
		}
	}
	if calls != nil {
		out["tool_calls"] = calls
	}
	return out
}

func chatEvents(r *rand.Rand, answer []piece) []event {
	var out []event
	chunk := func(delta m, reason any) {
		out = append(out, event{"", asJSON(m{"choices": []any{m{"index": 0, "delta": delta, "finish_reason": reason}}})})
	}
	calls := 0
	for _, p := range answer {
		texts := split(r, p.text)
		switch p.kind {
		case kindThinking:
			for _, s := range texts {
				chunk(m{"reasoning_text": s}, nil)
			}
			chunk(m{"reasoning_opaque": p.id}, nil)
		case kindTool:
			chunk(m{"tool_calls": []any{m{"index": calls, "id": p.id, "function": m{"name": "read", "arguments": ""}}}}, nil)
			for _, s := range texts {
				chunk(m{"tool_calls": []any{m{"index": calls, "function": m{"arguments": s}}}}, nil)
			}
			calls++
		default:
			for _, s := range texts {
				chunk(m{"content": s}, nil)
			}
		}
	}
	chunk(m{}, "stop")
	return append(out, event{"", "[DONE]"})
}

// TestWholeAndStreamAgree has random answers come to the same whether they are streamed, in any pieces, or whole.
func TestWholeAndStreamAgree(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		for _, a := range []api{apiResponses, apiChat} {
			answer := randomAnswer(r, a)
			req := makeRequest(t, a, nil)
			events, whole := chatEvents(r, answer), m{"choices": []any{m{"message": chatMessageOf(answer), "finish_reason": "stop"}}}
			if a == apiResponses {
				events, whole = responsesEvents(r, answer), m{"status": "completed", "output": responsesItems(answer)}
			}
			frames, err := play(t, req.NewStream("msg_1"), events)
			if err != nil || !checkOrder(t, frames) {
				t.Fatalf("seed %d, %s: %v", seed, a, err)
			}
			streamed := essence(accumulate(t, frames))
			body, err := req.Message("msg_1", []byte(asJSON(whole)))
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, a, err)
			}
			var msg anthropic.Message
			if err := json.Unmarshal(body, &msg); err != nil {
				t.Fatalf("seed %d, %s: %v in %s", seed, a, err, body)
			}
			if diff := cmp.Diff(streamed, essence(msg)); diff != "" {
				t.Fatalf("seed %d, %s (-streamed +whole):\n%s", seed, a, diff)
			}
			if len(msg.Content) != len(answer) {
				t.Fatalf("seed %d, %s: %d blocks of %d pieces", seed, a, len(msg.Content), len(answer))
			}
		}
	}
}

// TestRoundTrip sends random answers back with the next request, as a client does: the service gets what it had said.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		answer := randomAnswer(r, apiResponses)
		body, err := makeRequest(t, apiResponses, nil).Message("msg_1", []byte(asJSON(m{"status": "completed",
			"output": responsesItems(answer)})))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Input []m }
		if err := json.Unmarshal(makeRequest(t, apiResponses, followUp(t, body)).Body, &got); err != nil {
			t.Fatal(err)
		}
		var want []m
		for _, p := range answer {
			switch p.kind {
			case kindThinking:
				want = append(want, m{"type": "reasoning", "id": "rs", "encrypted_content": p.id, "summary": []any{}})
			case kindTool:
				want = append(want, m{"type": "function_call", "call_id": p.id, "name": "read", "arguments": p.text})
			default:
				want = append(want, m{"role": "assistant", "content": p.text})
			}
		}
		if diff := cmp.Diff(want, got.Input[1:len(answer)+1]); diff != "" {
			t.Fatalf("seed %d (-said +returned):\n%s", seed, diff)
		}

		answer = randomAnswer(r, apiChat)
		said := chatMessageOf(answer)
		body, err = makeRequest(t, apiChat, nil).Message("msg_1", []byte(asJSON(m{"choices": []any{m{"message": said,
			"finish_reason": "stop"}}})))
		if err != nil {
			t.Fatal(err)
		}
		var back struct{ Messages []m }
		if err := json.Unmarshal(makeRequest(t, apiChat, followUp(t, body)).Body, &back); err != nil {
			t.Fatal(err)
		}
		if said["content"] == nil {
			delete(said, "content")
		}
		if diff := cmp.Diff(asJSON(said), asJSON(back.Messages[1])); diff != "" {
			t.Fatalf("seed %d (-said +returned):\n%s", seed, diff)
		}
	}
}

// followUp is a request that has a message in its history, with results for its calls.
func followUp(t *testing.T, message []byte) []byte {
	t.Helper()
	var msg struct {
		Content json.RawMessage `json:"content"`
	}
	var calls []struct{ Type, ID string }
	if err := json.Unmarshal(message, &msg); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(msg.Content, &calls); err != nil {
		t.Fatal(err)
	}
	results := []any{}
	for _, c := range calls {
		if c.Type == "tool_use" {
			results = append(results, m{"type": "tool_result", "tool_use_id": c.ID, "content": "ok"})
		}
	}
	results = append(results, m{"type": "text", "text": "go on"})
	return []byte(asJSON(m{"model": "x", "max_tokens": 100, "messages": []any{m{"role": "user", "content": "x"},
		m{"role": "assistant", "content": msg.Content}, m{"role": "user", "content": results}}}))
}
