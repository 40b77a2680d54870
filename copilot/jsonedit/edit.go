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

// ApplyOver does what [Apply] does, and makes the edits in the text itself where there is room: a large text that gains
// no more than its capacity allows is not copied. Whoever calls it must own the text and what is behind it.
func ApplyOver(text []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return text
	}
	most, grown := 0, 0 // by how much the text is longer, at most, up to some place
	for _, e := range edits {
		grown += len(e.Text) - (e.To - e.From)
		most = max(most, grown)
	}
	if most > cap(text)-len(text) {
		return Apply(text, edits)
	}
	// What is from the first edit on moves back by so much that what is written never reaches what is still to be read.
	first := edits[0].From
	room := text[:len(text)+most]
	if most > 0 {
		copy(room[first+most:], text[first:])
	}
	to, at := first, first
	for _, e := range edits {
		to += copy(room[to:], room[at+most:e.From+most])
		to += copy(room[to:], e.Text)
		at = e.To
	}
	to += copy(room[to:], room[at+most:])
	return room[:to]
}

// Quote is the JSON string that says v.
func Quote(v string) string {
	b, err := json.Marshal(v)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
