package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/sources"
)

// antigravity reads the sessions of Antigravity's command line: a file of lines each, in a folder with the session's id.
type antigravity struct{ home string }

func (a antigravity) Places(ctx context.Context, id string) ([]sources.Place, error) {
	all, err := glob(ctx, filepath.Join(a.home, "brain"), likely(id), ".system_generated", "logs", "transcript*.jsonl")
	if len(all) == 0 {
		return nil, err
	}
	var last map[string]json.RawMessage
	_ = json.Unmarshal(readSmall(ctx, filepath.Join(a.home, "cache", "last_conversations.json")), &last) // it only names directories
	dirs := map[string]string{}
	for dir, id := range last {
		dirs[strings.Trim(string(id), `"`)] = dir
	}
	var whole []sources.Place
	for _, p := range all { // in the order of their names
		if n := len(whole); n > 0 && filepath.Dir(whole[n-1].Path) == filepath.Dir(p.Path) {
			if nameOf(p.Path) == "transcript_full" { // transcript.jsonl has long texts cut
				p.Dir = whole[n-1].Dir
				whole[n-1] = p
			}
			continue
		}
		p.Dir = dirs[antigravityID(p)]
		whole = append(whole, p)
	}
	return whole, err
}

// antigravityID returns the id of the session of a file.
func antigravityID(p sources.Place) string {
	return filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(p.Path))))
}

// antigravityLine is a step of a session.
type antigravityLine struct {
	Type, Source, Status, Content, Thinking, Error string
	At                                             time.Time `json:"created_at"`
	Index                                          *int      `json:"step_index"`
	Calls                                          []struct {
		Name string
		Args json.RawMessage
	} `json:"tool_calls"`
}

func (a antigravity) Describe(_ context.Context, p sources.Place) ([]session.Meta, error) {
	m := session.Meta{ID: session.ID(antigravityID(p)), Dir: p.Dir}
	steps := 0
	look := func(lines []byte) {
		for line := range bytes.Lines(lines) {
			var l antigravityLine
			if json.Unmarshal(line, &l) != nil || l.Index == nil {
				continue
			}
			steps++
			if m.Created.IsZero() {
				m.Created = l.At
			}
			if l.Type == "USER_INPUT" && m.First == "" {
				m.First = antigravityPrompt(l.Content)
			}
			if found := antigravityModel.FindStringSubmatch(l.Content); found != nil && l.Type == "USER_INPUT" {
				m.Model = found[1]
			}
			for _, c := range l.Calls {
				var d struct{ Cwd string }
				if json.Unmarshal(c.Args, &d) == nil && m.Dir == "" && filepath.IsAbs(d.Cwd) {
					m.Dir = d.Cwd
				}
			}
		}
	}
	head, tail, err := ends.Read(p.Path, func(head []byte) bool {
		look(head)
		return m.First != "" && m.Dir != ""
	})
	if err != nil {
		return nil, err
	}
	look(head)
	look(tail)
	if steps == 0 && len(bytes.TrimSpace(head)) > 0 {
		return nil, errors.New("it is no session of Antigravity")
	}
	if m.First == "" {
		return nil, nil
	}
	return []session.Meta{m}, nil
}

// antigravityModel matches the choice of a model in what the program adds to a prompt.
var antigravityModel = lazyregexp.New("`Model Selection` from .{1,80}? to (.{1,80}?)\\.(?: No need|\n|$)")

// antigravityPrompt returns what the user wrote of a prompt.
func antigravityPrompt(content string) string {
	const begin, end = "<USER_REQUEST>", "</USER_REQUEST>"
	if _, after, has := strings.Cut(content, begin); has {
		if at := strings.LastIndex(after, end); at >= 0 {
			after = after[:at]
		}
		return strings.TrimSpace(after)
	}
	if at := strings.Index(content, "<ADDITIONAL_METADATA>"); at >= 0 {
		content = content[:at]
	}
	return strings.TrimSpace(content)
}

// antigravityHead matches the times at the beginning of a result.
var antigravityHead = lazyregexp.New(`^Created At: [^\n]*\n(Completed At: [^\n]*\n)?\s*`)

func (a antigravity) read(ctx context.Context, p sources.Place, _ string, emit func(step) bool) (int64, error) {
	waiting := 0 // calls without a result: the next steps of other kinds are the results, in their order
	return lines(ctx, p.Path, func(line []byte) bool {
		var l antigravityLine
		if line == nil || json.Unmarshal(line, &l) != nil {
			return emit(step{kind: stepDamaged})
		}
		s := step{at: l.At, text: l.Content}
		switch {
		case l.Type == "USER_INPUT":
			waiting = 0
			if s.text = antigravityPrompt(l.Content); s.text == "" {
				return true
			}
			return emit(s)
		case l.Type == "PLANNER_RESPONSE":
			if l.Thinking != "" && !emit(step{kind: stepReasoning, at: l.At, text: l.Thinking}) {
				return false
			}
			if s.kind = stepAnswer; s.text != "" && !emit(s) {
				return false
			}
			for _, c := range l.Calls {
				waiting++
				if !emit(step{kind: stepCall, at: l.At, name: c.Name, input: c.Args}) {
					return false
				}
			}
			return true
		case l.Type == "CHECKPOINT":
			s.kind, s.text = stepNote, "Antigravity shortened the conversation here."
			return emit(s)
		case waiting > 0 && (l.Source == "MODEL" || l.Type == "ERROR_MESSAGE"):
			waiting--
			s.kind, s.bad = stepResult, l.Type == "ERROR_MESSAGE" || l.Error != "" || strings.Contains(limited(s.text, 400), "The command failed with exit code")
			s.text = antigravityHead.Get().ReplaceAllString(s.text, "")
			return emit(s)
		}
		return true
	})
}
