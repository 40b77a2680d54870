package form

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Content returns the answers to a form by the names of its fields, in the types of its schema, a JSON Schema of an object.
// An answer that does not fit its field is left out; the fields of a schema that cannot be read are text.
func Content(schema json.RawMessage, answers map[string][]string) map[string]any {
	var object struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schema, &object) // all fields of a malformed one are text
	content := map[string]any{}
	for name, choices := range answers {
		var f field
		_ = json.Unmarshal(object.Properties[name], &f)
		if v, ok := f.value(choices); ok {
			content[name] = v
		}
	}
	return content
}

// field is a field of a form's schema: text, a number, yes or no, or one or several values of a list.
type field struct {
	Type    any             `json:"type"` // a name, or several
	Minimum *float64        `json:"minimum"`
	Maximum *float64        `json:"maximum"`
	Items   json.RawMessage `json:"items"`
	valueList
}

// valueList holds the values that a field takes; none: any.
type valueList struct {
	Enum  []json.RawMessage `json:"enum"`
	OneOf []named           `json:"oneOf"`
	AnyOf []named           `json:"anyOf"`
}

// named is a value with a title for the user.
type named struct {
	Const json.RawMessage `json:"const"`
}

// value returns the choices of a field as a JSON value, false if they do not fit: the server never gets a value of another
// type or one that it does not list, and reports missing ones itself.
func (f field) value(choices []string) (any, bool) {
	kind := f.kind()
	if kind == "array" {
		var items valueList
		_ = json.Unmarshal(f.Items, &items)
		all := []any{}
		for _, choice := range choices {
			v, ok := items.find(choice)
			if !ok {
				return nil, false
			}
			all = append(all, v)
		}
		return all, true
	}
	text := strings.Join(choices, ", ")
	if len(f.values()) > 0 {
		return f.find(text)
	}
	plain := strings.TrimSpace(text)
	switch kind {
	case "boolean":
		v, err := strconv.ParseBool(strings.ToLower(plain))
		return v, err == nil
	case "integer":
		v, err := strconv.ParseInt(plain, 10, 64)
		return v, err == nil && f.bounds(float64(v))
	case "number":
		v, err := strconv.ParseFloat(plain, 64)
		return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && f.bounds(v) // others are not representable in JSON
	}
	return text, true
}

// kind returns the type of a field, of several the first that is not null.
func (f field) kind() string {
	switch t := f.Type.(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if name, ok := one.(string); ok && name != "null" {
				return name
			}
		}
	}
	return ""
}

// bounds reports whether a number is one that the field takes.
func (f field) bounds(v float64) bool {
	return (f.Minimum == nil || v >= *f.Minimum) && (f.Maximum == nil || v <= *f.Maximum)
}

func (l valueList) values() []json.RawMessage {
	all := slices.Clone(l.Enum)
	for _, n := range slices.Concat(l.OneOf, l.AnyOf) {
		if len(n.Const) > 0 {
			all = append(all, n.Const)
		}
	}
	return all
}

// find returns the listed value that a choice spells, in its own type. Where nothing is listed, the choice is the value.
func (l valueList) find(choice string) (any, bool) {
	values := l.values()
	if len(values) == 0 {
		return choice, true
	}
	for _, v := range values {
		var text string
		if json.Unmarshal(v, &text) != nil {
			text = string(v)
		}
		if text == choice {
			return v, true
		}
	}
	return nil, false
}
