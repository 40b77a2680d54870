package foreign

import (
	"context"
	"encoding/json"
	"strings"

	"zombiezen.com/go/sqlite"

	"parley/session"
)

// goose reads the sessions of goose from its one database.
type goose struct {
	path string
	db   *database
}

func (g goose) places(context.Context) ([]place, error) { return databaseAt(g.path, ""), nil }

func (g goose) describe(ctx context.Context, p place) (metas []session.Meta, err error) {
	err = g.db.use(ctx, p, false, func(c *sqlite.Conn) error {
		metas = nil
		return g.db.rows(c, `SELECT s.*, (SELECT content_json FROM messages m WHERE m.session_id=s.id AND role='user' ORDER BY id LIMIT 1) AS said
			FROM (SELECT * FROM sessions ORDER BY updated_at DESC LIMIT $most) s`, func(r row) bool {
			switch r.text("session_type") {
			case "sub_agent", "hidden":
				return true
			}
			var model struct {
				Name string `json:"model_name"`
			}
			_ = json.Unmarshal([]byte(r.text("model_config_json")), &model) // older versions have none
			m := session.Meta{ID: session.ID(r.brief("id")), Dir: r.brief("working_dir"), Title: r.brief("name"), Model: brief(model.Name), Created: r.time("created_at"), Updated: r.time("updated_at")}
			if m.Title == "" {
				m.Title = r.brief("description")
			}
			said := false
			if m.First, said = r.first("said", gooseSteps); said {
				metas = append(metas, m)
			}
			return true
		})
	})
	return metas, err
}

func (g goose) read(ctx context.Context, p place, id string, emit func(step) bool) (int64, error) {
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

// gooseSteps passes the steps of a message on: like s, with what its parts say. The texts of a prompt are one.
func gooseSteps(role, content string, s step, emit func(step) bool) bool {
	var all []json.RawMessage
	if json.Unmarshal([]byte(content), &all) != nil {
		return emit(step{kind: stepDamaged})
	}
	var prompt []string
	var steps []step
	for _, raw := range all {
		var c gooseContent
		one := s
		if json.Unmarshal(raw, &c) != nil {
			one.kind = stepDamaged
			steps = append(steps, one)
			continue
		}
		one.text, one.call = c.Text, c.ID
		switch {
		case c.Type == "text" && role == "user":
			prompt = append(prompt, c.Text)
			continue
		case c.Type == "text":
			one.kind = stepAnswer
		case c.Type == "thinking":
			one.kind, one.text = stepReasoning, c.Thinking
		case c.Type == "systemNotification":
			one.kind, one.text = stepNote, c.Msg
		case c.Type == "toolRequest":
			var call struct {
				Name      string
				Arguments json.RawMessage
			}
			_ = json.Unmarshal(c.Call.Value, &call) // a call that the model wrote badly has none
			one.kind, one.name, one.input = stepCall, call.Name, call.Arguments
		case c.Type == "toolResponse":
			one.kind = stepResult
			one.text, one.bad = c.Result.text()
		default:
			continue
		}
		steps = append(steps, one)
	}
	return emitMessage(strings.Join(prompt, "\n"), s.at, steps, emit)
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
