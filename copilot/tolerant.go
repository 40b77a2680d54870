package copilot

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
)

// rawMessage is undecoded JSON.
type rawMessage = json.RawMessage

// fields is a JSON object that is read tolerantly: a member that is missing or of another type counts as absent, so
// that one surprise in an answer does not make the rest useless.
type fields map[string]json.RawMessage

// object decodes a JSON object; nil if raw is anything else.
func object(raw []byte) fields {
	if len(raw) == 0 {
		return nil
	}
	var f fields
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

// isString reports whether the member is a string.
func (f fields) isString(name string) bool {
	_, ok := jsonString(f[name])
	return ok
}

// str returns a string, "" if absent.
func (f fields) str(name string) string {
	s, _ := jsonString(f[name])
	return s
}

// has reports whether the member exists and is not null.
func (f fields) has(name string) bool {
	raw, ok := f[name]
	return ok && string(raw) != "null"
}

// either returns the first name if it exists, else the second.
func (f fields) either(name, other string) string {
	if f.has(name) {
		return name
	}
	return other
}

// sortedKeys returns the names of the members.
func sortedKeys(f fields) []string { return slices.Sorted(maps.Keys(f)) }

// flag returns a boolean, false if absent.
func (f fields) flag(name string) bool { return string(f[name]) == "true" }

// number returns a number, also one written as a string.
func (f fields) number(name string) (float64, bool) {
	raw := f[name]
	if len(raw) == 0 {
		return 0, false
	}
	text := string(raw)
	if s, ok := jsonString(raw); ok {
		text = s
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, false
	}
	return n, true
}

// float returns a number, 0 if absent.
func (f fields) float(name string) float64 {
	n, _ := f.number(name)
	return n
}

// whole returns a whole number, 0 if absent or implausibly large.
func (f fields) whole(name string) int {
	n, ok := f.number(name)
	if !ok || n > 1<<53 || n < -(1<<53) {
		return 0
	}
	return int(n)
}

// object returns a nested object; nil, which reads as empty, if absent.
func (f fields) object(name string) fields { return object(f[name]) }

// list returns an array, nil if absent.
func (f fields) list(name string) []rawMessage {
	var l []rawMessage
	if len(f[name]) == 0 || json.Unmarshal(f[name], &l) != nil {
		return nil
	}
	return l
}

// strings returns the strings of an array; a single string is an array of one.
func (f fields) strings(name string) []string {
	if s, ok := jsonString(f[name]); ok {
		return []string{s}
	}
	var out []string
	for _, raw := range f.list(name) {
		if s, ok := jsonString(raw); ok {
			out = append(out, s)
		}
	}
	return out
}

// jsonString decodes a JSON string.
func jsonString(raw []byte) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}
