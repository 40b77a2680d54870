package question

import (
	"encoding/json"
	"testing"
)

// TestInputThatIsSaid leaves an input out whose only value is what the question says, and no other.
func TestInputThatIsSaid(t *testing.T) {
	for in, lines := range map[string]int{
		`{"query":"latest go"}`:                         0,
		`{"query":"latest go "}`:                        3,
		`{"query":"latest go","blocked_domains":["x"]}`: 6,
		`{"query":["latest go"]}`:                       5,
		`{}`:                                            0,
		`"latest go"`:                                   1,
	} {
		if got := inputLines(json.RawMessage(in), "latest go"); len(got) != lines {
			t.Errorf("%s: %q", in, got)
		}
	}
}
