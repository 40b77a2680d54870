package copilot

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Whole answers come byte for byte, whatever is in them.
func TestWholeAnswersComeAsTheyAre(t *testing.T) {
	f := newFake(t)
	c := f.client(t)
	for name, body := range map[string]string{
		"text":           `{"type":"message","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"}`,
		"several blocks": `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"stop_reason":"max_tokens"}`,
		"tool and thinking": `{"content":[{"type":"thinking","thinking":"hm","signature":"s+/="},` +
			`{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":1.0}}],"stop_reason":"tool_use"}`,
		"nothing":        `{"content":[],"stop_reason":null}`,
		"unknown things": ` { "content" : [ { "type":"x" } ] , "new" : 1e400 } `,
	} {
		f.on(pathMessages, answer(200, "application/json", body))
		resp, err := c.Messages(t.Context(), Request{Body: []byte(emptyBody)})
		if err != nil || string(resp.Body) != body {
			t.Errorf("%s: got %s, %v", name, resp.Body, err)
		}
	}
}

// Streams come frame by frame in their order: text, thinking, tool input, unknown deltas, whatever the lengths.
func TestStreamsComeAsTheyAre(t *testing.T) {
	var want []string
	add := func(event, data string) string {
		want = append(want, event+" "+data)
		return frame(event, data)
	}
	var wire strings.Builder
	wire.WriteString(add("message_start", `{"type":"message_start","message":{"id":"m","model":"claude-opus-4-6"}}`))
	wire.WriteString(add("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`))
	wire.WriteString(add("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`))
	wire.WriteString(add("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s+/="}}`))
	wire.WriteString(add("content_block_stop", `{"type":"content_block_stop","index":0}`))
	for i := range 100 {
		wire.WriteString(add("content_block_delta", fmt.Sprintf(
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"%d %s"}}`, i, strings.Repeat("ü", i))))
	}
	wire.WriteString(add("content_block_start", `{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}}`))
	wire.WriteString(add("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\": 1.0"}}`))
	wire.WriteString(add("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"}"}}`))
	wire.WriteString(add("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","x":[1]}}`))
	wire.WriteString(add("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"copilot_usage":{"total_nano_aiu":1}}`))
	wire.WriteString(add("message_stop", `{"type":"message_stop","amazon-bedrock-invocationMetrics":{}}`))
	all := wire.String()

	f := newFake(t)
	f.on(pathMessages, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		rc := http.NewResponseController(w)
		for rest := all; rest != ""; { // in pieces that cut lines, runes and line ends
			n := min(len(rest), 37)
			_, _ = io.WriteString(w, rest[:n])
			_ = rc.Flush()
			rest = rest[n:]
		}
	})
	s := open(t, f.client(t), t.Context())
	for i := 0; ; i++ {
		got, err := s.Next()
		if err == io.EOF && i == len(want) {
			return
		}
		if err != nil || i == len(want) || got.Event+" "+string(got.Data) != want[i] {
			t.Fatalf("frame %d: got %s %s, %v", i, got.Event, got.Data, err)
		}
	}
}
