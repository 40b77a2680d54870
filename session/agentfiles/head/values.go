package head

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"parley/internal/nearest"
)

// The longest values, in bytes, and the most entries of a list.
const (
	MaxName = 64      // a name
	maxLine = 4 << 10 // a description, a model, a tool
	maxList = 512     // entries of a list
)

// take returns the value of the first of some keys that is there, nil for none or an empty one.
func (h *Head) take(keys ...string) *yaml.Node {
	for _, k := range keys {
		if n := h.values[normal(k)]; n != nil && n.Tag != "!!null" {
			return n
		}
	}
	return nil
}

func (h *Head) fault(n *yaml.Node, format string, args ...any) {
	h.Warn(n.Line, fmt.Sprintf(format, args...))
}

// Text returns a value that is one text, "" for none.
func (h *Head) Text(keys ...string) string {
	n := h.take(keys...)
	switch {
	case n == nil:
		return ""
	case n.Kind != yaml.ScalarNode:
		h.fault(n, "%s must be a text", keys[0])
		return ""
	case len(n.Value) > maxLine:
		h.fault(n, "%s has %d bytes; at most %d are read", keys[0], len(n.Value), maxLine)
		return strings.ToValidUTF8(n.Value[:maxLine], "")
	}
	return strings.TrimSpace(n.Value)
}

// Truth returns a value that is true or false, otherwise if it is neither.
func (h *Head) Truth(otherwise bool, keys ...string) bool {
	n := h.take(keys...)
	if n == nil {
		return otherwise
	}
	switch strings.ToLower(n.Value) {
	case "true", "yes":
		return true
	case "false", "no":
		return false
	}
	h.fault(n, "%s must be true or false", keys[0])
	return otherwise
}

// List returns a list of texts, or a text with commas between them. It is nil without a value, and empty for an empty list.
func (h *Head) List(keys ...string) []string {
	n := h.take(keys...)
	if n == nil {
		return nil
	}
	out := []string{}
	add := func(at *yaml.Node, s string) {
		switch s = strings.TrimSpace(s); {
		case s == "" || slices.Contains(out, s):
		case len(s) > maxLine || len(out) == maxList:
			h.fault(at, "%s is too long: the rest is left out", keys[0])
		default:
			out = append(out, s)
		}
	}
	switch n.Kind {
	case yaml.ScalarNode:
		for _, s := range commas(n.Value) {
			add(n, s)
		}
	case yaml.SequenceNode:
		for _, c := range n.Content {
			if c.Kind != yaml.ScalarNode {
				h.fault(c, "%s must be a list of texts", keys[0])
				continue
			}
			add(c, c.Value)
		}
	default:
		h.fault(n, `%s must be a list, such as ["read", "search"]`, keys[0])
		return nil
	}
	return out
}

// commas splits a text at commas that are not in parentheses.
func commas(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range s {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth <= 0:
			out, from = append(out, s[from:i]), i+1
		}
	}
	return append(out, s[from:])
}

// Servers returns MCP servers by their names. A list of Claude Code's may also name servers configured elsewhere, which are
// left out.
func (h *Head) Servers(keys ...string) json.RawMessage {
	n := h.take(keys...)
	if n == nil {
		return nil
	}
	all := map[string]any{}
	var read func(n *yaml.Node)
	read = func(n *yaml.Node) {
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				var v map[string]any
				if err := n.Content[i+1].Decode(&v); err != nil || v == nil {
					h.fault(n.Content[i], "the MCP server %s must have keys such as command or url", n.Content[i].Value)
					continue
				}
				all[n.Content[i].Value] = v
			}
		case yaml.SequenceNode:
			for _, c := range n.Content {
				if c.Kind == yaml.MappingNode {
					read(c)
				}
			}
		default:
			h.fault(n, "%s must be an object with the servers by their names", keys[0])
		}
	}
	read(n)
	if len(all) == 0 {
		return nil
	}
	data, err := json.Marshal(all)
	if err != nil { // keys that JSON cannot have
		h.fault(n, "%s cannot be read", keys[0])
		return nil
	}
	return data
}

// Unknown reports keys that nothing reads, with the one that was probably meant.
func (h *Head) Unknown(known []string) {
	for _, k := range h.keys {
		if slices.ContainsFunc(known, func(name string) bool { return normal(name) == normal(k.Value) }) {
			continue
		}
		what := fmt.Sprintf("%q is not known and is ignored", k.Value)
		if near := nearest.Of(strings.ToLower(k.Value), known); near != "" {
			what += fmt.Sprintf("; did you mean %q?", near)
		}
		h.fault(k, "%s", what)
	}
}
