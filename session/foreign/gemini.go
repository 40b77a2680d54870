package foreign

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/sources"
)

// gemini reads the sessions of Gemini CLI: a file each in a folder of their project, of lines since 2026, before that one value.
type gemini struct{ home string }

// maxGemini is the size of a session that is read, in bytes: all messages are held at once.
const maxGemini = 64 << 20

func (g gemini) Places(ctx context.Context, id string) ([]sources.Place, error) {
	tmp := filepath.Join(g.home, "tmp")
	all, err := glob(ctx, tmp, "*", "chats", "session-*"+likely(id)+".json*")
	switch {
	case len(all) == 0 && id != "": // not every file is called after its session
		return g.Places(ctx, "")
	case len(all) == 0:
		return nil, err
	}
	var known struct{ Projects map[string]string }
	_ = json.Unmarshal(readSmall(ctx, filepath.Join(g.home, "projects.json")), &known) // it may be missing, and only names directories
	dirs := map[string]string{}
	for dir, name := range known.Projects {
		hash := sha256.Sum256([]byte(dir))
		dirs[name], dirs[hex.EncodeToString(hash[:])] = dir, dir
	}
	for i := range all {
		folder := filepath.Dir(filepath.Dir(all[i].Path))
		name := filepath.Base(folder)
		if _, has := dirs[name]; !has {
			dirs[name] = strings.TrimSpace(string(readSmall(ctx, filepath.Join(folder, ".project_root"))))
		}
		all[i].Dir = dirs[name]
	}
	return all, err
}

// geminiRecord is a line of a session, or the session itself in an older version: what the session is, a message, or a change of both.
type geminiRecord struct {
	ID       string          `json:"id"`
	At       time.Time       `json:"timestamp"`
	Type     string          `json:"type"`
	Content  json.RawMessage `json:"content"`
	Thoughts []struct{ Subject, Description string }
	Model    string
	Calls    []geminiCall `json:"toolCalls"`

	Session  string    `json:"sessionId"`
	Start    time.Time `json:"startTime"`
	Kind     string
	Summary  string
	Messages []geminiRecord
	Set      *geminiRecord `json:"$set"`
	Rewind   string        `json:"$rewindTo"`
}

// geminiCall is a call with its result.
type geminiCall struct {
	ID, Name, Status string
	Args, Result     json.RawMessage
	Display          json.RawMessage `json:"resultDisplay"`
}

// geminiSession is a session as its lines leave it.
type geminiSession struct {
	about    geminiRecord
	messages []geminiRecord
	at       map[string]int // places of messages by their ids
	model    string         // the newest that answered
	damaged  int
}

// geminiFold returns the session that a file holds.
func geminiFold(data []byte) (s geminiSession) {
	if len(bytes.TrimSpace(data)) > 0 && json.Unmarshal(data, &s.about) == nil && s.about.Session != "" { // one value, or one line
		s.set(s.about.Messages)
		return s
	}
	s.about, s.at = geminiRecord{}, map[string]int{}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var r geminiRecord
		if json.Unmarshal(line, &r) != nil {
			s.damaged++
			continue
		}
		s.add(r)
	}
	return s
}

// add applies a line.
func (s *geminiSession) add(r geminiRecord) {
	if r.Set != nil {
		s.describe(*r.Set)
		if r.Set.Messages != nil {
			s.set(r.Set.Messages)
		}
		return
	}
	s.describe(r)
	if at, known := s.at[r.Rewind]; known {
		for _, m := range s.messages[at:] {
			delete(s.at, m.ID)
		}
		s.messages = s.messages[:at]
	}
	if r.Type != "" {
		s.put(r)
	}
}

// put adds a message, or replaces the one with its id.
func (s *geminiSession) put(r geminiRecord) {
	if r.Model != "" {
		s.model = r.Model
	}
	if at, known := s.at[r.ID]; known {
		s.messages[at] = r
		return
	}
	if r.ID != "" {
		s.at[r.ID] = len(s.messages)
	}
	s.messages = append(s.messages, r)
}

// set replaces the messages.
func (s *geminiSession) set(all []geminiRecord) {
	s.messages, s.at = nil, map[string]int{}
	for _, r := range all {
		s.put(r)
	}
}

// describe takes what a line says about the session. The first start counts.
func (s *geminiSession) describe(r geminiRecord) {
	if r.Session != "" {
		s.about.Session = r.Session
	}
	if s.about.Start.IsZero() {
		s.about.Start = r.Start
	}
	if r.Kind != "" {
		s.about.Kind = r.Kind
	}
	if r.Summary != "" {
		s.about.Summary = r.Summary
	}
}

func (g gemini) fold(ctx context.Context, p sources.Place) (geminiSession, int64, error) {
	data, err := safefs.ReadFile(ctx, p.Path, maxGemini, safefs.NoLinks)
	if err != nil && !errors.Is(err, safefs.ErrTooLarge) {
		return geminiSession{}, 0, err
	}
	s := geminiFold(data)
	if err != nil {
		s.damaged++ // its end is missing
	}
	return s, int64(len(data)), nil
}

