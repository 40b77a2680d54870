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
	var lines []any
	add := func(name, about string, t reflect.Type) {
		shape := s.object(t)
		shape["properties"].(map[string]any)["type"] = map[string]any{"const": name}
		shape["required"] = append([]string{"type"}, without(shape["required"], "type")...)
		if about != "" {
			shape["description"] = about
		}
		key := "line_" + name
		s.defs[key] = shape
		lines = append(lines, map[string]any{"$ref": "#/$defs/" + key})
	}
	add("session", "The first line.", reflect.TypeFor[Session]())
	add("result", "The end of a turn, and the last line.", reflect.TypeFor[Result]())
	add("error", "A line of input that was not used.", reflect.TypeFor[InputError]())
	for _, name := range session.EventTypes() {
		add(name, "", session.EventStruct(name))
	}
	input := s.object(reflect.TypeFor[Input]())
	input["properties"].(map[string]any)["type"] = map[string]any{"enum": inputTypes}
	input["additionalProperties"] = false
	s.defs["input"] = input
	b, err := json.MarshalIndent(map[string]any{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       "parley stream-json, version 1",
		"description": "One line of the output. New fields and new types of lines may come without a new version: ignore what you do not know.",
		"anyOf":       lines,
		"$defs":       s.defs,
	}, "", "  ")
	if err != nil {
		panic(err) // maps of plain values always marshal
	}
	return append(b, '\n')
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
