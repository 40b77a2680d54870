package copilot

import "slices"

// edit replaces a byte range of a text.
type edit struct {
	start, end int
	text       string
}

// prepareBody makes the body to send: "stream" says explicitly what is asked for, and a "system" that is a string
// becomes a list of one text block, the form the service takes from all clients. Everything else stays byte for byte as
// it is, unknown fields, number formats and order included. ok is false if the body is not one JSON object. The result
// is the body itself where nothing had to change.
func prepareBody(body []byte, stream bool) (out []byte, ok bool) {
	want := "false"
	if stream {
		want = "true"
	}
	var edits []edit
	hasStream, first := false, -1
	ok = scanObject(body, func(m member) bool {
		if first < 0 {
			first = m.keyStart
		}
		value := body[m.valueStart:m.valueEnd]
		switch {
		case m.keyIs(body, "stream"):
			hasStream = true
			if string(value) != want {
				edits = append(edits, edit{m.valueStart, m.valueEnd, want})
			}
		case value[0] == '"' && m.keyIs(body, "system"):
			edits = append(edits,
				edit{m.valueStart, m.valueStart, `[{"type":"text","text":`}, edit{m.valueEnd, m.valueEnd, `}]`})
		}
		return true
	})
	if !ok {
		return nil, false
	}
	switch {
	case hasStream:
	case first < 0: // an empty object
		at := slices.Index(body, '{') + 1
		edits = append(edits, edit{at, at, `"stream":` + want})
	default:
		edits = slices.Insert(edits, 0, edit{first, first, `"stream":` + want + `,`})
	}
	return applyEdits(body, edits), true
}

// applyEdits replaces byte ranges, which are in order and do not overlap.
func applyEdits(body []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return body
	}
	size := len(body)
	for _, e := range edits {
		size += len(e.text) - (e.end - e.start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(out, body[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, body[at:]...)
}
