package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Errorf returns an error that the model reads unchanged.
func Errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// DecodeInput decodes a call's input into v, a pointer to a struct. It ignores unknown fields, which models sometimes
// add, and returns errors for wrong types and missing fields, which the model reads.
func DecodeInput(input json.RawMessage, v any, required ...string) error {
	var fields map[string]json.RawMessage
	dec := json.NewDecoder(strings.NewReader(string(input)))
	if err := dec.Decode(&fields); err != nil || fields == nil {
		return Errorf("The input is not a JSON object: %.200s", input)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Errorf("The input has something after its JSON object.")
	}
	for _, name := range required {
		if _, ok := fields[name]; !ok {
			return Errorf("The input lacks %q.", name)
		}
	}
	if err := json.Unmarshal(input, v); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return Errorf("%q must be of type %s, not %s.", wrong.Field, jsonType(wrong.Type), wrong.Value)
		}
		return Errorf("The input cannot be read: %v", err)
	}
	return nil
}

// jsonType returns the name of a type as the schema of an input calls it, where that differs from Go.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "object"
	case reflect.Slice:
		return "array"
	}
	return t.String()
}
