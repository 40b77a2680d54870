package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"parley/internal/lazyregexp"
	"parley/internal/nearest"
	"parley/session/permission"
)

// largest bounds a file of rules, in bytes.
const largest = 256 << 10

// Problem is the reason why a file cannot be used.
type Problem struct {
	// Path is the file, Line the 1-based line of the mistake, 0 if the whole file is concerned.
	Path string
	Line int
	// Err is the reason.
	Err error
}

// Error returns the file, the line and the reason.
func (p *Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %v", p.Path, p.Err)
	}
	return fmt.Sprintf("%s:%d: %v", p.Path, p.Line, p.Err)
}

// Unwrap returns the reason.
func (p *Problem) Unwrap() error { return p.Err }

// mistake is an error at a line of a file.
type mistake struct {
	line int
	err  error
}

func (m *mistake) Error() string { return fmt.Sprintf("line %d: %v", m.line, m.err) }

// at returns a mistake at a node.
func at(n *yaml.Node, format string, args ...any) error {
	return &mistake{n.Line, fmt.Errorf(format, args...)}
}

// problemOf returns an error of reading or parsing as the problem of a file.
func problemOf(path string, err error) *Problem {
	if m, ok := errors.AsType[*mistake](err); ok {
		return &Problem{path, m.line, m.err}
	}
	return &Problem{path, 0, err}
}

// document is a parsed file.
type document struct {
	root  *yaml.Node // the document; nil if the file is empty or has only comments
	list  *yaml.Node // the value of rules, nil if there is none
	key   *yaml.Node // the key of rules
	items []*yaml.Node
	rules []permission.Rule // one for each item
}

// parse reads a file of rules. With an error, the document still has the rules that could be read.
func parse(data []byte, origin permission.Origin) (*document, error) {
	d, top, err := open(data)
	if err != nil || top == nil {
		return d, err
	}
	return d, eachKey(top, []string{keyRules}, func(k, v *yaml.Node) error {
		return d.readRules(k, v, origin, rulings)
	})
}

// The keys of files and rules.
const (
	keyRules = "rules"
	keySince = "since"
)

// rulings are the rulings of the user's rules. The administrator's only restrict.
var (
	rulings        = []permission.Ruling{permission.Allow, permission.Ask, permission.Deny}
	policyRulings  = []permission.Ruling{permission.Ask, permission.Deny}
	errOneDocument = errors.New("there is a second document after ---; put all rules into one")
)

// yamlLine finds the line in an error of the YAML library.
var yamlLine = lazyregexp.New(`^yaml: line ([0-9]+): `)

// open parses YAML with at most one document, whose top level has keys. top is nil if there is nothing.
func open(data []byte) (d *document, top *yaml.Node, err error) {
	d = &document{}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var root yaml.Node
	switch err := dec.Decode(&root); {
	case errors.Is(err, io.EOF):
		return d, nil, nil
	case err != nil:
		return d, nil, syntax(err)
	}
	d.root = &root
	if err := dec.Decode(&yaml.Node{}); err == nil {
		return d, nil, errOneDocument
	} else if !errors.Is(err, io.EOF) {
		return d, nil, syntax(err)
	}
	if len(root.Content) == 0 {
		return d, nil, nil
	}
	top = root.Content[0]
	switch {
	case isNull(top):
		return d, nil, nil
	case top.Kind != yaml.MappingNode:
		return d, nil, at(top, "expected the key rules with a list, not %s", describe(top))
	}
	return d, top, nil
}

// syntax returns an error of the YAML library as a mistake.
func syntax(err error) error {
	text := err.Error()
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &mistake{line, errors.New(strings.TrimPrefix(text, m[0]))}
	}
	return errors.New(strings.TrimPrefix(text, "yaml: "))
}

// eachKey calls do for the keys of a mapping, and returns the first error: of do, or about an unknown or repeated key.
func eachKey(m *yaml.Node, known []string, do func(k, v *yaml.Node) error) error {
	seen := map[string]int{}
	var first error
	for i := 0; i+1 < len(m.Content); i += 2 {
		k, v := m.Content[i], m.Content[i+1]
		err := func() error {
			if line, twice := seen[k.Value]; twice {
				return at(k, "%s is already set on line %d", k.Value, line)
			}
			seen[k.Value] = k.Line
			if k.Kind != yaml.ScalarNode || !slices.Contains(known, k.Value) {
				return unknown(k, known)
			}
			return do(k, v)
		}()
		if first == nil {
			first = err
		}
	}
	return first
}

// unknown returns an error about a key.
func unknown(k *yaml.Node, known []string) error {
	if near := nearest.Of(k.Value, known); near != "" && k.Kind == yaml.ScalarNode {
		return at(k, "unknown key %q; did you mean %s?", k.Value, near)
	}
	return at(k, "unknown key %q; there is %s", k.Value, strings.Join(known, ", "))
}

// readRules reads the list of rules. It reads all that it can, and returns the first error.
func (d *document) readRules(key, list *yaml.Node, origin permission.Origin, may []permission.Ruling) error {
	d.key, d.list = key, list
	if isNull(list) {
		return nil
	}
	if list.Kind != yaml.SequenceNode {
		return at(list, "expected a list of rules, not %s", describe(list))
	}
	var first error
	for _, item := range list.Content {
		r, err := readRule(item, may)
		if err != nil && first == nil {
			first = err
		}
		if err == nil {
			r.Origin, r.Number = origin, len(d.rules)+1
			d.rules, d.items = append(d.rules, r), append(d.items, item)
		}
	}
	return first
}

// readRule reads one item of the list.
func readRule(item *yaml.Node, may []permission.Ruling) (permission.Rule, error) {
	if item.Kind != yaml.MappingNode {
		return permission.Rule{}, at(item, "expected a rule such as `allow: command go test *`, not %s", describe(item))
	}
	var r permission.Rule
	known := []string{}
	for _, ruling := range may {
		known = append(known, string(ruling))
	}
	err := eachKey(item, append(known, keySince), func(k, v *yaml.Node) (err error) {
		switch {
		case k.Value == keySince:
			r.Since, err = readTime(v)
		case r.Ruling != "":
			err = at(k, "a rule has one of %s, and this one has %s already", strings.Join(known, ", "), r.Ruling)
		case v.Kind != yaml.ScalarNode || v.Tag != "!!str":
			err = at(v, "expected a rule such as command go test *, not %s", describe(v))
		default:
			since := r.Since
			if r, err = permission.ParseRule(v.Value); err != nil {
				err = at(v, "%w", err)
			}
			r.Ruling, r.Since = permission.Ruling(k.Value), since
		}
		return err
	})
	if err == nil && r.Ruling == "" {
		err = at(item, "a rule has one of %s", strings.Join(known, ", "))
	}
	return r, err
}

// times are the ways in which a time may be written, in local time unless it has a zone.
var times = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly}

// readTime reads when a rule was made.
func readTime(v *yaml.Node) (time.Time, error) {
	if v.Kind == yaml.ScalarNode {
		for _, layout := range times {
			if t, err := time.ParseInLocation(layout, v.Value, time.Local); err == nil {
				return t, nil
			}
		}
	}
	return time.Time{}, at(v, "expected a date such as 2026-11-22 or 2026-11-22T20:15:00Z, not %s", describe(v))
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// describe returns what a node is, for an error.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a section"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.Tag == "!!null":
		return "nothing"
	default:
		return strconv.Quote(n.Value)
	}
}
