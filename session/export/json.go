package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"parley/session"
)

// JSON yields a session as one object, piece by piece: its version, what is known of it, and its events as in stream-json. An
// error ends it.
func JSON(meta session.Meta, events []session.Event) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("  ", "  ")
		if err := enc.Encode(meta); err != nil {
			yield("", err)
			return
		}
		begin := fmt.Sprintf("{\n  \"v\": %d,\n  \"meta\": %s,\n  \"events\": [", session.SchemaVersion, strings.TrimSpace(b.String()))
		if !yield(begin, nil) {
			return
		}
		for i, e := range events {
			line, err := session.EncodeEvent(e)
			b.Reset()
			b.WriteString(map[bool]string{true: "\n    ", false: ",\n    "}[i == 0])
			if err == nil {
				err = json.Indent(&b, line, "    ", "  ")
			}
			if !yield(b.String(), err) || err != nil {
				return
			}
		}
		if len(events) > 0 {
			yield("\n  ]\n}\n", nil)
			return
		}
		yield("]\n}\n", nil)
	}
}
