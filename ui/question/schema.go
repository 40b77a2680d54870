package question

import (
	"bytes"
	"encoding/json"
	"fmt"

	"parley/internal/human"
	"parley/session"
)

// Bounds of what is read of a schema. A server that asks for more than a person fills in gets a form with a warning.
const (
	maxSchema  = 1 << 20 // bytes of a schema
	maxFields  = 100     // fields of a form
	maxOptions = 200     // options that are listed; the others can be typed
	maxWords   = 8 << 10 // bytes of a title or a description
)

// elicitationForm returns the form of a JSON schema. Fields whose schema is not understood take free text.
func elicitationForm(e *session.ElicitationAsk) *Form {
	f := &Form{optional: true, server: true}
	f.Fields, f.Warning = schemaFields(e.Schema)
	if len(f.Fields) == 0 {
		f.Fields = []Field{{Options: []session.QuestionOption{{Label: "accept"}}}}
	}
	f.Enter(0)
	return f
}

// schemaFields reads the properties of an object schema in the order in which they are written, with a warning about what
// the form leaves out. Of two properties with one name the later one holds, as in JSON.
func schemaFields(schema json.RawMessage) (fields []Field, warning string) {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	switch {
	case len(schema) == 0:
		return nil, ""
	case len(schema) > maxSchema:
		return nil, "The form is too large to show: " + human.Kilobytes(len(schema)) + "."
	case json.Unmarshal(schema, &s) != nil && len(s.Properties) == 0:
		return nil, "The form can't be read: its schema is not valid."
	case len(s.Properties) == 0:
		return nil, ""
	}
	required := make(map[string]bool, len(s.Required))
	for _, name := range s.Required {
		required[name] = true
	}
	at, left := map[string]int{}, 0
	dec := json.NewDecoder(bytes.NewReader(s.Properties))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, "The form can't be read: its properties are not an object."
	}
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		var raw json.RawMessage
		if err != nil || !ok || dec.Decode(&raw) != nil {
			break
		}
		i, again := at[name]
		if !again && len(fields) >= maxFields {
			left++
			continue
		}
		fd := readProperty(raw).field(name, required[name])
		if again {
			fields[i] = fd
			continue
		}
		at[name] = len(fields)
		fields = append(fields, fd)
	}
	if left > 0 {
		warning = fmt.Sprintf("The form has %s, which parley does not show.", human.Count(left, "more field", "more fields"))
	}
	return fields, warning
}

// shortText cuts a text of a schema that is too long to read.
func shortText(s string) string {
	if len(s) <= maxWords {
		return s
	}
	return bytesOf(s, maxWords) + fmt.Sprintf(" … (%s more)", human.Kilobytes(len(s)-maxWords))
}

// bytesOf returns the first bytes of a text, without a character that does not fit.
func bytesOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
