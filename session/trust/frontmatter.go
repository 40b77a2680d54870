package trust

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// frontmatter lists what the head of an agent, a skill or a command starts by itself: hooks and MCP servers. An
// unreadable head becomes an item, because the runtime may read it another way.
func (l *list) frontmatter(path, name string, data []byte) {
	head, ok := headOf(data)
	if !ok {
		return
	}
	var values map[string]any
	if err := yaml.Unmarshal(head, &values); err != nil {
		// Heads that are not YAML are common, because the runtime accepts them. Most contain a description with a colon
		// in it.
		if bytes.ContainsAny(head, "\\&*") || bytes.Contains(head, []byte("hooks")) || bytes.Contains(bytes.ToLower(head), []byte("mcp")) {
			l.unreadable(kindHook, path, "the head of "+name+" cannot be read as YAML", string(head))
		}
		return
	}
	if raw, ok := l.value(path, name, "hooks", values); ok {
		l.hooks(path, raw, name)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if strings.EqualFold(strings.NewReplacer("-", "", "_", "").Replace(key), "mcpServers") { // in any spelling
			if raw, ok := l.value(path, name, key, values); ok {
				l.headServers(path, raw)
			}
		}
	}
}

// value converts a value of a head to JSON, for the functions that parse JSON settings.
func (l *list) value(path, name, key string, values map[string]any) (json.RawMessage, bool) {
	value, ok := values[key]
	if !ok || value == nil {
		return nil, false
	}
	raw, err := json.Marshal(value)
	if err != nil { // its keys are impossible in JSON
		l.unreadable(kindHook, path, key+" of "+name+" cannot be read", fmt.Sprint(value))
		return nil, false
	}
	return raw, true
}

// headServers parses the servers in an agent's head: a list of names and objects, or one object.
func (l *list) headServers(path string, raw json.RawMessage) {
	servers, ok := asList(raw)
	if !ok {
		l.servers(path, raw)
		return
	}
	for _, s := range servers {
		if _, named := asString(s); !named { // a name only refers to a server configured elsewhere
			l.servers(path, s)
		}
	}
}

// headOf returns the lines between the first two lines of dashes.
func headOf(data []byte) ([]byte, bool) {
	data = bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(data, []byte("---\n"))
	if !ok {
		return nil, false
	}
	head, _, ok := bytes.Cut(append([]byte("\n"), rest...), []byte("\n---"))
	return head, ok
}
