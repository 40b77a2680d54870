package config

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"parley/internal/nearest"
)

// entry is one key set by the file.
type entry struct {
	key   Key
	value any
	line  int
}

// checkFile reads the file as YAML nodes and reports every mistake with its line, all of them at once.
func checkFile(name string, data []byte) ([]entry, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, &Error{Where: name, Err: errors.New(strings.TrimPrefix(err.Error(), "yaml: "))}
	}
	if len(doc.Content) == 0 {
		return nil, nil // an empty file, or only comments
	}
	c := checker{name: name, seen: map[string]int{}}
	c.section(doc.Content[0], "")
	return c.entries, errors.Join(c.errs...)
}

type checker struct {
	name    string
	entries []entry
	errs    []error
	seen    map[string]int // key to line
}

func (c *checker) fail(n *yaml.Node, key string, format string, args ...any) {
	c.errs = append(c.errs, &Error{Where: fmt.Sprintf("%s:%d", c.name, n.Line), Key: key, Err: fmt.Errorf(format, args...)})
}

func (c *checker) section(n *yaml.Node, prefix string) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		c.fail(n, strings.TrimSuffix(prefix, "."), "expected keys with values")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		name := prefix + k.Value
		if line, twice := c.seen[name]; twice {
			c.fail(k, name, "already set on line %d", line)
			continue
		}
		c.seen[name] = k.Line
		if key, ok := keyByName(name); ok {
			c.value(key, v)
			continue
		}
		if isSection(name) {
			c.section(v, name+".")
			continue
		}
		var names []string
		for _, key := range Keys {
			names = append(names, key.Name)
		}
		if near := nearest.Of(name, names); near != "" {
			c.fail(k, name, "unknown key; did you mean %s?", near)
		} else {
			c.fail(k, name, "unknown key")
		}
	}
}

func isSection(name string) bool {
	for _, k := range Keys {
		if strings.HasPrefix(k.Name, name+".") {
			return true
		}
	}
	return false
}

func (c *checker) value(k Key, n *yaml.Node) {
	switch k.Type {
	case Bindings:
		c.bindings(k, n)
		return
	case Servers:
		c.servers(k, n)
		return
	}
	v, err := k.decode(n)
	if err == nil {
		err = k.validate(v)
	}
	if err != nil {
		c.fail(n, k.Name, "%w", err)
		return
	}
	c.entries = append(c.entries, entry{k, v, n.Line})
}

// decode returns the node's value in the type of the key. It converts nothing: a string is not a number.
func (k Key) decode(n *yaml.Node) (any, error) {
	switch k.Type {
	case Bool:
		var b bool
		if n.Tag != "!!bool" || n.Decode(&b) != nil {
			return nil, fmt.Errorf("expected true or false, not %s", describe(n))
		}
		return b, nil
	case Int:
		var i int
		if n.Tag != "!!int" || n.Decode(&i) != nil {
			return nil, fmt.Errorf("expected a whole number, not %s", describe(n))
		}
		return i, nil
	case Duration:
		d, err := time.ParseDuration(n.Value)
		if n.Kind != yaml.ScalarNode || err != nil {
			return nil, fmt.Errorf("expected a duration such as 90s or 5m, not %s", describe(n))
		}
		return d, nil
	case Strings:
		var list []string
		if n.Kind != yaml.SequenceNode || n.Decode(&list) != nil {
			return nil, fmt.Errorf("expected a list of strings, not %s", describe(n))
		}
		return list, nil
	default:
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
			return nil, fmt.Errorf("expected a string, not %s", describe(n))
		}
		return n.Value, nil
	}
}

func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a section"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	default:
		return fmt.Sprintf("%q", n.Value)
	}
}
