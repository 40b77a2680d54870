package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/sources"
)

// maxWorkspace bounds what is read of a description, in bytes.
const maxWorkspace = 64 << 10

// ends are where events are looked at to describe their session: one may begin with long events.
var ends = sources.Ends{First: 16 << 10, Most: 512 << 10, End: 32 << 10}

// workspace has the members of workspace.yaml that are read.
type workspace struct {
	Dir     string    `yaml:"cwd"`
	Branch  string    `yaml:"branch"`
	Name    string    `yaml:"name"`
	Summary string    `yaml:"summary"`
	Named   bool      `yaml:"user_named"`
	Created time.Time `yaml:"created_at"`
	Updated time.Time `yaml:"updated_at"`
}

// readWorkspace reads the description beside the events. It is empty if it is missing or damaged: the events have the most
// important of it, too.
func readWorkspace(ctx context.Context, dir string) (w workspace) {
	data, err := safefs.ReadFile(ctx, filepath.Join(dir, workspaceFile), maxWorkspace, safefs.NoLinks)
	if err != nil || yaml.Unmarshal(data, &w) != nil {
		return workspace{}
	}
	return w
}

// title returns the name that the user or a model gave the session, empty for one cut from the first prompt.
func (w workspace) title(first string) string {
	name := w.Name
	if name == "" {
		name = w.Summary
	}
	name = strings.Join(strings.Fields(name), " ")
	plain := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(name, "..."), "…"), " ")
	if !w.Named && strings.HasPrefix(strings.Join(strings.Fields(first), " "), plain) {
		return ""
	}
	return name
}

// Describe describes a session by what is beside its events, at their beginning and at their end; see [sources.Source].
func (state) Describe(ctx context.Context, p sources.Place) ([]session.Meta, error) {
	w := readWorkspace(ctx, filepath.Dir(p.Path))
	m := session.Meta{ID: session.ID(p.ID), Agent: "copilot", Dir: w.Dir, Branch: w.Branch, Created: w.Created.UTC(), Updated: w.Updated.UTC()}
	var first string
	head, tail, err := ends.Read(p.Path, func(head []byte) bool {
		first = readHead(head, &m)
		return first != ""
	})
	if err != nil {
		return nil, err
	}
	if first == "" {
		first = readHead(head, &m)
	}
	readModels(tail, &m)
	m.First, m.Title = mapper.FirstPrompt(first), w.title(first)
	if m.Updated.Before(p.Stamp[0].MTime) {
		m.Updated = p.Stamp[0].MTime
	}
	if first == "" && w.Name == "" { // it has no prompt
		return nil, nil
	}
	return []session.Meta{m}, nil
}

// readHead reads the first events and returns the first prompt, empty if it is not there.
func readHead(head []byte, m *session.Meta) (first string) {
	for line := range bytes.Lines(head) {
		if isUnused(line) {
			continue
		}
		e, ok := parse(line)
		if !ok {
			continue
		}
		if e.Type == "session.start" {
			var d struct {
				Context struct {
					Dir    string `json:"cwd"`
					Branch string `json:"branch"`
				} `json:"context"`
				Start time.Time `json:"startTime"`
			}
			json.Unmarshal(e.Data, &d) // what could be read counts
			if m.Dir == "" {
				m.Dir = d.Context.Dir
			}
			if m.Branch == "" {
				m.Branch = d.Context.Branch
			}
			if m.Created.IsZero() {
				m.Created = d.Start.UTC()
			}
		}
		if text, ok := mapper.PromptText(e); ok {
			first = text
			break
		}
	}
	readModels(head, m)
	return first
}

// readModels takes the newest model of the session from events.
func readModels(events []byte, m *session.Meta) {
	for line := range bytes.Lines(events) {
		if !bytes.Contains(line[:min(len(line), 64)], []byte("session.")) {
			continue
		}
		if e, ok := parse(line); ok {
			if model := mapper.ChosenModel(e); model != "" {
				m.Model = model
			}
		}
	}
}
