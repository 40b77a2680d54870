package config

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// source is the bytes of a file with the places of its lines.
type source struct {
	data   []byte
	starts []int // of each line
	end    string
}

// sourceOf returns the source of a file. Its own lines decide how new ones end.
func sourceOf(data []byte) source {
	s := source{data: data, end: "\n"}
	for at := 0; at < len(data); {
		s.starts = append(s.starts, at)
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		s.end = "\r\n"
	}
	return s
}

// bounds returns where a line begins, counted from 1, and where the next one does.
func (s source) bounds(line int) (start, end int) {
	if line > len(s.starts) {
		return len(s.data), len(s.data)
	}
	if line == len(s.starts) {
		return s.starts[line-1], len(s.data)
	}
	return s.starts[line-1], s.starts[line]
}

// line returns a new line.
func (s source) line(indent int, text string) []byte {
	return []byte(strings.Repeat(" ", indent) + text + s.end)
}

// insert returns the file with new lines before a line; that may be the one behind the last.
func (s source) insert(line int, add []byte) []byte {
	at, _ := s.bounds(line)
	if at == len(s.data) && at > 0 && s.data[at-1] != '\n' {
		add = append([]byte(s.end), add...)
	}
	return s.splice(at, at, add)
}

// splice returns the file with other bytes between two places.
func (s source) splice(from, to int, with []byte) []byte {
	return slices.Concat(s.data[:from], with, s.data[to:])
}

// place returns where a node begins, false if the file does not have it there: columns are counted in characters.
func (s source) place(n *yaml.Node) (int, bool) {
	if n.Line < 1 || n.Line > len(s.starts) {
		return 0, false
	}
	at, end := s.bounds(n.Line)
	if n.Line == 1 {
		at += len(s.data) - len(bytes.TrimPrefix(s.data, []byte("\uFEFF")))
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(s.data[at:end])
		if at += size; size == 0 {
			return 0, false
		}
	}
	return at, true
}

// value returns where the value of a key stands, if key and value have a line for themselves.
func (s source) value(k, v *yaml.Node) (from, to int, err error) {
	at, ok := s.place(k)
	start, end := s.bounds(k.Line)
	if k.Line == 1 {
		start += len(s.data) - len(bytes.TrimPrefix(s.data, []byte("\uFEFF")))
	}
	if !ok || k.Anchor != "" || v.Anchor != "" || v.Kind == yaml.AliasNode || (k.Style|v.Style)&yaml.TaggedStyle != 0 ||
		strings.Trim(string(s.data[start:at]), " ") != "" {
		return 0, 0, errShape
	}
	after := s.scalar(k, at, end)
	if after < 0 {
		return 0, 0, errShape
	}
	colon := after + skip(s.data[after:end], " \t")
	if colon >= end || s.data[colon] != ':' {
		return 0, 0, errShape
	}
	if from, ok = s.place(v); !ok || from <= colon || from >= end || v.Line != k.Line {
		return 0, 0, errShape
	}
	if to = s.scalar(v, from, end); to < 0 {
		return 0, 0, errShape
	}
	if rest := strings.TrimRight(string(s.data[to:end]), "\r\n"); !isComment(rest) {
		return 0, 0, errShape
	}
	return from, to, nil
}

// isComment reports whether what stands behind a value is nothing, or a comment.
func isComment(rest string) bool {
	text := strings.TrimLeft(rest, " \t")
	return text == "" || text[0] == '#' && len(text) < len(rest)
}

// skip returns how many of the first bytes are among those of a set.
func skip(b []byte, set string) int { return len(b) - len(bytes.TrimLeft(b, set)) }

// scalar returns where a node that begins at a place ends on its line: one without quotes, one in quotes, or a list in brackets.
// It returns -1 for all others.
func (s source) scalar(n *yaml.Node, at, end int) int {
	switch {
	case n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle != 0 && s.data[at] == '[':
		return s.closed(at, end)
	case n.Kind != yaml.ScalarNode:
		return -1
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return s.quoted(at, end)
	case n.Style == 0 && bytes.HasPrefix(s.data[at:end], []byte(n.Value)):
		return at + len(n.Value)
	}
	return -1
}

// quoted returns where a string in quotes ends, -1 if that is not on its line.
func (s source) quoted(at, end int) int {
	quote := s.data[at]
	for i := at + 1; i < end && (quote == '"' || quote == '\''); i++ {
		switch {
		case s.data[i] == '\\' && quote == '"':
			i++
		case s.data[i] == quote && quote == '\'' && i+1 < end && s.data[i+1] == quote:
			i++
		case s.data[i] == quote:
			return i + 1
		}
	}
	return -1
}

// closed returns where a list in brackets ends, -1 if that is not on its line, or if there is a bracket in it.
func (s source) closed(at, end int) int {
	for i := at + 1; i < end; i++ {
		switch c := s.data[i]; c {
		case '"', '\'':
			if i = s.quoted(i, end); i < 0 {
				return -1
			}
			i--
		case ']':
			return i + 1
		case '[', '{', '#', '&', '*', '!':
			return -1
		}
	}
	return -1
}

// find returns the key and the value of a name in a mapping, nil for none.
func find(m *yaml.Node, name string) (k, v *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i], m.Content[i+1]
		}
	}
	return nil, nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// inBlock reports whether a node is a mapping in lines, which nothing refers to.
func inBlock(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && n.Style == 0 && n.Anchor == "" && len(n.Content) > 0
}
