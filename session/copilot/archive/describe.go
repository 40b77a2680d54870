package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
)

// Bounds of what is read to describe a session, in bytes: of its description, of the beginning of its events, and of their
// end. A second, larger beginning is for sessions that begin with long events.
const (
	maxWorkspace = 64 << 10
	headBytes    = 16 << 10
	longHead     = 512 << 10
	endBytes     = 32 << 10
)

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

// describe reads the description of a session: beside its events, at their beginning and at their end.
func describe(ctx context.Context, dir string, id session.ID) (described, error) {
	w := readWorkspace(ctx, dir)
	m := session.Meta{ID: id, Agent: "copilot", Dir: w.Dir, Branch: w.Branch, Created: w.Created.UTC(), Updated: w.Updated.UTC()}
	path := filepath.Join(dir, eventsFile)
	f, info, err := safefs.OpenFile(path, safefs.NoLinks)
	if err != nil {
		return described{}, err
	}
	defer f.Close()
	var first string
	for _, size := range []int64{headBytes, longHead} {
		head := make([]byte, min(size, info.Size()))
		n, err := f.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return described{}, err
		}
		if first = readHead(head[:n], &m); first != "" || size >= info.Size() {
			break
		}
		if err := ctx.Err(); err != nil {
			return described{}, err
		}
	}
	if from := info.Size() - endBytes; from > 0 {
		end := make([]byte, endBytes)
		n, err := f.ReadAt(end, from)
		if err != nil && err != io.EOF {
			return described{}, err
		}
		_, whole, _ := bytes.Cut(end[:n], []byte("\n"))
		readModels(whole, &m)
	}
	m.First, m.Title = mapper.FirstPrompt(first), w.title(first)
	return described{meta: m, empty: first == "" && w.Name == ""}, nil
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
