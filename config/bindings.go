package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Binding is a key binding of the user, as written.
type Binding struct {
	Key    string `json:"key"`
	Action string `json:"action"`
	// Where names the source: "FILE:LINE", or an environment variable.
	Where string `json:"-"`
}

// bindings checks a list of objects, each with a key and an action, and reports every mistake with its line.
func (c *checker) bindings(k Key, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		c.fail(n, k.Name, "expected a list of objects with key and action, not %s", describe(n))
		return
	}
	list := make([]Binding, 0, len(n.Content))
	for _, item := range n.Content {
		b := Binding{Where: fmt.Sprintf("%s:%d", c.name, item.Line)}
		if c.binding(k, item, &b) {
			list = append(list, b)
		}
	}
	c.entries = append(c.entries, entry{k, list, n.Line})
}

// binding checks one object and fills b. It reports whether the object is valid.
func (c *checker) binding(k Key, n *yaml.Node, b *Binding) bool {
	if n.Kind != yaml.MappingNode {
		c.fail(n, k.Name, "expected an object such as {key: ctrl+e, action: editor}, not %s", describe(n))
		return false
	}
	before := len(c.errs)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		field := map[string]*string{"key": &b.Key, "action": &b.Action}[name.Value]
		switch {
		case field == nil:
			c.fail(name, k.Name, "unknown key %q; only key and action are allowed", name.Value)
		case *field != "":
			c.fail(name, k.Name, "%s is set twice", name.Value)
		case value.Kind != yaml.ScalarNode || value.Tag == "!!null" || value.Value == "":
			c.fail(value, k.Name, "%s: expected a string, not %s", name.Value, describe(value))
		default:
			*field = value.Value
		}
	}
	if len(c.errs) == before && (b.Key == "" || b.Action == "") {
		c.fail(n, k.Name, "key and action are both required")
	}
	return len(c.errs) == before
}

// parseBindings reads the text of an environment variable: "ctrl+e=editor", several of them separated as in PATH.
func parseBindings(s, where string) ([]Binding, error) {
	var list []Binding
	for item := range strings.SplitSeq(s, listSeparator) {
		if item == "" {
			continue
		}
		key, action, ok := strings.Cut(item, "=")
		if !ok || key == "" || action == "" {
			return nil, fmt.Errorf("%q is not a key and an action such as ctrl+e=editor", item)
		}
		list = append(list, Binding{key, action, where})
	}
	return list, nil
}

func bindingSchema() map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{"type": "object", "additionalProperties": false, "required": []string{"key", "action"},
		"properties": map[string]any{"key": text, "action": text}}
}
