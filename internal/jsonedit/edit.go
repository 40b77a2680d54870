package jsonedit

import "encoding/json"

// Edit replaces Span by Text. With an empty span it inserts.
type Edit struct {
	Span
	Text string
}

// Apply returns a copy of the text with the edits, which must be in order and must not overlap. Without edits it returns
// the text itself.
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

// applyOver does what [Apply] does, but edits the text in place if it has enough capacity, so that a large text is not
// copied. The caller must own the text and the memory behind it.
func applyOver(text []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return text
	}
	most, grown := 0, 0 // how much longer the text gets, at most, up to some place
	for _, e := range edits {
		grown += grows(e)
		most = max(most, grown)
	}
	if most > cap(text)-len(text) {
		return Apply(text, edits)
	}
	room := text[:len(text)+most]
	// Each piece between two edits moves by what the edits before it add or remove. Pieces that move back go first,
	// from the last to the first; then those that move forward, from the first to the last. So each moves at most once,
	// and none is overwritten before it has moved.
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

// grows returns by how much an edit makes the text longer.
func grows(e Edit) int { return len(e.Text) - (e.To - e.From) }

// Quote returns v as a JSON string.
func Quote(v string) string {
	b, err := json.Marshal(v)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
