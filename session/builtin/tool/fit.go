package tool

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parley/internal/jsonedit"
)

// schema has the members of a JSON Schema that are used to repair an input.
type schema struct {
	Type       kindOf             `json:"type"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Required   []string           `json:"required"`
}

// kindOf is the type of a schema, empty for a list of types, of which nothing is repaired.
type kindOf string

// UnmarshalJSON takes a string or a list of strings.
func (k *kindOf) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*k = kindOf(one)
	}
	return nil
}

var schemas sync.Map // of *schema by text

// schemaOf parses the schema of a tool once.
func schemaOf(text string) *schema {
	if s, ok := schemas.Load(text); ok {
		return s.(*schema)
	}
	s := &schema{}
	if json.Unmarshal([]byte(text), s) != nil {
		s = &schema{} // a test reads all schemas
	}
	schemas.Store(text, s)
	return s
}

// lacks reports whether an object has not all that a schema requires.
func lacks(s *schema, object []byte) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil {
		return true
	}
	return slices.ContainsFunc(s.Required, func(name string) bool { _, ok := fields[name]; return !ok })
}

// fit returns a value as a schema describes it: a number, boolean, list or object that came as a string, a string that came
// as a number, one element in place of a list, a null in place of an absent field, and a field by another name.
// What the schema describes already stays as it is, byte for byte.
func fit(s *schema, raw json.RawMessage) json.RawMessage {
	if s == nil || len(raw) == 0 {
		return raw
	}
	first := raw[0]
	var text string
	if first == '"' && json.Unmarshal(raw, &text) != nil {
		return raw
	}
	inner := []byte(strings.TrimSpace(text))
	switch s.Type {
	case "string":
		if first == '[' {
			return shellLine(raw)
		}
		if first == '-' || first >= '0' && first <= '9' || first == 't' || first == 'f' {
			return json.RawMessage(jsonedit.Quote(string(raw)))
		}
	case "integer":
		if first == '"' {
			return wholeNumber(string(inner), raw)
		}
		return wholeNumber(string(raw), raw)
	case "number":
		if _, err := strconv.ParseFloat(string(inner), 64); first == '"' && err == nil && json.Valid(inner) {
			return inner
		}
	case "boolean":
		if word := strings.ToLower(string(inner)); first == '"' && (word == "true" || word == "false") {
			return json.RawMessage(word)
		}
	case "array":
		return fitList(s, raw, inner)
	case "object":
		if first == '"' && bytes.HasPrefix(inner, []byte("{")) && json.Valid(inner) {
			raw, first = inner, '{'
		}
		if first == '{' {
			return fitObject(s, raw)
		}
	}
	return raw
}

// shellLine returns the line of a list such as ["bash","-lc","make"], in which GPT models write commands, and any other as it came.
func shellLine(raw json.RawMessage) json.RawMessage {
	var words []string
	if json.Unmarshal(raw, &words) != nil || len(words) != 3 || !slices.Contains([]string{"bash", "sh", "zsh"}, path.Base(words[0])) {
		return raw
	}
	if flags, ok := strings.CutPrefix(words[1], "-"); !ok || strings.Trim(flags, "lic") != "" || !strings.Contains(flags, "c") {
		return raw
	}
	return json.RawMessage(jsonedit.Quote(words[2]))
}

// wholeNumber returns an integer that came as a string or with a fraction of zeros, otherwise the value as it came.
func wholeNumber(text string, raw json.RawMessage) json.RawMessage {
	if n, zeros, ok := strings.Cut(text, "."); ok && zeros != "" && strings.Trim(zeros, "0") == "" {
		text = n
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
		return json.RawMessage(text)
	}
	return raw
}

// fitList repairs a list and its elements.
func fitList(s *schema, raw json.RawMessage, inner []byte) json.RawMessage {
	switch {
	case raw[0] == '"' && bytes.HasPrefix(inner, []byte("[")) && json.Valid(inner):
		raw = inner
	case s.Items != nil && (raw[0] == '{' && s.Items.Type == "object" && !lacks(s.Items, fit(s.Items, raw)) && string(raw) != "{}" || raw[0] == '"' && s.Items.Type == "string"):
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	if raw[0] != '[' || s.Items == nil {
		return raw
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return raw
	}
	changed := false
	for i, e := range elements {
		elements[i] = fit(s.Items, e)
		changed = changed || !bytes.Equal(elements[i], e)
	}
	if !changed {
		return raw
	}
	return slices.Concat([]byte("["), bytes.Join(bytesOf(elements), []byte(",")), []byte("]"))
}

func bytesOf(elements []json.RawMessage) [][]byte {
	out := make([][]byte, len(elements))
	for i, e := range elements {
		out[i] = e
	}
	return out
}

// fitObject repairs the fields of an object.
func fitObject(s *schema, raw json.RawMessage) json.RawMessage {
	if len(s.Properties) == 0 {
		return raw
	}
	d, err := jsonedit.Read(raw, &jsonedit.Shape{})
	if err != nil {
		return raw
	}
	defer d.Release()
	has := map[string]int{}
	for n := range d.Children(d.Root()) {
		has[d.Key(n)]++
	}
	stands, instead := s.standsFor(has)
	members, changed := []string{}, false
	for n := range d.Children(d.Root()) {
		key := d.Key(n)
		value := d.Raw(n)
		name := key
		if s.Properties[key] == nil {
			meant := s.meant(key)
			if meant == "" && key == stands {
				meant = instead
			}
			if meant != "" && has[meant] == 0 {
				name = meant
				has[meant]++
			}
		}
		property := s.Properties[name]
		if property != nil && property.Type != "" && string(value) == "null" && has[name] == 1 {
			changed = true
			continue
		}
		fitted := fit(property, value)
		changed = changed || name != key || !bytes.Equal(fitted, value)
		members = append(members, jsonedit.Quote(name)+":"+string(fitted))
	}
	if !changed {
		return raw
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// standsFor returns the only unknown field of an object, and the only required one that it lacks, if their names share a word: such as
// path for file_path, or bash_id for shell_id.
func (s *schema) standsFor(has map[string]int) (unknown, missing string) {
	for name := range has {
		if s.Properties[name] == nil {
			if unknown != "" {
				return "", ""
			}
			unknown = name
		}
	}
	for _, name := range s.Required {
		if has[name] == 0 {
			if missing != "" {
				return "", ""
			}
			missing = name
		}
	}
	words := strings.Split(strings.ToLower(missing), "_")
	if missing == "" || !slices.ContainsFunc(strings.Split(strings.ToLower(unknown), "_"), func(w string) bool { return slices.Contains(words, w) }) {
		return "", ""
	}
	return unknown, missing
}

// meant returns the only field whose name differs from an unknown one by case, underscores and hyphens, "" for none.
func (s *schema) meant(key string) string {
	plain := func(name string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)) }
	found := ""
	for name := range s.Properties {
		if plain(name) == plain(key) {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}
