package foreign

import (
	"context"
	"encoding/json"

	"zombiezen.com/go/sqlite"

	"parley/session"
	"parley/session/sources"
)

// opencode reads the sessions of opencode from its one database.
type opencode struct {
	path string
	db   *database
}

func (o opencode) Places(context.Context, string) ([]sources.Place, error) {
	return databaseAt(o.path, ""), nil
}

func (o opencode) Describe(ctx context.Context, p sources.Place) (metas []session.Meta, err error) {
	return o.db.describe(ctx, p, `SELECT s.*, (SELECT substr(p.data, 1, 4000) FROM message m JOIN part p ON p.message_id=m.id
		WHERE m.session_id=s.id ORDER BY m.time_created, m.id, p.id LIMIT 1) AS said
		FROM (SELECT * FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT $most) s`, func(r row) (m session.Meta, said bool) {
		var model struct{ ID string }
		_ = json.Unmarshal([]byte(r.text("model")), &model) // older versions have none
		m = session.Meta{ID: session.ID(r.brief("id")), Dir: r.brief("directory"), Title: r.brief("title"), Model: brief(model.ID),
			Created: r.time("time_created"), Updated: r.time("time_updated")}
		var first opencodePart
		if json.Unmarshal([]byte(r.text("said")), &first) == nil && first.Type == "text" {
			m.First = brief(first.Text)
		}
		return m, r.text("said") != ""
	})
}

// opencodeMessage is what a message says besides its parts.
type opencodeMessage struct {
	Role  string
	Error *struct {
		Name string
		Data struct{ Message string }
	}
}

// opencodePart is a part of a message.
type opencodePart struct {
	Type, Text, Tool string
	Call             string `json:"callID"`
	Synthetic        bool
	State            struct {
		Status, Output, Error string
		Input                 json.RawMessage
		Metadata              struct{ Exit *int }
	}
}

func (o opencode) read(ctx context.Context, p sources.Place, id string, emit func(step) bool) (int64, error) {
	return o.db.steps(ctx, p, emit, func(c *sqlite.Conn, found func(step) bool) error {
		undone := "" // the message from which on all was taken back
		if err := o.db.rows(c, `SELECT * FROM session WHERE id=?`, func(r row) bool {
			var d struct{ MessageID string }
			_ = json.Unmarshal([]byte(r.text("revert")), &d) // nothing was
			undone = d.MessageID
			return false
		}, id); err != nil {
			return err
		}
		last, going := "", true
		var m opencodeMessage
		err := o.db.rows(c, `SELECT * FROM (SELECT m.id AS message, m.time_created AS at, m.data AS about, p.id AS part, p.data AS data
			FROM message m LEFT JOIN part p ON p.message_id=m.id WHERE m.session_id=? LIMIT $most) ORDER BY at, message, part`, func(r row) bool {
			now := r.text("message")
			if now == undone && undone != "" {
				return false
			}
			if now != last {
				going = opencodeEnd(m, step{at: r.time("at")}, found)
				if last, m = now, (opencodeMessage{}); going && (r.long("about") || json.Unmarshal([]byte(r.text("about")), &m) != nil) {
					going = found(step{kind: stepDamaged})
				}
			}
			going = going && opencodeStep(r, m, found)
			return going
		}, id)
		if going {
			opencodeEnd(m, step{}, found)
		}
		return err
	})
}

// opencodeEnd passes on how a message ended, if that was not as it should.
func opencodeEnd(m opencodeMessage, s step, emit func(step) bool) bool {
	if m.Error == nil {
		return true
	}
	if s.kind = stepStop; m.Error.Name != "MessageAbortedError" {
		if s.text = m.Error.Data.Message; s.text == "" {
			s.text = m.Error.Name + "."
		}
	}
	return emit(s)
}

// opencodeStep passes the steps of a part on.
func opencodeStep(r row, m opencodeMessage, emit func(step) bool) bool {
	var d opencodePart
	switch text := r.text("data"); {
	case text == "" && !r.long("data"):
		return true // a message without parts
	case json.Unmarshal([]byte(text), &d) != nil:
		return emit(step{kind: stepDamaged})
	}
	s := step{at: r.time("at"), text: d.Text, call: d.Call, name: d.Tool, input: d.State.Input}
	switch {
	case d.Type == "text" && d.Synthetic:
		return true
	case d.Type == "text" && m.Role == "user":
		s.kind = stepPrompt
	case d.Type == "text":
		s.kind = stepAnswer
	case d.Type == "reasoning":
		s.kind = stepReasoning
	case d.Type == "compaction":
		s.kind, s.text = stepNote, "opencode shortened the conversation here."
	case d.Type == "tool":
		if s.kind = stepCall; !emit(s) {
			return false
		}
		s.kind, s.text, s.exit = stepResult, d.State.Output, d.State.Metadata.Exit
		if s.bad = d.State.Status == "error"; s.bad {
			s.text = d.State.Error
		}
		return d.State.Status != "completed" && !s.bad || emit(s)
	default:
		return true
	}
	return emit(s)
}
