package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// TestTexts reads prompts, answers and tool calls, and neither thoughts, notes nor what child agents said.
func TestTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	lines := `{"type":"user","message":{"role":"user","content":"a plain prompt"}}
{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a prompt"}]}}
{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"thought","text":"x"},{"type":"text","text":"an answer"},{"type":"tool_use","name":"Read","input":{"path":"a.go"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"result"}]}}
{"type":"user","isMeta":true,"message":{"content":"a note"}}
{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"of a child"}]}}
{"type":"summary","summary":"no \"type\":\"user\""}
not JSON "type":"user"
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	var all []string
	_, err := Texts(t.Context(), path, session.TextQuery{}, func(x session.Text) bool {
		text := strings.TrimSpace(string(x.Bytes))
		if x.Prompt {
			text = "> " + text
		}
		all = append(all, text)
		return true
	})
	if got := strings.Join(all, "|"); got != "> a plain prompt|> a prompt|an answer|a.go|result" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Texts(t.Context(), path+"x", session.TextQuery{}, nil); session.KindOf(err) != session.KindNotFound {
		t.Errorf("%v", err)
	}
}
