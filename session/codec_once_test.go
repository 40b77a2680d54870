package session

import (
	"encoding/json"
	"testing"
)

// FuzzTypeAtOnce holds the short way to an event's type against encoding/json.
func FuzzTypeAtOnce(f *testing.F) {
	for _, line := range []string{
		`{"type":"notice","text":"x"}`, `{"type":"notice","type":"part_delta"}`, `{"type":"notice","TYPE":"turn_ended"}`,
		`{"type":"notice","\u0074ype":"turn_ended"}`, `{"type":"notice","text":"the type"}`, `{"type":"nothing"}`,
		`{"type":"not\u0069ce"}`, `{ "type":"notice"}`, `{"type":"notice"`, `{"type":"notice","tYpe" : null}`,
		`{"type":"tool_ready","input":{"type":"turn_ended"}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := codecAtOnce(data)
		if !ok {
			return
		}
		var head struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(data, &head) == nil && head.Type != got.name {
			t.Fatalf("%q is taken for %q", head.Type, got.name)
		}
	})
}

// Events of this program take the fast path, unless one of their values names a type.
func TestOwnLinesAreReadAtOnce(t *testing.T) {
	for _, e := range []Event{
		PartDelta{Head: Head{Session: "s", Turn: "t"}, Part: "p", Text: "a \"quoted\" word\nand a line"},
		TurnEnded{Outcome: TurnCompleted}, ToolStarted{Call: "c", Name: "Bash"},
	} {
		line, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := codecAtOnce(line); !ok || c.name != EventType(e) {
			t.Errorf("%s: %q, %t", line, c.name, ok)
		}
	}
}
