package extensions

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
)

// entry is a server in a file of Claude Code, the Copilot CLI or VS Code, which differ in what they leave out.
type entry struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	Cwd      string            `json:"cwd"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Tools    []string          `json:"tools"`
	Disabled bool              `json:"disabled"`
	Sampling bool              `json:"sampling"`
	// HeadersHelper is a command of Claude Code that prints headers, EnvFile a file of VS Code. parley runs and reads neither.
	HeadersHelper string `json:"headersHelper"`
	EnvFile       string `json:"envFile"`
}

// maxServers bounds the servers of one file.
const maxServers = 200

// parseServer fills in a server from its entry.
func parseServer(raw json.RawMessage, s Server, x expander) Server {
	s.Transport = Stdio
	var e entry
	if err := json.Unmarshal(raw, &e); err != nil {
		s.Why = "its entry cannot be read: " + reason(err)
		return s
	}
	s.fill(e, x)
	return s
}

// reason returns what is wrong with an entry without Go's names.
func reason(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s must not be a %s", cmp.Or(wrong.Field, "it"), strings.Replace(wrong.Value, "array", "list", 1))
	}
	return err.Error()
}

// fill takes the fields of an entry, with variables replaced.
func (s *Server) fill(e entry, x expander) {
	switch e.Type {
	case "http", "streamable-http", "streamableHttp":
		s.Transport = HTTP
	case "", "stdio", "local":
		if e.Command == "" && e.URL != "" {
			s.Transport = HTTP
		}
	default:
		s.Transport = Transport(e.Type)
	}
	if command := strings.TrimSpace(e.Command); command != "" {
		s.Command = []string{x.text(command)}
		if x.root != "" && strings.HasPrefix(command, "./") {
			s.Command[0] = filepath.Join(x.root, s.Command[0])
		}
		for _, arg := range e.Args {
			s.Command = append(s.Command, x.text(arg))
		}
	}
	s.Env, s.Headers = x.texts(e.Env), x.texts(e.Headers)
	s.Sampling = e.Sampling && !s.Project && x.root == ""
	s.URL = x.text(strings.TrimSpace(e.URL))
	if s.Dir = x.text(e.Cwd); s.Dir != "" && !filepath.IsAbs(s.Dir) {
		s.Dir = filepath.Join(cmp.Or(x.root, x.dir), s.Dir)
	}
	if !slices.Contains(e.Tools, "*") {
		s.Tools = e.Tools
	}
	switch {
	case e.Disabled:
		s.Why = "switched off in " + s.From
	case e.HeadersHelper != "":
		s.Why = "it needs headersHelper, a command that parley does not run"
	case e.EnvFile != "":
		s.Why = "it needs envFile, which parley does not read"
	case len(x.missing) > 0:
		s.Why = "it needs " + strings.Join(x.missing, ", ") + ", which is not set"
	default:
		s.Why = s.problem()
	}
}

// variable matches ${NAME}, ${NAME:-default}, ${env:NAME} and ${input:id}.
var variable = lazyregexp.New(`\$\{([A-Za-z]+:)?([A-Za-z_][\w.-]*?)(:-[^}]*)?\}`)

// expander replaces variables in the texts of one entry, and collects those that have no value.
type expander struct {
	// dir is the directory of the session, root that of a plugin, empty for none; lookup returns a variable of the environment.
	dir, root string
	lookup    func(name string) (string, bool)
	missing   []string
}

func (x *expander) text(s string) string {
	if !strings.Contains(s, "${") {
		return s
	}
	return variable.ReplaceAllStringFunc(s, func(ref string) string {
		m := variable.FindStringSubmatch(ref)
		space, name, other := m[1], m[2], m[3]
		if space == "" && (name == "workspaceFolder" || name == "CLAUDE_PROJECT_DIR") {
			return x.dir
		}
		if space == "" || space == "env:" {
			if value, ok := x.lookup(name); ok {
				return value
			}
			if other != "" {
				return strings.TrimPrefix(other, ":-")
			}
			x.missing = append(x.missing, name)
			return ""
		}
		x.missing = append(x.missing, strings.TrimSuffix(ref[2:], "}"))
		return ""
	})
}

func (x *expander) texts(m map[string]string) map[string]string {
	out := maps.Clone(m)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out[name] = x.text(m[name])
	}
	return out
}

// objectIn returns the object at a key of a JSON file, nil for none.
func objectIn(data []byte, key string) (map[string]json.RawMessage, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, errors.New("it cannot be read as JSON: " + err.Error())
	}
	var servers map[string]json.RawMessage
	if raw := file[key]; raw != nil && json.Unmarshal(raw, &servers) != nil {
		return nil, errors.New("the servers are no object")
	}
	return servers, nil
}
