package builtin

import (
	"testing"
)

// checkShape checks what the service demands of messages.
func checkShape(t *testing.T, messages []Message) {
	t.Helper()
	if err := shapeError(messages); err != "" {
		t.Errorf("%s in %+v", err, messages)
	}
}

func shapeError(messages []Message) string {
	if len(messages) == 0 {
		return ""
	}
	used := map[string]bool{}
	open := map[string]bool{}
	for i, m := range messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return "roles do not alternate from the user"
		}
		if len(m.Content) == 0 {
			return "empty message"
		}
		thinkingOnly := true
		other := false
		for _, c := range m.Content {
			thinkingOnly = thinkingOnly && c.isThinking()
			switch c.Type {
			case "text":
				if c.Text == "" {
					return "empty text"
				}
				other = true
			case "tool_use":
				if m.Role != "assistant" || used[c.ID] || len(c.Input) == 0 || c.Input[0] != '{' {
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
	if messages[len(messages)-1].Role != "user" {
		return "does not end with the user"
	}
	return ""
}
