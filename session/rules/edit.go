package rules

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"parley/session/permission"
)

// errShape reports a file that cannot be changed without losing something of it.
var errShape = errors.New("it is written in a way that parley can't change; edit it by hand")

// A change is made to the lines of the file, so that everything else stays as the user wrote it. Where that does not
// result in the wanted rules, such as in a list in brackets, the file is written from its nodes, which keeps comments.

// addedAll returns the file with further rules, each that it does not have yet.
func addedAll(data []byte, has, rules []permission.Rule) (_ []byte, err error) {
	has = slices.Clone(has)
	for _, r := range rules {
		if slices.ContainsFunc(has, func(one permission.Rule) bool { return same(one, r) }) {
			continue
		}
		if data, err = added(data, r); err != nil {
			return nil, err
		}
		has = append(has, r)
	}
	return data, nil
}

// added returns the file with one more rule at the end.
func added(data []byte, r permission.Rule) ([]byte, error) {
	d, err := parse(data, "")
	if err != nil {
		return nil, err
	}
	want := append(slices.Clone(d.rules), r)
	text := lines(data)
	switch n := len(d.items); {
	case n > 0:
		end := text.end(d.items[n-1].Line-1, indentOf(d))
		text = slices.Insert(text, end, text.item(indentOf(d), r, "")...)
	case d.key == nil:
		text = append(text.closed(), text.line(keyRules+":"))
		text = append(text, text.item(defaultIndent, r, "")...)
	default:
		text = slices.Insert(text, d.key.Line, text.item(d.key.Column-1+defaultIndent, r, "")...)
	}
	return checked(text.bytes(), want, func() ([]byte, error) {
		return d.encode(append(slices.Clone(d.items), node(r)))
	})
}

// removed returns the file without the rule at an index.
func removed(data []byte, i int) ([]byte, error) {
	d, err := parse(data, "")
	if err != nil {
		return nil, err
	}
	want := slices.Delete(slices.Clone(d.rules), i, i+1)
	text := lines(data)
	start := d.items[i].Line - 1
	text = slices.Delete(text, start, text.end(start, indentOf(d)))
	return checked(text.bytes(), want, func() ([]byte, error) {
		return d.encode(slices.Delete(slices.Clone(d.items), i, i+1))
	})
}

// replaced returns the file with another rule in the place of one. A comment on the first line of the rule stays.
func replaced(data []byte, i int, r permission.Rule) ([]byte, error) {
	d, err := parse(data, "")
	if err != nil {
		return nil, err
	}
	want := slices.Clone(d.rules)
	want[i] = r
	text := lines(data)
	start, comment := d.items[i].Line-1, ""
	for _, n := range append([]*yaml.Node{d.items[i]}, d.items[i].Content...) {
		if n.LineComment != "" && comment == "" {
			comment = " " + n.LineComment
		}
	}
	text = slices.Replace(text, start, text.end(start, indentOf(d)), text.item(indentOf(d), r, comment)...)
	return checked(text.bytes(), want, func() ([]byte, error) {
		items := slices.Clone(d.items)
		items[i] = node(r)
		return d.encode(items)
	})
}

// checked returns a changed file if it has the wanted rules, otherwise what other returns, if that has them.
func checked(data []byte, want []permission.Rule, other func() ([]byte, error)) ([]byte, error) {
	if has(data, want) {
		return data, nil
	}
	if data, err := other(); err == nil && has(data, want) {
		return data, nil
	}
	return nil, errShape
}

// has reports whether a file has exactly these rules, without a mistake.
func has(data []byte, want []permission.Rule) bool {
	d, err := parse(data, "")
	return err == nil && len(data) <= largest && slices.EqualFunc(d.rules, want, func(a, b permission.Rule) bool {
		return same(a, b) && a.Since.Equal(b.Since)
	})
}

// same reports whether two rules say the same.
func same(a, b permission.Rule) bool { return a.Ruling == b.Ruling && a.String() == b.String() }

// defaultIndent is the indentation of the list in a new file, in columns.
const defaultIndent = 2

// indentOf returns the column of the dashes, 0-based.
func indentOf(d *document) int { return max(d.list.Column-1, 0) }

// encode returns the file with other items, from its nodes.
func (d *document) encode(items []*yaml.Node) ([]byte, error) {
	if d.list == nil || d.list.Kind != yaml.SequenceNode {
		return nil, errShape
	}
	if c := d.list.LineComment; c != "" { // it has no place beside a list of lines
		d.list.LineComment = ""
		d.key.HeadComment = strings.TrimPrefix(d.key.HeadComment+"\n"+c, "\n")
	}
	d.list.Content, d.list.Style = items, 0
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(d.root), enc.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// node returns a rule as an item of the list.
func node(r permission.Rule) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	n.Content = append(n.Content, text(string(r.Ruling)), text(r.String()))
	if !r.Since.IsZero() {
		n.Content = append(n.Content, text(keySince), &yaml.Node{Kind: yaml.ScalarNode, Value: stamp(r.Since)})
	}
	return n
}

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

// stamp formats when a rule was made.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// source is a file as lines with their ends.
type source []string

func lines(data []byte) source {
	all := strings.SplitAfter(string(data), "\n")
	last := len(all) - 1
	if all[last] == "" {
		return all[:last]
	}
	all[last] += "\n"
	return all
}

func (s source) bytes() []byte { return []byte(strings.Join(s, "")) }

// closed returns the lines without the mark that ends a document, after which nothing may follow.
func (s source) closed() source {
	for len(s) > 0 && strings.TrimSpace(s[len(s)-1]) == "..." {
		s = s[:len(s)-1]
	}
	return s
}

// line returns a line with the line end of the file.
func (s source) line(text string) string {
	if len(s) > 0 && strings.HasSuffix(s[0], "\r\n") {
		return text + "\r\n"
	}
	return text + "\n"
}

// item returns the lines of a rule.
func (s source) item(indent int, r permission.Rule, comment string) []string {
	lead := strings.Repeat(" ", indent)
	out := []string{s.line(fmt.Sprintf("%s- %s: %s%s", lead, r.Ruling, quoted(r.String()), comment))}
	if !r.Since.IsZero() {
		out = append(out, s.line(lead+"  "+keySince+": "+stamp(r.Since)))
	}
	return out
}

// quoted returns a text as YAML on one line, in quotes where it needs them.
func quoted(s string) string {
	b, err := yaml.Marshal(s)
	if err != nil {
		return fmt.Sprintf("%q", s)
	}
	return strings.TrimRight(string(b), "\n")
}

// end returns the index after the last line of the item that begins at a line: those that follow are indented deeper than
// its dash, and neither empty nor a comment.
func (s source) end(start, dash int) int {
	i := start + 1
	for i < len(s) {
		line := strings.TrimRight(s[i], "\r\n")
		rest := strings.TrimLeft(line, " ")
		if rest == "" || rest[0] == '#' || len(line)-len(rest) <= dash {
			break
		}
		i++
	}
	return min(i, len(s))
}
