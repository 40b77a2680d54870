package switches

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"parley/internal/jsonedit"
)

// errShape says that a value on the way to a switch is not what it should be.
var errShape = errors.New("its settings are not as expected")

// assign returns a text whose member at some keys has a value, "" for none. Objects on the way are made.
func assign(text []byte, keys []string, value string) ([]byte, error) {
	d, at, rest, err := open(text, keys)
	switch {
	case err != nil:
		return nil, err
	case len(rest) == 0 && value == "":
		d.Delete(at)
	case len(rest) == 0:
		d.Replace(at, value)
	case value == "":
		return text, nil
	case d.Kind(at) != '{':
		return nil, errShape
	default:
		d.put(at, jsonedit.Quote(rest[0])+": ", nested(rest[1:], value))
	}
	return d.bytes(text), nil
}

// enlist returns a text whose list at some keys has a value, or has not. The list is made.
func enlist(text []byte, keys []string, value string, has bool) ([]byte, error) {
	d, at, rest, err := open(text, keys)
	switch {
	case err != nil:
		return nil, err
	case len(rest) > 0 && !has:
		return text, nil
	case len(rest) > 0 && d.Kind(at) == '{':
		d.put(at, jsonedit.Quote(rest[0])+": ", nested(rest[1:], "["+value+"]"))
		return d.bytes(text), nil
	case len(rest) > 0 || d.Kind(at) != '[':
		return nil, errShape
	}
	there := slices.Collect(d.Children(at))
	there = slices.DeleteFunc(there, func(n jsonedit.Node) bool { return jsonedit.Quote(d.String(n)) != value })
	switch {
	case !has:
		for _, n := range there {
			d.Delete(n)
		}
	case len(there) == 0:
		d.put(at, "", value)
	}
	return d.bytes(text), nil
}

// nested returns a value within objects with one key each.
func nested(keys []string, value string) string {
	for _, key := range slices.Backward(keys) {
		value = "{" + jsonedit.Quote(key) + ": " + value + "}"
	}
	return value
}

// document is a text whose comments are blank, with what is put in.
type document struct {
	*jsonedit.Document
	text []byte
	puts []jsonedit.Edit
}

// open returns a text as a document, the value that the first keys lead to, and the keys that lead on from there and are missing.
func open(text []byte, keys []string) (d document, at jsonedit.Node, rest []string, err error) {
	shape := &jsonedit.Shape{Elements: &jsonedit.Shape{}}
	for _, key := range slices.Backward(keys) {
		shape = &jsonedit.Shape{Members: map[string]*jsonedit.Shape{key: shape}}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return d, 0, nil, errShape
	}
	d.text = blank(text)
	if d.Document, err = jsonedit.Read(d.text, shape); err != nil {
		return d, 0, nil, err
	}
	at = d.Root()
	for n, key := range keys {
		next := d.Member(at, key)
		if next == jsonedit.None {
			return d, at, keys[n:], nil
		}
		at = next
	}
	return d, at, nil, nil
}

// put adds a member or an element at the end of an object or a list, on a line of its own if the others have theirs.
func (d *document) put(in jsonedit.Node, key, value string) {
	span, last := d.At(in), jsonedit.None
	for n := range d.Children(in) {
		last = n
	}
	end, put := span.From+1, key+value // behind the bracket
	switch {
	case last == jsonedit.None && in == d.Root():
		put = "\n  " + put + "\n"
	case last != jsonedit.None:
		end = d.At(last).To
		before := d.text[span.From:d.At(last).From]
		line := before[bytes.LastIndexByte(before, '\n')+1:]
		sep := ", "
		if len(line) < len(before) {
			sep = ",\n" + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
		}
		put = sep + put
	}
	d.puts = append(d.puts, jsonedit.Edit{Span: jsonedit.Span{From: end, To: end}, Text: put})
}

// bytes returns the original text with the changes.
func (d *document) bytes(text []byte) []byte {
	return jsonedit.Apply(text, append(d.Edits(), d.puts...))
}

// blank returns a text with spaces in the place of comments, which are lines and parts of lines after // and what /* and */ enclose.
func blank(text []byte) []byte {
	out := bytes.Clone(text)
	within := false
	for i := 0; i < len(out); i++ {
		switch rest := out[i:]; {
		case within && out[i] == '\\':
			i++
		case out[i] == '"':
			within = !within
		case within:
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			copy(rest, strings.Repeat(" ", end))
			i += end - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return out
			}
			copy(rest, strings.Repeat(" ", end+4))
			i += end + 3
		}
	}
	return out
}
