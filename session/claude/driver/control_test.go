package driver

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestLinesAreWhole(t *testing.T) {
	line, err := userLine(UserMessage{UUID: "u", Priority: "next", Content: json.RawMessage("[\n {\"type\":\"text\",\n\"text\":\"a\\nb\"}]")})
	const want = `{"message":{"content":[{"type":"text","text":"a\nb"}],"role":"user"},"parent_tool_use_id":null,"priority":"next","session_id":"","type":"user","uuid":"u"}` + "\n"
	if err != nil || string(line) != want {
		t.Errorf("%s %v", line, err)
	}
	for _, bad := range []string{"", "{", "[1}", "a\nb"} {
		if line, err := userLine(UserMessage{Content: json.RawMessage(bad)}); err == nil {
			t.Errorf("%q became %q", bad, line)
		}
	}
	if _, err := replyLine("x", func() {}); err == nil {
		t.Error("an answer that cannot be written")
	}
	line, err = requestLine("1", "set_model", map[string]any{"model": "m", "subtype": "other"})
	if err != nil || string(line) != `{"request":{"model":"m","subtype":"set_model"},"request_id":"1","type":"control_request"}`+"\n" {
		t.Errorf("%s %v", line, err)
	}
}

func FuzzParseControl(f *testing.F) {
	f.Add([]byte(`{"type":"control_request","request_id":"a","request":{"subtype":"can_use_tool","input":{}}}`))
	f.Add([]byte(`{"type":"control_response","response":{"subtype":"error","request_id":"a","error":"no"}}`))
	f.Add([]byte(`{"type":"control_cancel_request","request_id":"a"}`))
	f.Add([]byte(`{"type":"control_request","request_id":1,"request":[]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, subtype, err := parseControl(line)
		if err != nil {
			return
		}
		if (c.Type == typeRequest || c.Type == typeCancel) && c.RequestID == "" {
			t.Error("no answer was possible")
		}
		refusal, err := refusalLine(c.RequestID, subtype)
		if err != nil || bytes.Count(refusal, []byte("\n")) != 1 || !json.Valid(refusal) {
			t.Errorf("%q %v", refusal, err)
		}
	})
}
