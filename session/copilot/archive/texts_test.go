package archive

import (
	"strings"
	"testing"

	"parley/session"
)

// TestTexts reads prompts, answers and tool calls, and neither the system's messages nor what child agents said.
func TestTexts(t *testing.T) {
	h := newHome(t)
	h.put("a", "cwd: /project/dir\n", append(append([]string{begin("x")}, turn(1, "one", "first answer")...),
		line(30, "child/assistant.message", data{"messageId": "c", "content": "of a child"}), line(31, "assistant.message", data{"content": "of a call", "parentToolCallId": "x"}),
		line(32, "tool.execution_start", data{"toolCallId": "t", "toolName": "bash", "arguments": data{"command": "go test"}}),
		line(33, "tool.execution_complete", data{"toolCallId": "t", "success": true, "result": data{"content": "ok"}}))...)
	var got []string
	_, err := New(h.dir).Texts(t.Context(), "a", session.TextQuery{}, func(x session.Text) bool {
		text := string(x.Bytes)
		if x.Prompt {
			text = "> " + text
		}
		got = append(got, text)
		return true
	})
	if all := strings.Join(got, "|"); err != nil || all != "> one|first answer|go test|ok" {
		t.Errorf("%q, %v", all, err)
	}
	if _, err := New(h.dir).Texts(t.Context(), "none", session.TextQuery{}, nil); session.KindOf(err) != session.KindNotFound {
		t.Errorf("%v", err)
	}
}
