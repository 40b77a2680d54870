package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Errorf returns an error that the model reads unchanged.
func Errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// DecodeInput decodes a call's input into v, a pointer to a struct. It ignores unknown fields, which models sometimes
// add, and returns errors for wrong types and missing fields, which the model reads: what is wrong, and where.
func DecodeInput(input json.RawMessage, v any, required ...string) error {
	object, cut, err := repairJSON(input)
	if err != nil {
		return Errorf("%w%s", err, needs(required))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return Errorf("The input cannot be read: %v", err)
	}
	if cut {
		for _, name := range required {
			if _, ok := fields[name]; !ok {
				return Errorf("The input is cut off before %q.%s", name, needs(required))
			}
		}
	}
	for _, name := range required {
		if _, ok := fields[name]; !ok {
			return Errorf("The input lacks %q.", name)
		}
	}
	if err := json.Unmarshal(object, v); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return Errorf("%q must be of type %s, not %s.", wrong.Field, jsonType(wrong.Type), wrong.Value)
		}
		return Errorf("The input cannot be read: %v", err)
	}
	return nil
}

// needs names the fields that an input must have.
func needs(required []string) string {
	if len(required) == 0 {
		return ""
	}
	names := make([]string, len(required))
	for i, name := range required {
		names[i] = strconv.Quote(name)
	}
	return " Send one JSON object with " + strings.Join(names, ", ") + "."
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
