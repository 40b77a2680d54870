package hooks

import "encoding/json"

// Response returns the result of a call of the builtin agent in the form that Claude Code gives hooks, as far as the agent knows its
// parts: text is what the call printed or read.
func Response(tool string, input json.RawMessage, text string) json.RawMessage {
	var in struct {
		Path string `json:"file_path"`
	}
	_ = json.Unmarshal(input, &in) // other tools have no path
	var out any
	switch tool {
	case "Bash":
		out = map[string]any{"stdout": text, "stderr": "", "interrupted": false, "isImage": false}
	case "Read":
		out = map[string]any{"type": "text", "file": map[string]any{"filePath": in.Path, "content": text}}
	case "Edit", "Write":
		out = map[string]any{"filePath": in.Path, "success": true, "content": text}
	default:
		out = map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
	}
	data, err := json.Marshal(out)
	if err != nil {
		panic(err) // texts always marshal
	}
	return data
}
