package guard

import (
	"encoding/json"

	"parley/internal/jsonedit"
)

// WithCommand returns the arguments of a call with another command line; everything else stays byte for byte. It reports false
// for arguments that are not an object with a command line.
func WithCommand(args json.RawMessage, command string) (json.RawMessage, bool) {
	var edits []jsonedit.Edit
	s := jsonedit.Scan(args)
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		key := s.Key()
		text := s.Kind() == '"'
		value := s.Value()
		if s.Err() != nil || s.String(key) != "command" {
			continue
		}
		if !text {
			return nil, false
		}
		edits = append(edits, jsonedit.Edit{Span: value, Text: jsonedit.Quote(command)})
	}
	if s.End() != nil || len(edits) == 0 {
		return nil, false
	}
	return jsonedit.Apply(args, edits), true
}
