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
		size += grows(e)
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
// no more than its capacity allows is not copied. The caller must own the text and the memory behind it.
func ApplyOver(text []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return text
	}
	most, grown := 0, 0 // by how much the text is longer, at most, up to some place
	for _, e := range edits {
		grown += grows(e)
		most = max(most, grown)
	}
	if most > cap(text)-len(text) {
		return Apply(text, edits)
	}
	room := text[:len(text)+most]
	// What stands between two edits moves by what those before it add or take. What moves back goes first, from the last
	// piece to the first; then what moves forward, from the first to the last. So nothing is overwritten before it has
	// moved, nothing moves twice, and what stays where it is is not touched.
	end := len(text)
	for i, shift := len(edits)-1, grown; i >= 0; i-- {
		if shift > 0 {
			copy(room[edits[i].To+shift:], text[edits[i].To:end])
		}
		end, shift = edits[i].From, shift-grows(edits[i])
	}
	shift := 0
	for i, e := range edits {
		if shift += grows(e); shift < 0 {
			end := len(text)
			if i+1 < len(edits) {
				end = edits[i+1].From
			}
			copy(room[e.To+shift:], text[e.To:end])
		}
	}
	shift = 0
	for _, e := range edits {
		copy(room[e.From+shift:], e.Text)
		shift += grows(e)
	}
	return room[:len(text)+shift]
}

// grows is by how much the text gets longer with an edit.
func grows(e Edit) int { return len(e.Text) - (e.To - e.From) }

// Quote is the JSON string that says v.
func Quote(v string) string {
	b, err := json.Marshal(v)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
