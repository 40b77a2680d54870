package tool

import (
	"encoding/json"
	"slices"
)

// strictWords are the words of a schema that every service can hold a model to.
var strictWords = []string{"type", "description", "properties", "required", "additionalProperties", "items", "enum"}

// Strict reports whether a service can hold a model to the schema of the tool: each object is closed, requires all that it
// describes, and has no word that some service refuses in a strict schema.
func (t *Tool) Strict() bool { return strict([]byte(t.Schema)) }

// StrictObject reports whether a service can hold a whole answer to a schema: one of [Tool.Strict] for an object.
func StrictObject(schema []byte) bool {
	var s struct{ Type string }
	return json.Unmarshal(schema, &s) == nil && s.Type == "object" && strict(schema)
}

func strict(schema []byte) bool {
	var words map[string]json.RawMessage
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Open       *bool                      `json:"additionalProperties"`
		Items      json.RawMessage            `json:"items"`
		Type       string                     `json:"type"`
	}
	if json.Unmarshal(schema, &words) != nil || json.Unmarshal(schema, &s) != nil {
		return false
	}
	for word := range words {
		if !slices.Contains(strictWords, word) {
			return false
		}
	}
	if (s.Type == "object" || s.Properties != nil) && (s.Open == nil || *s.Open) {
		return false
	}
	for name, property := range s.Properties {
		if !slices.Contains(s.Required, name) || !strict(property) {
			return false
		}
	}
	return s.Items == nil || strict(s.Items)
}
