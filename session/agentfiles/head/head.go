package head

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"parley/internal/lazyregexp"
)

// maxHead bounds the head of a file, in bytes.
const maxHead = 64 << 10

// Head is the part of a file between two lines of dashes: keys with values, in YAML. One goroutine uses it.
type Head struct {
	// Line is the number of the head's first line, 0 for a file without one.
	Line int
	// Faults are the errors of the head so far.
	Faults []Fault

	values map[string]*yaml.Node // by their normal keys
	keys   []*yaml.Node          // in order
}

// Fault is an error in a line of a file.
type Fault struct {
	Line int // from 1; 0 for the file as a whole
	What string
	// Deadly reports that the file is not used for this reason.
	Deadly bool
}

// Deadly reports whether one of some faults is deadly.
func Deadly(faults []Fault) bool {
	return slices.ContainsFunc(faults, func(f Fault) bool { return f.Deadly })
}

// Read returns the head of a file and the text behind it. The head of a file without one has no values; one without an end has a
// deadly fault.
func Read(data []byte) (h *Head, body string) {
	raw, body, line, is := split(data)
	if line > 0 && !is {
		h = &Head{Line: line}
		h.Die(1, "the head has no end: add a line with --- behind it")
		return h, ""
	}
	h = parse(raw, max(line, 1))
	h.Line = line
	return h, body
}

// Die adds a deadly fault.
func (h *Head) Die(line int, what string) { h.Faults = append(h.Faults, Fault{line, what, true}) }

// Warn adds a fault for which a part of the file is ignored, or nothing.
func (h *Head) Warn(line int, what string) { h.Faults = append(h.Faults, Fault{line, what, false}) }

// split returns the head of a file, the text behind it, and the number of the head's first line. is is false without a head.
func split(data []byte) (raw, body string, line int, is bool) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	rest, found := strings.CutPrefix(strings.TrimLeft(text, "\n"), "---\n")
	if !found {
		return "", text, 0, false
	}
	line = 2 + len(text) - len(strings.TrimLeft(text, "\n"))
	raw, body, found = strings.Cut("\n"+rest, "\n---")
	if !found {
		return strings.TrimPrefix(raw, "\n"), "", line, false
	}
	if end := strings.IndexByte(body, '\n'); end >= 0 { // the rest of the line of dashes
		body = body[end+1:]
	} else {
		body = ""
	}
	return strings.TrimPrefix(raw, "\n"), body, line, true
}

// parse reads a head whose first line has the number line in its file. A value with a colon in it, which is not YAML but what
// people write, is taken as it is meant.
func parse(raw string, line int) *Head {
	h := &Head{values: map[string]*yaml.Node{}}
	if len(raw) > maxHead {
		h.Die(line, fmt.Sprintf("the head has %d bytes; at most %d are read", len(raw), maxHead))
		return h
	}
	root, err := decode(raw)
	if err != nil {
		mended, at := quoted(raw)
		if at == 0 {
			h.Die(line+yamlLine(err)-1, "the head is not YAML: "+yamlWords(err))
			return h
		}
		var again error
		if root, again = decode(mended); again != nil {
			h.Die(line+yamlLine(err)-1, "the head is not YAML: "+yamlWords(err))
			return h
		}
		h.Warn(line+at-1, `put the value in quotes: it contains ": "`)
	}
	if root == nil {
		return h
	}
	if root.Kind != yaml.MappingNode {
		h.Die(line+root.Line-1, `the head must consist of lines such as "description: …"`)
		return h
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		key.Line += line - 1
		shift(value, line-1)
		name := normal(key.Value)
		if known, twice := h.values[name]; twice {
			h.Warn(key.Line, fmt.Sprintf("%s is there twice; line %d counts", key.Value, known.Line))
			continue
		}
		h.values[name] = value
		h.keys = append(h.keys, key)
	}
	return h
}

// normal returns a key as all its spellings are: mcp-servers, mcpServers and mcp_servers are one.
func normal(key string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
}

// decode returns the topmost value, nil for an empty text. References to other values are refused: a few lines of them make
// gigabytes.
func decode(raw string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(raw), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	if at := referenceIn(doc.Content[0]); at > 0 {
		return nil, fmt.Errorf("yaml: line %d: references (& and *) are not allowed here", at)
	}
	return doc.Content[0], nil
}

// referenceIn returns the line of the first anchor or alias in a value, 0 for none.
func referenceIn(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return max(n.Line, 1)
	}
	for _, c := range n.Content {
		if at := referenceIn(c); at > 0 {
			return at
		}
	}
	return 0
}

// shift adds to the lines of a value.
func shift(n *yaml.Node, by int) {
	n.Line += by
	for _, c := range n.Content {
		shift(c, by)
	}
}

// plain matches a line with a key and a value that begins with a letter or a digit.
var plain = lazyregexp.New(`^([A-Za-z][\w-]*): +([\pL\pN].*: .*|[\pL\pN].*:)$`)

// quoted puts values with a colon into quotes, and returns the number of the first such line, 0 for none.
func quoted(raw string) (string, int) {
	lines, first := strings.Split(raw, "\n"), 0
	for i, l := range lines {
		if m := plain.FindStringSubmatch(strings.TrimRight(l, " \t")); m != nil {
			lines[i] = m[1] + ": " + strconv.Quote(m[2])
			if first == 0 {
				first = i + 1
			}
		}
	}
	return strings.Join(lines, "\n"), first
}

var inLine = lazyregexp.New(`line (\d+): `)

// yamlLine returns the line that an error of the decoder names, else 1.
func yamlLine(err error) int {
	if m := inLine.FindStringSubmatch(err.Error()); m != nil {
		if n, bad := strconv.Atoi(m[1]); bad == nil {
			return max(n, 1)
		}
	}
	return 1
}

// yamlWords returns an error of the decoder without its line.
func yamlWords(err error) string {
	var typed *yaml.TypeError
	if errors.As(err, &typed) && len(typed.Errors) > 0 {
		return typed.Errors[0]
	}
	return inLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
}
