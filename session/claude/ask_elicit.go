package claude

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/driver"
)

// elicitation is a request for input that an MCP server makes through the runtime.
type elicitation struct {
	Server  string          `json:"mcp_server_name"`
	Message string          `json:"message"`
	URL     string          `json:"url"`
	Schema  json.RawMessage `json:"requested_schema"`
}

// filled is the answer to it.
type filled struct {
	Action  string         `json:"action"` // accept, decline or cancel
	Content map[string]any `json:"content,omitempty"`
}

func (c *conversation) elicited(e *engine, r driver.Request, now time.Time) (any, []session.Event) {
	var q elicitation
	if json.Unmarshal(r.Raw, &q) != nil {
		return filled{Action: "cancel"}, nil
	}
	q.Schema = json.RawMessage(strings.Clone(string(q.Schema)))
	id := session.AskID(r.ID)
	e.asks[id] = &pendingAsk{kind: session.AskElicitation, turn: e.m.turn, schema: q.Schema}
	return nil, e.m.elicit(id, &session.ElicitationAsk{Server: q.Server, Message: q.Message, URL: q.URL, Schema: q.Schema}, now)
}

// filledIn carries what the user filled in, each field as the type that the schema says. Only a user declines: where there
// is nobody, the form is cancelled.
func (p *pendingAsk) filledIn(a session.Answer) any {
	if a.Decision != session.Allow {
		if a.Message == session.UnattendedReason {
			return filled{Action: "cancel"}
		}
		return filled{Action: "decline"}
	}
	var schema struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	if len(p.schema) > 0 && json.Unmarshal(p.schema, &schema) != nil {
		schema.Properties = nil // every field is text then
	}
	content := map[string]any{}
	for field, choices := range a.Choices {
		content[field] = typed(schema.Properties[field].Type, choices)
	}
	return filled{Action: "accept", Content: content}
}

// typed reads a field's choices as a JSON type. What cannot be read so stays text, and the server says what is wrong.
func typed(kind string, choices []string) any {
	text := strings.Join(choices, ", ")
	switch kind {
	case "array":
		return choices
	case "boolean":
		if b, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text))); err == nil {
			return b
		}
	case "integer":
		if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
			return n
		}
	case "number":
		if f, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
			return f
		}
	}
	return text
}
