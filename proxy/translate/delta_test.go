package translate

import (
	"encoding/json"
	"testing"
)

// TestDeltas compares the short way of reading with decoding, and wants the long way for everything unusual.
func TestDeltas(t *testing.T) {
	for _, tt := range []struct {
		data  string
		short bool
	}{
		{`{"choices":[{"index":0,"delta":{"content":"a\u00e9\n\"b\"","role":"assistant"},"finish_reason":null}],"usage":null}`, true},
		{`{"choices":[{"delta":{"content":null,"reasoning_text":"hm"}}],"id":"x"}`, true},
		{`{"choices":[]}`, false}, {`{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`, false},
		{`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`, false},
		{`{"choices":[{"delta":{"content":"a","tool_calls":[]}}]}`, false},
		{`{"choices":[{"delta":{"content":"a"}}],"usage":{}}`, false}, {`{"error":{},"choices":[{"delta":{"content":"a"}}]}`, false},
		{`{"choices":[{"delta":{"content":["a"]}}]}`, false}, {`{"choices":[{"delta":{"content":"a"}}]}x`, false}, {`7`, false},
	} {
		var got chatDelta
		if short := readChatDelta([]byte(tt.data), &got); short != tt.short {
			t.Errorf("%s: read the short way: %v", tt.data, short)
		}
		var want chatChunk
		if !tt.short || json.Unmarshal([]byte(tt.data), &want) != nil {
			continue
		}
		if d := want.Choices[0].Delta; got.Content != d.Content || got.ReasoningText != d.ReasoningText {
			t.Errorf("%s: %+v", tt.data, got)
		}
	}
	for _, tt := range []struct {
		data  string
		short bool
	}{
		{`{"type":"x","output_index":2,"content_index":1,"summary_index":3,"delta":"\ud83e\udd9c \\","logprobs":[]}`, true},
		{`{"delta":""}`, true}, {`{"delta":7}`, false}, {`{"output_index":1}`, false}, {`{"delta":"a","output_index":-1}`, false},
		{`{"delta":"a","output_index":1e0}`, false}, {`{"delta":"a","delta":"b"}`, false}, {`{"delta":"a"`, false},
	} {
		var got, want responsesDelta
		if short := readResponsesDelta([]byte(tt.data), &got); short != tt.short {
			t.Errorf("%s: read the short way: %v", tt.data, short)
		}
		if !tt.short || json.Unmarshal([]byte(tt.data), &want) != nil {
			continue
		}
		if got.Delta != want.Delta || got.Output != want.Output || got.Content != want.Content || got.Summary != want.Summary {
			t.Errorf("%s: %+v", tt.data, got)
		}
	}
}
