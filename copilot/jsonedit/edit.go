package jsonedit

import "encoding/json"

// Edit puts Text where Span is. A span without length inserts.
type Edit struct {
	Span
	Text string
}

// Apply returns the text with the edits made, which are in order and do not overlap. The text itself is not changed; it
// is returned if there are no edits.
func Apply(text []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return text
	}
	size := len(text)
	for _, e := range edits {
		size += len(e.Text) - (e.To - e.From)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(out, text[at:e.From]...)
		out = append(out, e.Text...)
		at = e.To
	}
	return append(out, text[at:]...)
}

// Quote is the JSON string that says v.
func Quote(v string) string {
	b, err := json.Marshal(v)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
