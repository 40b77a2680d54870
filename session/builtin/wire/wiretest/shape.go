package wiretest

import (
	"encoding/json"

	"parley/session/builtin/wire"
)

// ShapeError returns what the service would refuse about messages, "" for nothing.
func ShapeError(messages []wire.Message) string {
	used, open := map[string]bool{}, map[string]bool{}
	for i, m := range messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return "roles do not alternate from the user"
		}
		if len(m.Content) == 0 {
			return "empty message"
		}
		thinkingOnly, other := true, false
		for _, c := range m.Content {
			thinkingOnly = thinkingOnly && (c.Type == "thinking" || c.Type == "redacted_thinking")
			switch c.Type {
			case "text":
				if c.Text == "" {
					return "empty text"
				}
				other = true
			case "tool_use":
				if m.Role != "assistant" || used[c.ID] || len(c.Input) == 0 || c.Input[0] != '{' || !json.Valid(c.Input) {
					return "bad tool_use " + c.ID
				}
				used[c.ID], open[c.ID] = true, true
			case "tool_result":
				if m.Role != "user" || !open[c.ToolUseID] || other || c.Content == "" {
					return "bad tool_result " + c.ToolUseID
				}
				delete(open, c.ToolUseID)
			}
		}
		if thinkingOnly {
			return "nothing but thinking"
		}
		if m.Role == "user" && len(open) > 0 {
			return "unanswered tool_use"
		}
	}
	if len(messages) > 0 && messages[len(messages)-1].Role != "user" {
		return "does not end with the user"
	}
	return ""
}
