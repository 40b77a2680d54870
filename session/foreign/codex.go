package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/sources"
)

// codexArchive is the folder of sessions that the program no longer lists.
const codexArchive = "archived_sessions"

// codex reads the sessions of Codex: a file of lines each, in a folder of its day or among the archived ones.
type codex struct{ home string }

func (c codex) Places(ctx context.Context, id string) ([]sources.Place, error) {
	file := "rollout-*" + likely(id) + ".jsonl"
	live, err := glob(ctx, filepath.Join(c.home, "sessions"), "[0-9]*", "[0-9]*", "[0-9]*", file)
	archived, other := glob(ctx, filepath.Join(c.home, codexArchive), file)
	return append(live, archived...), errors.Join(err, other)
}

// codexLine is a line of a session. Of the payload only what a kind needs is decoded.
type codexLine struct {
	At      time.Time       `json:"timestamp"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// codexName matches the end of the name of a file: the session's id.
var codexName = lazyregexp.New(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

func (c codex) Describe(_ context.Context, p sources.Place) ([]session.Meta, error) {
	m := session.Meta{ID: session.ID(codexName.FindString(nameOf(p.Path)))}
	child := false
	look := func(lines []byte) {
		for line := range bytes.Lines(lines) {
			child = codexMeta(line, &m) || child
		}
	}
	head, tail, err := ends.Read(p.Path, func(head []byte) bool {
		look(head)
		return m.First != ""
	})
	if err != nil {
		return nil, err
	}
	look(head)
	look(tail)
	if m.Created.IsZero() && len(bytes.TrimSpace(head)) > 0 {
		return nil, errors.New("it does not begin as a session of Codex does")
	}
	if m.First == "" || child {
		return nil, nil
	}
	return []session.Meta{m}, nil
}

// codexMeta completes a description by a line, and reports whether the session is that of a child agent.
func codexMeta(line []byte, m *session.Meta) (child bool) {
	var l codexLine
	if json.Unmarshal(line, &l) != nil {
		return false
	}
	var d struct {
		Cwd, Model string
		Git        struct{ Branch string }
		Source     json.RawMessage
		Thread     string `json:"thread_source"`
		Type       string
		Name       string `json:"thread_name"`
	}
	switch l.Type {
	case "session_meta":
		if json.Unmarshal(l.Payload, &d) != nil || !m.Created.IsZero() {
			return false
		}
		m.Created, m.Dir, m.Branch = l.At, d.Cwd, d.Git.Branch
		return d.Thread == "subagent" || bytes.Contains(d.Source, []byte(`"subagent"`))
	case "turn_context":
		if json.Unmarshal(l.Payload, &d) == nil && d.Model != "" {
			m.Model = d.Model
		}
	case "event_msg":
		if json.Unmarshal(l.Payload, &d) == nil && d.Type == "thread_name_updated" {
			m.Title = d.Name
		}
	case "response_item":
		if m.First == "" {
			codexStep(l, func(s step) bool {
				if s.kind == stepPrompt {
					m.First = s.text
				}
				return true
			})
		}
	}
	return false
}

func (c codex) read(ctx context.Context, p sources.Place, _ string, emit func(step) bool) (int64, error) {
	return lines(ctx, p.Path, func(line []byte) bool {
		var l codexLine
		if line == nil || json.Unmarshal(line, &l) != nil {
			return emit(step{kind: stepDamaged})
		}
		return codexStep(l, emit)
	})
}

// codexItem is what steps need of a payload, of all kinds.
type codexItem struct {
	Type, Role, Name, Arguments, Message, Reason string
	Content, Summary                             texts
	Input, Output                                json.RawMessage
	Call                                         string `json:"call_id"`
	Action                                       struct {
		Command []string
		Query   string
	}
	Passed struct {
		Kinds []string `json:"content_item_kinds"`
	} `json:"internal_chat_message_metadata_passthrough"`
}

// codexStep passes the steps of a line to emit and returns what that returned.
func codexStep(l codexLine, emit func(step) bool) bool {
	if l.Type != "response_item" && l.Type != "event_msg" && l.Type != "compacted" {
		return true
	}
	var d codexItem
	if json.Unmarshal(l.Payload, &d) != nil && l.Type == "response_item" {
		return emit(step{kind: stepDamaged})
	}
	s := step{at: l.At, call: d.Call, name: d.Name}
	switch {
	case l.Type == "compacted":
		s.kind, s.text = stepNote, "Codex shortened the conversation here."
	case l.Type == "event_msg":
		switch d.Type {
		case "turn_aborted":
			s.kind = stepStop
		case "error":
			s.kind, s.text = stepStop, d.Message
		default:
			return true
		}
	case d.Type == "message" && d.Role == "user":
		s.kind, s.text = stepPrompt, d.Content.join("\n")
		if !codexPrompt(s.text, d.Passed.Kinds) {
			return true
		}
	case d.Type == "message" && d.Role == "assistant":
		s.kind, s.text = stepAnswer, d.Content.join("\n")
	case d.Type == "reasoning":
		s.kind, s.text = stepReasoning, d.Summary.join("\n\n")
	case d.Type == "function_call":
		s.kind, s.input = stepCall, json.RawMessage(d.Arguments)
		if d.Name == "shell" {
			s.name, s.input = "bash", codexShell(s.input)
		}
	case d.Type == "custom_tool_call":
		s.kind, s.input = stepCall, d.Input
	case d.Type == "local_shell_call":
		s.kind, s.name, s.input = stepCall, "bash", field("command", strings.Join(d.Action.Command, " "))
	case d.Type == "web_search_call":
		s.kind, s.name, s.input = stepCall, "web_search", field("query", d.Action.Query)
	case d.Type == "function_call_output" || d.Type == "custom_tool_call_output":
		s.kind = stepResult
		s.text, s.exit = codexOutput(d.Output)
		s.bad = s.exit != nil && *s.exit != 0
	default:
		return true
	}
	return emit(s)
}

// codexPrompt reports whether a message of the user is from the user: the program adds others, which newer versions mark.
func codexPrompt(text string, kinds []string) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	if len(kinds) > 0 {
		return strings.Contains(strings.Join(kinds, " "), "user.")
	}
	for _, added := range []string{"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<INSTRUCTIONS>", "<turn_aborted>", "<skill>",
		"<permissions instructions>", "<subagent_notification>"} {
		if strings.HasPrefix(strings.TrimSpace(text), added) {
			return false
		}
	}
	return true
}

// codexShell returns the input of an older version's command as a command line.
func codexShell(input json.RawMessage) json.RawMessage {
	var d struct{ Command []string }
	if json.Unmarshal(input, &d) != nil || len(d.Command) == 0 {
		return input
	}
	if c := d.Command; len(c) == 3 && c[1] == "-lc" {
		return field("command", c[2])
	}
	return field("command", strings.Join(d.Command, " "))
}

// codexExit matches how a command ended in the head of its output.
var codexExit = lazyregexp.New(`Process exited with code (\d+)`)

// codexOutput returns the output of a call, without the head that newer versions write for the model, and a command's exit status.
func codexOutput(raw json.RawMessage) (text string, exit *int) {
	var list texts
	var old struct {
		Output   string
		Metadata struct {
			Exit *int `json:"exit_code"`
		}
	}
	switch {
	case json.Unmarshal(raw, &text) == nil:
	case json.Unmarshal(raw, &list) == nil:
		text = list.join("\n")
	}
	if strings.HasPrefix(text, `{"output":`) && json.Unmarshal([]byte(text), &old) == nil {
		return old.Output, old.Metadata.Exit
	}
	const mark = "\nOutput:\n"
	if at := strings.Index(text, mark); at >= 0 && at < 300 {
		if found := codexExit.FindStringSubmatch(text[:at]); found != nil {
			if n, err := strconv.Atoi(found[1]); err == nil {
				return text[at+len(mark):], &n
			}
		}
	}
	return text, nil
}

// texts are the texts of a list of parts; other parts have none.
type texts []struct{ Text string }

func (t texts) join(between string) string {
	var all []string
	for _, c := range t {
		if c.Text != "" {
			all = append(all, c.Text)
		}
	}
	return strings.Join(all, between)
}

// field returns an object with one text.
func field(name, text string) json.RawMessage {
	b, err := json.Marshal(map[string]string{name: text})
	if err != nil {
		return nil
	}
	return b
}
