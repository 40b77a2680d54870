package config

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// LanguageServer adds a language server, or changes, allows or disables one that parley knows.
type LanguageServer struct {
	Name string `json:"name"`
	Off  bool   `json:"off,omitempty"`
	// Command is the program with its arguments, Extensions are file extensions such as ".go", Roots names of files that mark
	// the root of a project. Empty: those that parley knows.
	Command    []string `json:"command,omitempty"`
	Extensions []string `json:"extensions,omitempty"`
	Roots      []string `json:"roots,omitempty"`
}

const serverExample = "{name: rust-analyzer} or {name: mine, command: [mine, --stdio], extensions: [.mine]}"

// servers checks a list of language servers and reports every mistake with its line.
func (c *checker) servers(k Key, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		c.fail(n, k.Name, "expected a list of objects such as %s, not %s", serverExample, describe(n))
		return
	}
	list := make([]LanguageServer, 0, len(n.Content))
	for _, item := range n.Content {
		var s LanguageServer
		if c.server(k, item, &s) {
			list = append(list, s)
		}
	}
	c.entries = append(c.entries, entry{k, list, n.Line})
}

// server checks one object and fills s. It reports whether the object is valid.
func (c *checker) server(k Key, n *yaml.Node, s *LanguageServer) bool {
	if n.Kind != yaml.MappingNode {
		c.fail(n, k.Name, "expected an object such as %s, not %s", serverExample, describe(n))
		return false
	}
	before := len(c.errs)
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if seen[name.Value] {
			c.fail(name, k.Name, "%s is set twice", name.Value)
			continue
		}
		seen[name.Value] = true
		lists := map[string]*[]string{"command": &s.Command, "extensions": &s.Extensions, "roots": &s.Roots}
		switch list := lists[name.Value]; {
		case name.Value == "name":
			if value.Kind != yaml.ScalarNode || value.Tag == "!!null" || value.Decode(&s.Name) != nil {
				c.fail(value, k.Name, "name: expected a string, not %s", describe(value))
			}
		case name.Value == "off":
			if value.Tag != "!!bool" || value.Decode(&s.Off) != nil {
				c.fail(value, k.Name, "off: expected true or false, not %s", describe(value))
			}
		case list == nil:
			c.fail(name, k.Name, "unknown key %q; only name, off, command, extensions and roots are allowed", name.Value)
		case value.Kind != yaml.SequenceNode || value.Decode(list) != nil || len(*list) == 0:
			c.fail(value, k.Name, "%s: expected a list of strings, not %s", name.Value, describe(value))
		}
	}
	if len(c.errs) == before {
		if err := s.check(); err != nil {
			c.fail(n, k.Name, "%w", err)
		}
	}
	return len(c.errs) == before
}

// check returns an error for values that mean nothing.
func (s *LanguageServer) check() error {
	if s.Name == "" {
		return fmt.Errorf("name is required")
	}
	if len(s.Command) > 0 && !filepath.IsAbs(s.Command[0]) && strings.ContainsAny(s.Command[0], `/\`) {
		return fmt.Errorf("command: %q is neither the name of a program on PATH nor an absolute path", s.Command[0])
	}
	for _, e := range s.Extensions {
		if !strings.HasPrefix(e, ".") || len(e) < 2 || strings.ContainsAny(e, `/\`) {
			return fmt.Errorf("extensions: %q is not a file extension such as .go", e)
		}
	}
	for _, r := range s.Roots {
		if r == "" || r != filepath.Base(r) {
			return fmt.Errorf("roots: %q is not the name of a file", r)
		}
	}
	return nil
}

// parseServers reads the text of an environment variable: "rust-analyzer=on", several of them separated as in PATH.
func parseServers(s string) ([]LanguageServer, error) {
	var list []LanguageServer
	for item := range strings.SplitSeq(s, listSeparator) {
		if item == "" {
			continue
		}
		name, state, _ := strings.Cut(item, "=")
		if name == "" || state != "on" && state != "off" {
			return nil, fmt.Errorf("%q is not a server and on or off, such as rust-analyzer=on", item)
		}
		list = append(list, LanguageServer{Name: name, Off: state == "off"})
	}
	return list, nil
}

func serverSchema() map[string]any {
	text := map[string]any{"type": "string"}
	texts := map[string]any{"type": "array", "items": text, "minItems": 1}
	return map[string]any{"type": "object", "additionalProperties": false, "required": []string{"name"},
		"properties": map[string]any{"name": text, "off": map[string]any{"type": "boolean"}, "command": texts, "extensions": texts, "roots": texts}}
}
