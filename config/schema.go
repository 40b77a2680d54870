package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Schema returns the JSON schema (draft 2020-12) of the configuration file, for editors.
func Schema() []byte {
	root := object("The configuration of parley.")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "parley"
	for _, k := range Keys {
		at := root
		path := strings.Split(k.Name, ".")
		for _, p := range path[:len(path)-1] {
			props := at["properties"].(map[string]any)
			if props[p] == nil {
				props[p] = object("")
			}
			at = props[p].(map[string]any)
		}
		at["properties"].(map[string]any)[path[len(path)-1]] = k.schema()
	}
	b, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // maps of plain values always marshal
	}
	return append(b, '\n')
}

func object(doc string) map[string]any {
	m := map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{}}
	if doc != "" {
		m["description"] = doc
	}
	return m
}

func (k Key) schema() map[string]any {
	m := map[string]any{"description": k.Doc}
	switch k.Type {
	case Strings:
		m["type"], m["items"] = "array", map[string]any{"type": "string"}
	case Bindings:
		m["type"], m["items"] = "array", bindingSchema()
	case Servers:
		m["type"], m["items"] = "array", serverSchema()
	case Duration:
		m["type"], m["pattern"], m["default"] = "string", `^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`, formatDefault(k)
	default:
		m["type"], m["default"] = string(k.Type), k.Default
	}
	if k.Values != nil {
		m["enum"] = k.Values
	}
	return m
}

func formatDefault(k Key) string {
	switch v := k.Default.(type) {
	case time.Duration:
		return shortDuration(v)
	case []string, []Binding, []LanguageServer:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// shortDuration formats a duration as 5m instead of 5m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Markdown returns the table of all keys for the documentation.
func Markdown() []byte {
	var b bytes.Buffer
	b.WriteString("| key | default | environment | flag | what it is for |\n|---|---|---|---|---|\n")
	for _, k := range Keys {
		flag := ""
		if k.Flag != "" {
			flag = "`--" + k.Flag + "`"
		}
		def := formatDefault(k)
		if def != "" {
			def = "`" + def + "`"
		}
		doc := k.Doc
		if k.Values != nil {
			doc += " One of `" + strings.Join(k.Values, "`, `") + "`."
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s |\n", k.Name, def, k.Env(), flag, doc)
	}
	return b.Bytes()
}

// Show returns the effective configuration as YAML, with the source of each value as a comment. The result is a valid
// configuration file.
func (c *Config) Show() []byte {
	var b bytes.Buffer
	section := ""
	for _, v := range c.Values {
		sec, name, nested := strings.Cut(v.Key.Name, ".")
		indent := ""
		if !nested {
			name = v.Key.Name
		} else {
			if sec != section {
				fmt.Fprintf(&b, "%s:\n", sec)
				section = sec
			}
			indent = "  "
		}
		fmt.Fprintf(&b, "%s%s: %s # %s\n", indent, name, yamlValue(v.Value), v.Source)
	}
	return b.Bytes()
}

// YAML returns the value as YAML on one line, as Show prints it.
func (v Value) YAML() string { return yamlValue(v.Value) }

// Plain returns the value for JSON: durations are text as in the file, lists are never nil.
func (v Value) Plain() any {
	if _, ok := v.Value.(time.Duration); ok {
		return v.YAML()
	}
	return json.RawMessage(v.YAML())
}

// yamlValue formats a value as YAML on one line. Strings and lists are JSON, which is YAML too.
func yamlValue(v any) string {
	if d, ok := v.(time.Duration); ok {
		return shortDuration(d)
	}
	if list, ok := v.([]string); ok && list == nil {
		return "[]"
	}
	if list, ok := v.([]Binding); ok && list == nil {
		return "[]"
	}
	if list, ok := v.([]LanguageServer); ok && list == nil {
		return "[]"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return strings.TrimSpace(b.String())
}
