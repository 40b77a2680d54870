package claude

import (
	"encoding/json"
	"math"
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

// elicited registers a request for input and returns its event. The lock is held.
func (e *engine) elicited(r driver.Request, now time.Time) (any, []session.Event) {
	var q elicitation
	if json.Unmarshal(r.Raw, &q) != nil {
		return filled{Action: "cancel"}, nil
	}
	q.Schema = json.RawMessage(strings.Clone(string(q.Schema)))
	id := session.AskID(r.ID)
	e.asks[id] = &pendingAsk{kind: session.AskElicitation, turn: e.m.Turn(), schema: q.Schema}
	return nil, e.m.Elicit(id, &session.ElicitationAsk{Server: q.Server, Message: q.Message, URL: q.URL, Schema: q.Schema}, now)
}

// filledIn returns the fields as the types of the schema. Only a user declines a form; without a user it is cancelled.
func (p *pendingAsk) filledIn(a session.Answer) any {
	if a.Decision != session.Allow {
		if a.Decision == session.Cancel || a.Message == session.UnattendedReason {
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
		schema.Properties = nil // all fields are text
	}
	content := map[string]any{}
	for field, choices := range a.Choices {
		if v, ok := typed(schema.Properties[field].Type, choices); ok {
			content[field] = v
		}
	}
	return filled{Action: "accept", Content: content}
}

// typed returns a field's choices as a JSON type, false if they do not fit: the server never gets a value of another type,
// and reports missing ones itself.
func typed(kind string, choices []string) (any, bool) {
	text := strings.Join(choices, ", ")
	plain := strings.TrimSpace(text)
	var v any = text
	var err error
	switch kind {
	case "array":
		v = choices
	case "boolean":
		v, err = strconv.ParseBool(strings.ToLower(plain))
	case "integer":
		v, err = strconv.ParseInt(plain, 10, 64)
	case "number":
		var f float64
		f, err = strconv.ParseFloat(plain, 64)
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, false // not representable in JSON
		}
		v = f
	}
	return v, err == nil
}
