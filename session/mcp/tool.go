package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxNameLength is how long the API lets the name of a tool be, in bytes.
	maxNameLength = 64
	// maxAbout bounds a description, maxSchema a schema, in bytes.
	maxAbout  = 2000
	maxSchema = 64 << 10
)

// Tool is a tool of a server as a model reads it. Nothing changes it.
type Tool struct {
	// Name is "mcp__SERVER__TOOL" with what models may not read in names replaced; Server and Own are the names as they are.
	Name, Server, Own string
	// About describes the tool, Schema is the JSON Schema of its input, an object.
	About  string
	Schema string
}

// newTool returns a tool of a server, nil for one without a usable name or schema.
func newTool(server string, t *sdk.Tool) *Tool {
	if t == nil || t.Name == "" || len(t.Name) > 200 {
		return nil
	}
	schema, ok := acceptable(t.InputSchema)
	if !ok {
		return nil
	}
	about := strings.TrimSpace(t.Description)
	if about == "" {
		about = t.Title
	}
	return &Tool{Name: nameOf(server, t.Name), Server: server, Own: t.Name, About: cut(about, maxAbout), Schema: schema}
}

// nameOf returns the name by which a model calls a tool.
func nameOf(server, own string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, "mcp__"+server+"__"+own)
	return name[:min(len(name), maxNameLength)]
}

// distinct returns a name like another that is not taken.
func distinct(name string, taken map[string]bool) string {
	for n := 2; ; n++ {
		mark := fmt.Sprintf("_%d", n)
		if other := name[:min(len(name), maxNameLength-len(mark))] + mark; !taken[other] {
			return other
		}
	}
}

// takenAtTop are the keys that a schema may have at its top: the API refuses others, such as anyOf.
var takenAtTop = []string{"properties", "required", "additionalProperties", "description", "title", "$defs", "definitions"}

// acceptable returns a schema that the API takes: an object of a bounded size. It reports false for one that describes anything else.
func acceptable(schema any) (string, bool) {
	fields, ok := schema.(map[string]any)
	if !ok && schema != nil {
		return "", false
	}
	if kind, has := fields["type"]; has && kind != "object" {
		return "", false
	}
	out := map[string]any{"type": "object"}
	for _, key := range takenAtTop {
		if value, has := fields[key]; has {
			out[key] = value
		}
	}
	if _, ok := out["properties"].(map[string]any); !ok {
		out["properties"] = map[string]any{}
	}
	data, err := json.Marshal(out)
	return string(data), err == nil && len(data) <= maxSchema
}

// allowed reports whether a list of names, nil for all, has a name.
func allowed(names []string, name string) bool { return names == nil || slices.Contains(names, name) }

// cut returns a text that is at most so many bytes long, as valid text without control characters but for line ends and tabs.
func cut(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
