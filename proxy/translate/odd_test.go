package translate

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestOddFields reads fields of other types than the documented ones, which some backends send.
func TestOddFields(t *testing.T) {
	var call responsesCall
	var u chatUsage
	var thought responsesThought
	if err := errors.Join(
		json.Unmarshal([]byte(`{"call_id":7,"name":null,"arguments":{"a": 1}}`), &call),
		json.Unmarshal([]byte(`{"prompt_tokens":"70","completion_tokens":9.0,"total_tokens":null,"prompt_tokens_details":[]}`), &u),
		json.Unmarshal([]byte(`{"summary":"none","content":[{"text":"kept"}]}`), &thought),
	); err != nil {
		t.Fatal(err)
	}
	if want := (responsesCall{CallID: "7", Arguments: `{"a": 1}`}); call != want {
		t.Errorf("%+v, want %+v", call, want)
	}
	if got, want := u.usage(), (usage{input: 70, output: 9}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if len(thought.Summary.value) != 0 || len(thought.Content.value) != 1 || !strings.HasPrefix(string(thought.Content.value[0].Text), "kept") {
		t.Errorf("%+v", thought)
	}
}
