package copilot

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		event, data string
		want        Event
	}{
		{"message_start", `{"message":{"id":"msg_1","model":"m","usage":{"input_tokens":3,"cache_read_input_tokens":2,
			"cache_creation_input_tokens":null,"output_tokens":1,"unknown":{}}}}`,
			MessageStart{ID: "msg_1", Model: "m", Usage: Usage{Input: 3, Output: 1, CacheRead: 2}}},
		{"content_block_start", `{"index":2,"content_block":{"type":"text","text":"a"}}`,
			BlockStart{Index: 2, Type: "text", Text: "a", Raw: []byte(`{"type":"text","text":"a"}`)}},
		{"content_block_start", `{"index":0,"content_block":{"type":"thinking","thinking":"hm"}}`,
			BlockStart{Type: "thinking", Text: "hm", Raw: []byte(`{"type":"thinking","thinking":"hm"}`)}},
		{"content_block_start", `{"index":1,"content_block":{"type":"tool_use","id":"t","name":"Read","input":{}}}`,
			BlockStart{Index: 1, Type: "tool_use", ID: "t", Name: "Read",
				Raw: []byte(`{"type":"tool_use","id":"t","name":"Read","input":{}}`)}},
		{"content_block_start", `{"index":1}`, BlockStart{Index: 1}},
		{"content_block_delta", `{"index":1,"delta":{"type":"text_delta","text":"é"}}`,
			BlockDelta{Index: 1, Type: "text_delta", Text: "é"}},
		{"content_block_delta", `{"delta":{"type":"thinking_delta","thinking":"h"}}`, BlockDelta{Type: "thinking_delta", Text: "h"}},
		{"content_block_delta", `{"delta":{"type":"signature_delta","signature":"s"}}`,
			BlockDelta{Type: "signature_delta", Text: "s"}},
		{"content_block_delta", `{"delta":{"type":"input_json_delta","partial_json":"{\"a"}}`,
			BlockDelta{Type: "input_json_delta", Text: `{"a`}},
		{"content_block_delta", `{"delta":{"type":"new_delta","text":"x"}}`, BlockDelta{Type: "new_delta"}},
		{"content_block_stop", `{"index":4}`, BlockStop{Index: 4}},
		{"message_delta", `{"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9},
			"copilot_usage":{"total_nano_aiu":1500000000,"token_details":[
			{"token_type":"input","token_count":7,"batch_size":1000000,"cost_per_batch":5e11}]}}`,
			MessageDelta{StopReason: "end_turn", Usage: Usage{Output: 9}, Cost: &Cost{NanoAIU: 1500000000,
				Details: []CostDetail{{Type: "input", Tokens: 7, BatchSize: 1000000, NanoAIUPerBatch: 5e11}}}}},
		{"message_delta", `{"delta":{"stop_reason":null}}`, MessageDelta{}},
		{"message_stop", `{}`, MessageStop{}},
		{"ping", `{}`, nil},
		{"brand_new", `{}`, nil},
	} {
		got, err := Decode(Frame{Event: tt.event, Data: []byte(tt.data)})
		if err != nil {
			t.Errorf("%s: %v", tt.data, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.data, diff)
		}
	}
	for _, event := range []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop",
		"message_delta"} {
		if e, err := Decode(Frame{Event: event, Data: []byte(`[]`)}); err == nil || e != nil {
			t.Errorf("%s of an array: %v, %v", event, e, err)
		}
	}
}

func TestDecodeCost(t *testing.T) {
	for data, want := range map[string]*Cost{
		`{"id":"msg","copilot_usage":{"total_nano_aiu":5}}`:                             {NanoAIU: 5},
		`{"copilot_usage":{"total_nano_aiu":1},"copilot_usage":{"total_nano_aiu":"2"}}`: {NanoAIU: 2},
		`{"copilot_usage":null}`: nil, `{"copilot_usage":{}}`: nil, `{}`: nil, `[]`: nil, ``: nil,
	} {
		if diff := cmp.Diff(want, DecodeCost([]byte(data))); diff != "" {
			t.Errorf("%s: %s", data, diff)
		}
	}
}