func (g gemini) Describe(ctx context.Context, p sources.Place) ([]session.Meta, error) {
	s, _, err := g.fold(ctx, p)
	if err != nil {
		return nil, err
	}
	if s.about.Session == "" {
		return nil, errors.New("it is no session of Gemini CLI")
	}
	if s.about.Kind == "subagent" {
		return nil, nil
	}
	m := session.Meta{ID: session.ID(s.about.Session), Dir: p.Dir, Title: s.about.Summary, Model: s.model, Created: s.about.Start}
	for _, r := range s.messages {
		if text, is := r.prompt(); is && m.First == "" {
			m.First = text
		}
	}
	if m.First == "" {
		return nil, nil
	}
	return []session.Meta{m}, nil
}

func (g gemini) read(ctx context.Context, p sources.Place, _ string, emit func(step) bool) (int64, error) {
	s, read, err := g.fold(ctx, p)
	if err != nil {
		return read, err
	}
	for range s.damaged {
		emit(step{kind: stepDamaged})
	}
	for _, r := range s.messages {
		for _, one := range r.steps() {
			if !emit(one) {
				return read, nil
			}
		}
	}
	return read, nil
}

// geminiPart is a part of a message. When a session is resumed, the program writes calls and their results as parts.
type geminiPart struct {
	Text     string
	Thought  bool
	Call     *geminiCall `json:"functionCall"`
	Response *struct {
		ID       string
		Response struct{ Output, Error string }
	} `json:"functionResponse"`
}

// parts returns the parts of a message, which may be one text.
func (r geminiRecord) parts() (parts []geminiPart) {
	var text string
	if json.Unmarshal(r.Content, &text) == nil {
		return []geminiPart{{Text: text}}
	}
	_ = json.Unmarshal(r.Content, &parts) // there may be none
	return parts
}

// text returns the words of a message.
func (r geminiRecord) text() string {
	var all texts
	for _, p := range r.parts() {
		if !p.Thought {
			all = append(all, struct{ Text string }{p.Text})
		}
	}
	return all.join("\n")
}

// prompt returns the words of a prompt, false for what the program adds and for results of calls.
func (r geminiRecord) prompt() (string, bool) {
	text := r.text()
	return text, r.Type == "user" && strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "<session_context>")
}

// steps returns the steps of a message.
func (r geminiRecord) steps() (all []step) {
	add := func(kind stepKind, text string) { all = append(all, step{kind: kind, at: r.At, text: text}) }
	switch r.Type {
	case "error":
		add(stepStop, r.text())
	case "info", "warning":
		add(stepNote, r.text())
	case "user":
		if text, is := r.prompt(); is {
			add(stepPrompt, text)
		}
	case "gemini":
		for _, t := range r.Thoughts {
			add(stepReasoning, strings.TrimSpace("**"+t.Subject+"**\n\n"+t.Description))
		}
	}
	for _, p := range r.parts() {
		switch {
		case p.Call != nil && len(r.Calls) > 0, p.Thought && len(r.Thoughts) > 0: // the record has them twice
		case p.Call != nil:
			all = append(all, step{kind: stepCall, at: r.At, call: p.Call.ID, name: p.Call.Name, input: p.Call.Args})
		case p.Response != nil:
			text := p.Response.Response.Output
			if text == "" {
				text = p.Response.Response.Error
			}
			all = append(all, step{kind: stepResult, at: r.At, call: p.Response.ID, text: text, bad: p.Response.Response.Error != ""})
		case r.Type == "gemini" && p.Thought:
			add(stepReasoning, p.Text)
		case r.Type == "gemini" && p.Text != "":
			add(stepAnswer, p.Text)
		}
	}
	for _, c := range r.Calls {
		all = append(all, step{kind: stepCall, at: r.At, call: c.ID, name: c.Name, input: c.Args})
		if text, ended := c.result(); ended {
			all = append(all, step{kind: stepResult, at: r.At, call: c.ID, text: text, bad: c.Status != "success"})
		}
	}
	return all
}

// result returns what a call returned: as the user saw it if that is a text, else as the model did. It is false for one that did not end.
func (c geminiCall) result() (text string, ended bool) {
	if c.Status == "cancelled" || c.Status == "" {
		return "", false
	}
	if json.Unmarshal(c.Display, &text) == nil && text != "" {
		return text, true
	}
	var results []struct {
		Response struct {
			Response struct{ Output, Error string }
		} `json:"functionResponse"`
	}
	_ = json.Unmarshal(c.Result, &results) // else the call returned nothing
	for _, r := range results {
		if text = r.Response.Response.Output; text == "" {
			text = r.Response.Response.Error
		}
	}
	return text, true
}
