package headless

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"parley/session"
)

// StreamSchema returns the JSON Schema (draft 2020-12) of every line of stream-json, and of the lines of input under
// "$defs/input".
func StreamSchema() []byte {
	s := &shapes{defs: map[string]any{}}
	lines := append([]any{s.line("session", "The first line.", reflect.TypeFor[Session]()),
		s.line("result", "The end of a turn, and the last line.", reflect.TypeFor[Result]()),
		s.line("error", "A line of input that was not used.", reflect.TypeFor[InputError]())}, s.events()...)
	input := s.object(reflect.TypeFor[Input]())
	input["properties"].(map[string]any)["type"] = map[string]any{"enum": inputTypes}
	input["additionalProperties"] = false
	s.defs["input"] = input
	return s.published(map[string]any{
		"title":       "parley stream-json, version 1",
		"description": "One line of the output. New fields and new types of lines may come without a new version: ignore what you do not know.",
		"anyOf":       lines,
	})
}

// ExportSchema returns the JSON Schema of a session that was exported as JSON.
func ExportSchema() []byte {
	s := &shapes{defs: map[string]any{}}
	return s.published(map[string]any{
		"title":       "parley session, version 1",
		"description": "A session as `parley sessions export --format json` prints it. New fields and events may come without a new version: ignore what you do not know.",
		"type":        "object",
		"required":    []string{"v", "meta", "events"},
		"properties": map[string]any{"v": map[string]any{"const": session.SchemaVersion}, "meta": s.of(reflect.TypeFor[session.Meta]()),
			"events": map[string]any{"type": "array", "items": map[string]any{"anyOf": s.events()}}},
	})
}

// published returns a schema with the definitions that it refers to.
func (s *shapes) published(schema map[string]any) []byte {
	schema["$schema"], schema["$defs"] = "https://json-schema.org/draft/2020-12/schema", s.defs
	b, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic(err) // maps of plain values always marshal
	}
	return append(b, '\n')
}

// events returns references to the schemas of all events.
func (s *shapes) events() (all []any) {
	for _, name := range session.EventTypes() {
		all = append(all, s.line(name, "", session.EventStruct(name)))
	}
	return all
}

// line returns a reference to the schema of an object with a type.
func (s *shapes) line(name, about string, t reflect.Type) any {
	shape := s.object(t)
	shape["properties"].(map[string]any)["type"] = map[string]any{"const": name}
	shape["required"] = append([]string{"type"}, without(shape["required"], "type")...)
	if about != "" {
		shape["description"] = about
	}
	key := "line_" + name
	s.defs[key] = shape
	return map[string]any{"$ref": "#/$defs/" + key}
}

// shapes are the schemas of types; named structs stand once under defs.
type shapes struct{ defs map[string]any }

// object returns the schema of a struct with its embedded ones.
func (s *shapes) object(t reflect.Type) map[string]any {
	props, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			inner := s.object(f.Type)
			for k, v := range inner["properties"].(map[string]any) {
				props[k] = v
			}
			required = append(required, inner["required"].([]string)...)
			continue
		case name == "-" || !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		props[name] = s.of(f.Type)
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": props, "required": required}
}

// of returns the schema of a type.
func (s *shapes) of(t reflect.Type) map[string]any {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return map[string]any{}
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[time.Duration]():
		return map[string]any{"type": "integer", "description": "nanoseconds"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return map[string]any{"type": "string", "contentEncoding": "base64"}
		}
		return map[string]any{"type": []string{"array", "null"}, "items": s.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.named(t)
	case reflect.String:
		return map[string]any{"type": "string"}
	}
	return map[string]any{"type": "integer"}
}

// named returns a reference to a struct's schema.
func (s *shapes) named(t reflect.Type) map[string]any {
	if s.defs[t.Name()] == nil {
		s.defs[t.Name()] = true // while it is made
		s.defs[t.Name()] = s.object(t)
	}
	return map[string]any{"$ref": "#/$defs/" + t.Name()}
}

func without(names any, name string) (rest []string) {
	for _, n := range names.([]string) {
		if n != name {
			rest = append(rest, n)
		}
	}
	return rest
}
