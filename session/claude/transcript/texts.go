package transcript

import (
	"bytes"
	"context"
	"encoding/json"

	"parley/session"
	"parley/session/words"
)

// Texts passes on the prompts, answers and tool calls in the transcript at path, of all branches; see [session.TextReader].
func Texts(ctx context.Context, path string, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	return words.File(ctx, path, want, func(line []byte) bool {
		if !bytes.Contains(line, []byte(`"type":"user"`)) && !bytes.Contains(line, []byte(`"type":"assistant"`)) || want.Skips(line) ||
			want.Tools && !bytes.Contains(line, []byte(`"tool_`)) {
			return true
		}
		prompt, text, tools := saidIn(line)
		return (text == "" || want.Tools || yield(session.Text{Prompt: prompt, Bytes: []byte(text)})) &&
			(len(tools) == 0 || want.Spoken || yield(session.Text{Tool: true, Bytes: tools}))
	})
}

// saidIn returns the prompt or the answer in a line, "" for any other, and the inputs and results of tool calls in it.
func saidIn(line []byte) (prompt bool, text string, tools []byte) {
	var l struct {
		Type      string
		Meta      bool `json:"isMeta"`
		Summary   bool `json:"isCompactSummary"`
		Sidechain bool `json:"isSidechain"`
		Message   struct{ Content json.RawMessage }
	}
	if json.Unmarshal(line, &l) != nil || l.Meta || l.Summary || l.Sidechain {
		return false, "", nil
	}
	var blocks []Block
	if json.Unmarshal(l.Message.Content, &text) == nil {
		blocks = []Block{{Type: "text", Text: text}}
	} else {
		var all []struct {
			Type, Text     string
			Input, Content json.RawMessage
		}
		_ = json.Unmarshal(l.Message.Content, &all) // what is no list of blocks has no text
		for _, b := range all {
			blocks = append(blocks, Block{Type: b.Type, Text: b.Text})
			switch b.Type {
			case "tool_use":
				tools = append(append(tools, words.Strings(b.Input)...), '\n')
			case "tool_result":
				tools = append(append(tools, words.Strings(b.Content)...), '\n')
			}
		}
	}
	if l.Type == "user" {
		return true, PromptText(blocks), tools
	}
	text = ""
	for _, b := range blocks {
		if b.Type == "text" {
			text += b.Text + "\n"
		}
	}
	return false, text, tools
}
