package builtin

import (
	"bytes"
	"encoding/json"

	"parley/session"
)

// watch warns the model of what it does in vain, and returns the problem with which the run ends if that did not help.
func (l *loop) watch() *session.Problem {
	warn, end := l.vain.Take()
	if end != "" {
		return &session.Problem{Kind: session.KindInvalid, What: end,
			Next: "Say what to do differently, or look at it yourself."}
	}
	for _, w := range warn {
		l.remind(remind(w))
	}
	return nil
}

// isObject reports whether an input is a JSON object.
func isObject(input json.RawMessage) bool {
	return json.Valid(input) && bytes.HasPrefix(bytes.TrimSpace(input), []byte("{"))
}
