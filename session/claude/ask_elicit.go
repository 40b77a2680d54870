package claude

import (
	"encoding/json"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/form"
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
	Action string `json:"action"` // accept, decline or cancel
	// Content is a map of the fields, nil where none were asked for.
	Content any `json:"content,omitempty"`
}

// elicited registers a request for input and returns its event. The lock is held.
func (e *engine) elicited(r driver.Request, now time.Time) (any, []session.Event) {
	var q elicitation
	if json.Unmarshal(r.Raw, &q) != nil {
		return filled{Action: "cancel"}, nil
	}
	q.Schema = json.RawMessage(strings.Clone(string(q.Schema)))
	id := session.AskID(r.ID)
	e.asks.Open(id, nil, &pendingAsk{kind: session.AskElicitation, turn: e.m.Turn(), schema: q.Schema})
	return nil, e.m.Open(session.Asked{Ask: id, Kind: session.AskElicitation,
		Elicitation: &session.ElicitationAsk{Server: q.Server, Message: q.Message, URL: q.URL, Schema: q.Schema}}, "", now)
}

// filledIn returns the fields as the types of the schema. Only a user declines a form; without a user it is cancelled.
func (p *pendingAsk) filledIn(a session.Answer) any {
	if a.Decision != session.Allow {
		if a.Decision == session.Cancel || a.Message == session.UnattendedReason {
			return filled{Action: "cancel"}
		}
		return filled{Action: "decline"}
	}
	if len(p.schema) == 0 { // a page that was opened
		return filled{Action: "accept"}
	}
	return filled{Action: "accept", Content: form.Content(p.schema, a.Choices)}
}
