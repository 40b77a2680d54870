package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// edit is a change of one key. It is made to the bytes of the file, and compared afterwards by what the file means.
type edit struct {
	name   string // of the file, for errors
	key    Key
	value  any
	remove bool
}

// errShape reports a file in which the place of a key cannot be changed without a risk for the rest.
var errShape = errors.New("it is written in a way that parley can't change; edit the file by hand")

// fail returns an error about a line of the file, 0 for none.
func (e edit) fail(line int, err error) error {
	where := e.name
	if line > 0 {
		where = fmt.Sprintf("%s:%d", e.name, line)
	}
	return &Error{Where: where, Key: e.key.Name, Err: err}
}

// apply returns the file with the change. A file with a mistake is refused, and so is a change after which anything but the key
// means something else.
func (e edit) apply(data []byte) ([]byte, error) {
	before, err := checkFile(e.name, data)
	if err != nil {
		return nil, faulty(err)
	}
	if !utf8.Valid(data) {
		return nil, e.fail(0, errors.New("the file is not UTF-8; edit it by hand"))
	}
	if line := secondDocument(data); line > 0 {
		return nil, e.fail(line, errors.New("the file has several documents; edit it by hand"))
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, e.fail(0, err)
	}
	next, err := e.change(sourceOf(data), &doc)
	if err != nil {
		return nil, err
	}
	after, err := checkFile(e.name, next)
	if err != nil || !e.only(before, after) {
		return nil, e.fail(0, errShape)
	}
	return next, nil
}

// faulty returns the first mistake of a file, with what to do about it.
func faulty(err error) error {
	first, is := errors.AsType[*Error](err)
	if !is {
		return err
	}
	return &Error{Where: first.Where, Key: first.Key, Err: fmt.Errorf("%w. Correct that in the file first", first.Err)}
}

// secondDocument returns the line of the second document of a file, 0 if there is none.
func secondDocument(data []byte) int {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if d.Decode(&first) != nil || errors.Is(d.Decode(&second), io.EOF) {
		return 0
	}
	return max(1, second.Line)
}

// only reports whether the key has its new value after the change, and all others what they had.
func (e edit) only(before, after []entry) bool {
	was, is := meaning(before), meaning(after)
	delete(was, e.key.Name)
	if !e.remove {
		was[e.key.Name] = e.value
	}
	return reflect.DeepEqual(was, is)
}

// meaning returns the values by key, without the places at which they stand.
func meaning(all []entry) map[string]any {
	m := map[string]any{}
	for _, x := range all {
		if list, is := x.value.([]Binding); is {
			var bare []Binding
			for _, b := range list {
				bare = append(bare, Binding{Key: b.Key, Action: b.Action})
			}
			m[x.key.Name] = bare
			continue
		}
		m[x.key.Name] = x.value
	}
	return m
}

// change finds the place of the key and changes it.
func (e edit) change(src source, doc *yaml.Node) ([]byte, error) {
	section, name, nested := strings.Cut(e.key.Name, ".")
	if !nested {
		name, section = section, ""
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) { // nothing but comments
		return e.append(src, 0, section, name)
	}
	root := doc.Content[0]
	if !inBlock(root) {
		return nil, e.fail(root.Line, errShape)
	}
	in, head := root, 0
	if nested {
		k, v := find(root, section)
		switch {
		case k == nil:
			return e.append(src, root.Content[0].Column-1, section, name)
		case isNull(v):
			if e.remove {
				return src.data, nil
			}
			if v.Value != "" || v.Anchor != "" || v.Style != 0 {
				return nil, e.fail(v.Line, errShape)
			}
			return src.insert(k.Line+1, src.line(k.Column-1+2, name+": "+e.text('\n'))), nil
		case !inBlock(v):
			return nil, e.fail(v.Line, errShape)
		}
		in, head = v, k.Line
	}
	k, v := find(in, name)
	switch {
	case k != nil && e.remove:
		return e.delete(src, k, v)
	case k != nil:
		return e.replace(src, k, v)
	case e.remove:
		return src.data, nil
	case !nested:
		return e.append(src, root.Content[0].Column-1, "", name)
	}
	return e.insert(src, head, in, name)
}

// append adds the key at the end of the file, below a new line for its section if its name has one.
func (e edit) append(src source, indent int, section, name string) ([]byte, error) {
	if e.remove {
		return src.data, nil
	}
	var add []byte
	if section != "" {
		add = src.line(indent, section+":")
		indent += 2
	}
	return src.insert(len(src.starts)+1, append(add, src.line(indent, name+": "+e.text('\n'))...)), nil
}

// insert adds the key to a section whose name stands on a line: behind its last key if that stands on one line, else as its first.
func (e edit) insert(src source, head int, in *yaml.Node, name string) ([]byte, error) {
	k, v := in.Content[len(in.Content)-2], in.Content[len(in.Content)-1]
	line := k.Line + 1
	if _, _, err := src.value(k, v); err != nil {
		line = head + 1
	}
	return src.insert(line, src.line(in.Content[0].Column-1, name+": "+e.text('\n'))), nil
}

// replace gives the key another value on its line. What stands behind it there stays.
func (e edit) replace(src source, k, v *yaml.Node) ([]byte, error) {
	from, to, err := src.value(k, v)
	if err != nil {
		return nil, e.fail(v.Line, err)
	}
	quote := byte('\n')
	if v.Kind == yaml.ScalarNode {
		quote = src.data[from]
	}
	return src.splice(from, to, []byte(e.text(quote))), nil
}

// delete removes the line of a key.
func (e edit) delete(src source, k, v *yaml.Node) ([]byte, error) {
	if _, _, err := src.value(k, v); err != nil {
		return nil, e.fail(v.Line, err)
	}
	start, end := src.bounds(k.Line)
	return src.splice(start, end, nil), nil
}

// text returns the value as it is written on one line: a string without quotes where it means the same without, or in those that
// it had.
func (e edit) text(quote byte) string {
	s, is := e.value.(string)
	if !is {
		return yamlValue(e.value)
	}
	if quote == '\'' && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r > 0x7e }) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	if quote != '"' && plain(s) {
		return s
	}
	return yamlValue(s)
}

// plain reports whether a string means itself without quotes, also before a comment.
func plain(s string) bool {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > 0x7e || strings.ContainsRune("#,[]{}&*!|>'\"%@`", r) }) {
		return false
	}
	var n yaml.Node
	if yaml.Unmarshal([]byte("k: "+s+" # c"), &n) != nil || len(n.Content) == 0 || len(n.Content[0].Content) != 2 {
		return false
	}
	v := n.Content[0].Content[1]
	return v.Kind == yaml.ScalarNode && v.Tag == "!!str" && v.Value == s && v.Style == 0
}
