package foreign

import (
	"context"
	"encoding/json"

	"zombiezen.com/go/sqlite"

	"parley/session"
	"parley/session/sources"
)

// goose reads the sessions of goose from its one database.
type goose struct {
	path string
	db   *database
}

func (g goose) Places(context.Context, string) ([]sources.Place, error) {
	return databaseAt(g.path, ""), nil
}

func (g goose) Describe(ctx context.Context, p sources.Place) (metas []session.Meta, err error) {
	return g.db.describe(ctx, p, `SELECT s.*, (SELECT content_json FROM messages m WHERE m.session_id=s.id AND role='user' ORDER BY id LIMIT 1) AS said
		FROM (SELECT * FROM sessions ORDER BY updated_at DESC LIMIT $most) s`, func(r row) (m session.Meta, said bool) {
		switch r.text("session_type") {
		case "sub_agent", "hidden":
			return m, false
		}
		var model struct {
			Name string `json:"model_name"`
		}
		_ = json.Unmarshal([]byte(r.text("model_config_json")), &model) // older versions have none
		m = session.Meta{ID: session.ID(r.brief("id")), Dir: r.brief("working_dir"), Title: r.brief("name"), Model: brief(model.Name), Created: r.time("created_at"), Updated: r.time("updated_at")}
		if m.Title == "" {
			m.Title = r.brief("description")
		}
		m.First, said = r.first("said", gooseSteps)
		return m, said
	})
}

func (g goose) read(ctx context.Context, p sources.Place, id string, emit func(step) bool) (int64, error) {
	return g.db.steps(ctx, p, emit, func(c *sqlite.Conn, found func(step) bool) error {
		return g.db.rows(c, `SELECT * FROM (SELECT * FROM messages WHERE session_id=? LIMIT $most) ORDER BY id`, func(r row) bool {
			var about struct {
				Visible *bool `json:"userVisible"`
			}
			if json.Unmarshal([]byte(r.text("metadata_json")), &about) == nil && about.Visible != nil && !*about.Visible {
				return true
			}
			return gooseSteps(r.text("role"), r.text("content_json"), step{at: r.time("created_timestamp")}, found)
		}, id)
	})
}

// gooseOutcome is a value or an error.
type gooseOutcome struct {
	Status string
	Value  json.RawMessage
	Error  string
}

// gooseContent is a part of a message.
type gooseContent struct {
	Type, Text, ID, Thinking, Msg string
	Call                          gooseOutcome `json:"toolCall"`
	Result                        gooseOutcome `json:"toolResult"`
}

// gooseSteps passes the steps of a message on; see [message].
func gooseSteps(role, content string, s step, emit func(step) bool) bool {
	return message(content, s, emit, func(c gooseContent, made *step) bool {
		made.text, made.call = c.Text, c.ID
		switch {
		case c.Type == "text" && role == "user":
			made.kind = stepPrompt
		case c.Type == "text":
			made.kind = stepAnswer
		case c.Type == "thinking":
			made.kind, made.text = stepReasoning, c.Thinking
		case c.Type == "systemNotification":
			made.kind, made.text = stepNote, c.Msg
		case c.Type == "toolRequest":
			var call struct {
				Name      string
				Arguments json.RawMessage
			}
			_ = json.Unmarshal(c.Call.Value, &call) // a call that the model wrote badly has none
			made.kind, made.name, made.input = stepCall, call.Name, call.Arguments
		case c.Type == "toolResponse":
			made.kind = stepResult
			made.text, made.bad = c.Result.text()
		default:
			return false
		}
		return true
	})
}

// text returns what a call returned, and whether it failed. Older versions have a list of parts as the value, newer ones an object with it.
func (o gooseOutcome) text() (string, bool) {
	if o.Status == "error" {
		return o.Error, true
	}
	var parts texts
	if json.Unmarshal(o.Value, &parts) == nil {
		return parts.join("\n"), false
	}
	var value struct {
		Content texts
		Bad     bool `json:"isError"`
	}
	_ = json.Unmarshal(o.Value, &value) // else it returned nothing
	return value.Content.join("\n"), value.Bad
}
