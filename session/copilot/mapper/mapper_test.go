package mapper

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
)

var t0 = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// event returns an event with data in JSON. A type "child/assistant.message" is of the child agent "child".
func event(kind, data string) protocol.Event {
	e := protocol.Event{Type: kind, Timestamp: t0, Data: json.RawMessage(data)}
	if agent, rest, ok := strings.Cut(kind, "/"); ok {
		e.Agent, e.Type = agent, rest
	}
	e.ID = fmt.Sprintf("e-%x", len(kind)*1000+len(data))
	return e
}

// feed maps pairs of a type and data.
func feed(m *Mapper, pairs ...string) []session.Event {
	var out []session.Event
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, m.Map(event(pairs[i], pairs[i+1]), t0)...)
	}
	return out
}

// brief lists the types of events.
func brief(events []session.Event) string {
	var names []string
	for _, e := range events {
		names = append(names, strings.TrimPrefix(fmt.Sprintf("%T", e), "session."))
	}
	return strings.Join(names, " ")
}

func TestIdleEndsOnlyTheTurnOfItsPrompt(t *testing.T) {
	m := New("s", 1)
	begun := m.Begin("t1", session.Prompt{ID: "t1", Text: "hi"}, session.OriginUser, t0)
	if got := brief(begun); got != "TurnStarted" {
		t.Fatal(got)
	}
	if got := brief(feed(m, "session.idle", `{}`)); got != "" {
		t.Fatalf("an idle event before the prompt was taken made %s", got)
	}
	got := brief(feed(m,
		"user.message", `{"content":"hi","messageId":"m","source":"command-parley-t1","delivery":"idle"}`,
		"assistant.turn_start", `{"turnId":"0"}`,
		"assistant.message_start", `{"messageId":"a"}`,
		"assistant.message_delta", `{"messageId":"a","deltaContent":"Hel"}`,
		"assistant.message_delta", `{"messageId":"a","deltaContent":"lo"}`,
		"assistant.message", `{"messageId":"a","content":"Hello"}`,
		"assistant.turn_end", `{"turnId":"0"}`, "assistant.idle", `{}`, "session.idle", `{}`))
	if want := "PartStarted PartDelta PartDelta PartEnded TurnEnded"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOutputAfterItsCall maps output that comes after the end of its command: the result has it, so it is nothing new and nothing
// unknown. That of a call that never was is unknown.
func TestOutputAfterItsCall(t *testing.T) {
	m := begun(t)
	got := brief(feed(m,
		"tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"ls"}}`,
		"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"a"}}`,
		"tool.execution_partial_result", `{"toolCallId":"c","partialOutput":"a"}`))
	if want := "ToolStarted ToolReady ToolEnded"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := m.Unknown(); len(n) > 0 {
		t.Errorf("unknown: %v", n)
	}
	feed(m, "tool.execution_partial_result", `{"toolCallId":"never","partialOutput":"a"}`)
	if n := m.Unknown()["output"]; n != 1 {
		t.Errorf("output of no call: %v", m.Unknown())
	}
}
