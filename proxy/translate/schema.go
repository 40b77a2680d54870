package translate

import (
	"encoding/json"
	"slices"
)

// toolSchema makes the schema of a tool acceptable: an object with properties, without "$schema". It preserves
// everything below the first level byte for byte.
func toolSchema(raw json.RawMessage) (map[string]any, error) {
	var fields map[string]json.RawMessage
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &fields); err != nil {
			return nil, err
		}
	}
	out := make(map[string]any, len(fields)+2)
	for k, v := range fields {
		if k != "$schema" {
			out[k] = v
		}
	}
	out["type"] = "object"
	if _, ok := out["properties"]; !ok {
		out["properties"] = json.RawMessage("{}")
	}
	return out, nil
}

// maxSchemaDepth bounds the depth to which a schema is examined.
const maxSchemaDepth = 64

// isStrict reports whether a schema meets OpenAI's conditions for answers that are guaranteed to follow it: every
// object closed, every property required. OpenAI refuses a strict request with any other schema.
func isStrict(raw json.RawMessage) bool { return isStrictAt(raw, 0) }

func isStrictAt(raw json.RawMessage, depth int) bool {
	var s struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		Required             []string                   `json:"required"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
		Type                 any                        `json:"type"`
		Items                json.RawMessage            `json:"items"`
		AnyOf                []json.RawMessage          `json:"anyOf"`
		AllOf                []json.RawMessage          `json:"allOf"`
		OneOf                []json.RawMessage          `json:"oneOf"`
		Defs                 map[string]json.RawMessage `json:"$defs"`
		Definitions          map[string]json.RawMessage `json:"definitions"`
	}
	if depth > maxSchemaDepth || json.Unmarshal(raw, &s) != nil || len(s.OneOf) > 0 || len(s.AllOf) > 0 {
		return false
	}
	if s.Type == "object" || s.Properties != nil {
		if string(s.AdditionalProperties) != "false" || len(s.Required) < len(s.Properties) {
			return false
		}
	}
	below := s.AnyOf
	if s.Items != nil {
		below = append(below, s.Items)
	}
	for name, p := range s.Properties {
		if !slices.Contains(s.Required, name) {
			return false
		}
		below = append(below, p)
	}
	for _, defs := range []map[string]json.RawMessage{s.Defs, s.Definitions} {
		for _, d := range defs {
			below = append(below, d)
		}
	}
	return !slices.ContainsFunc(below, func(b json.RawMessage) bool { return !isStrictAt(b, depth+1) })
}

// answerFormat returns the schema that a structured answer must follow; nil for none.
func (r *request) answerFormat() (map[string]any, bool, error) {
	raw, path := r.OutputConfig.Format, "output_config.format"
	if len(raw) == 0 || string(raw) == "null" {
		raw, path = r.OutputFormat, "output_format"
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, false, nil
	}
	var f struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(raw, &f) != nil || f.Type != "json_schema" || len(f.Schema) == 0 {
		return nil, false, refuse(path, "Input should be of type json_schema with a schema")
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(f.Schema, &fields) != nil {
		return nil, false, refuse(path+".schema", "Input should be an object")
	}
	schema := make(map[string]any, len(fields))
	for k, v := range fields {
		if k != "$schema" {
			schema[k] = v
		}
	}
	return schema, isStrict(f.Schema), nil
}

// formatName is the name that both APIs require for a schema. It has no meaning.
const formatName = "answer"
