package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"zombiezen.com/go/sqlite"

	"parley/session"
	"parley/session/sources"
)

// crush reads the sessions of crush: a database in each project, which the program lists in a file of its own.
type crush struct {
	list string                 // the file with the projects
	here func() (string, error) // the working directory, whose database counts also if it is not listed
	db   *database
}

// maxProjects bounds the databases that are looked for.
const maxProjects = 1000

func (c crush) Places(ctx context.Context, id string) ([]sources.Place, error) {
	var known struct {
		Projects []struct {
			Path string `json:"path"`
			Data string `json:"data_dir"`
		} `json:"projects"`
	}
	var err error
	if text := readSmall(ctx, c.list); text != nil && json.Unmarshal(text, &known) != nil {
		err = errors.New(c.list + ": it is no list of projects")
	}
	var all []sources.Place
	had := map[string]bool{}
	add := func(dir, data string) {
		path := filepath.Join(data, "crush.db")
		if !filepath.IsAbs(data) {
			path = filepath.Join(dir, data, "crush.db")
		}
		if filepath.IsAbs(dir) && !had[path] {
			had[path] = true
			all = append(all, databaseAt(path, dir)...)
		}
	}
	for _, p := range known.Projects[:min(len(known.Projects), maxProjects)] {
		if p.Data == "" {
			p.Data = ".crush"
		}
		add(p.Path, p.Data)
	}
	if dir, err := c.here(); err == nil {
		add(dir, ".crush")
	}
	return all, err
}

func (c crush) Describe(ctx context.Context, p sources.Place) (metas []session.Meta, err error) {
	return c.db.describe(ctx, p, `SELECT s.*, (SELECT parts FROM messages m WHERE m.session_id=s.id AND role='user' ORDER BY created_at, rowid LIMIT 1) AS said,
		(SELECT model FROM messages m WHERE m.session_id=s.id AND model<>'' ORDER BY created_at DESC LIMIT 1) AS used
		FROM (SELECT * FROM sessions WHERE coalesce(parent_session_id, '')='' ORDER BY updated_at DESC LIMIT $most) s`, func(r row) (m session.Meta, said bool) {
		m = session.Meta{ID: session.ID(r.brief("id")), Dir: p.Dir, Title: r.brief("title"), Model: r.brief("used"), Created: r.time("created_at"), Updated: r.time("updated_at")}
		m.First, said = r.first("said", crushSteps)
		return m, said
	})
}

func (c crush) read(ctx context.Context, p sources.Place, id string, emit func(step) bool) (int64, error) {
	return c.db.steps(ctx, p, emit, func(conn *sqlite.Conn, found func(step) bool) error {
		return c.db.rows(conn, `SELECT * FROM (SELECT *, rowid AS n FROM messages WHERE session_id=? LIMIT $most) ORDER BY created_at, n`, func(r row) bool {
			s := step{at: r.time("created_at")}
			if r.s.GetBool("is_summary_message") {
				if s.kind, s.text = stepNote, "crush shortened the conversation here."; !found(s) {
					return false
				}
			}
			return crushSteps(r.text("role"), r.text("parts"), s, found)
		}, id)
	})
}

// crushPart is a part of a message.
type crushPart struct {
	Type string
	Data struct {
		Text, Thinking  string
		Hidden          bool
		ID, Name, Input string
		Call            string `json:"tool_call_id"`
		Content         string
		Bad             bool `json:"is_error"`
		Reason, Message string
		Details         string
		Command, Output string
		Exit            int `json:"exit_code"`
	}
}

// crushSteps passes the steps of a message on; see [message].
func crushSteps(role, parts string, s step, emit func(step) bool) bool {
	return message(parts, s, emit, func(p crushPart, made *step) bool {
		switch d := p.Data; {
		case p.Type == "text" && role == "user" && !d.Hidden:
			made.kind, made.text = stepPrompt, d.Text
		case p.Type == "text" && role == "assistant":
			made.kind, made.text = stepAnswer, d.Text
		case p.Type == "reasoning":
			made.kind, made.text = stepReasoning, d.Thinking
		case p.Type == "tool_call":
			made.kind, made.text, made.call, made.name, made.input = stepCall, "", d.ID, d.Name, json.RawMessage(d.Input)
		case p.Type == "tool_result":
			made.kind, made.text, made.call, made.bad = stepResult, d.Content, d.Call, d.Bad
		case p.Type == "shell_command":
			made.kind, made.text = stepPrompt, "$ "+d.Command+"\n"+d.Output
		case p.Type == "finish" && d.Reason == "canceled":
			made.kind, made.text = stepStop, ""
		case p.Type == "finish" && (d.Reason == "error" || d.Reason == "content_filter"):
			made.kind, made.text = stepStop, strings.TrimSpace("The model failed. "+d.Message+" "+d.Details)
		default:
			return false
		}
		return true
	})
}
