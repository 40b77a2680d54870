package claude

import (
	"encoding/json"
	"math"
	"slices"
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
	if len(p.schema) == 0 { // a page that was opened
		return filled{Action: "accept"}
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(p.schema, &schema) // all fields of a malformed one are text
	content := map[string]any{}
	for name, choices := range a.Choices {
		var f formField
		_ = json.Unmarshal(schema.Properties[name], &f)
		if v, ok := f.value(choices); ok {
			content[name] = v
		}
	}
	return filled{Action: "accept", Content: content}
}

// formField is a field of a form's schema: text, a number, yes or no, or one or several values of a list.
type formField struct {
	Type    any             `json:"type"` // a name, or several
	Minimum *float64        `json:"minimum"`
	Maximum *float64        `json:"maximum"`
	Items   json.RawMessage `json:"items"`
	valueList
}

// valueList holds the values that a field takes; none: any.
type valueList struct {
	Enum  []json.RawMessage `json:"enum"`
	OneOf []named           `json:"oneOf"`
	AnyOf []named           `json:"anyOf"`
}

// named is a value with a title for the user.
type named struct {
	Const json.RawMessage `json:"const"`
}

// value returns the choices of a field as a JSON value, false if they do not fit: the server never gets a value of another
// type or one that it does not list, and reports missing ones itself.
func (f formField) value(choices []string) (any, bool) {
	kind := f.kind()
	if kind == "array" {
		var items valueList
		_ = json.Unmarshal(f.Items, &items)
		all := []any{}
		for _, choice := range choices {
			v, ok := items.find(choice)
			if !ok {
				return nil, false
			}
			all = append(all, v)
		}
		return all, true
	}
	text := strings.Join(choices, ", ")
	if len(f.values()) > 0 {
		return f.find(text)
	}
	plain := strings.TrimSpace(text)
	switch kind {
	case "boolean":
		v, err := strconv.ParseBool(strings.ToLower(plain))
		return v, err == nil
	case "integer":
		v, err := strconv.ParseInt(plain, 10, 64)
		return v, err == nil && f.bounds(float64(v))
	case "number":
		v, err := strconv.ParseFloat(plain, 64)
		return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && f.bounds(v) // others are not representable in JSON
	}
	return text, true
}

// kind returns the type of a field, of several the first that is not null.
func (f formField) kind() string {
	switch t := f.Type.(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if name, ok := one.(string); ok && name != "null" {
				return name
			}
		}
	}
	return ""
}

// bounds reports whether a number is one that the field takes.
func (f formField) bounds(v float64) bool {
	return (f.Minimum == nil || v >= *f.Minimum) && (f.Maximum == nil || v <= *f.Maximum)
}

func (l valueList) values() []json.RawMessage {
	all := slices.Clone(l.Enum)
	for _, n := range slices.Concat(l.OneOf, l.AnyOf) {
		if len(n.Const) > 0 {
			all = append(all, n.Const)
		}
	}
	return all
}

// find returns the listed value that a choice spells, in its own type. Where nothing is listed, the choice is the value.
func (l valueList) find(choice string) (any, bool) {
	values := l.values()
	if len(values) == 0 {
		return choice, true
	}
	for _, v := range values {
		var text string
		if json.Unmarshal(v, &text) != nil {
			text = string(v)
		}
		if text == choice {
			return v, true
		}
	}
	return nil, false
}
