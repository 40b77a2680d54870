package copilot

import (
	"parley/internal/jsonedit"
)

// prepareBody returns the body to send: it sets "stream", and replaces a "system" that is a string by a list of one
// text block, the form that the service takes from all clients. It preserves all other bytes, and returns the body
// itself if nothing changes. ok is false if the body is not one JSON object.
func prepareBody(body []byte, stream bool) (out []byte, ok bool) {
	want := "false"
	if stream {
		want = "true"
	}
	var edits []jsonedit.Edit
	hasStream, first := false, -1
	s := jsonedit.Scan(body)
	for more := s.TopObject(); more; more = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		value := s.Value()
		if first < 0 {
			first = key.From
		}
		switch {
		case s.Is(key, "stream"):
			hasStream = true
			if string(body[value.From:value.To]) != want {
				edits = append(edits, jsonedit.Edit{Span: value, Text: want})
			}
		case kind == '"' && s.Is(key, "system"):
			edits = append(edits,
				jsonedit.Edit{Span: jsonedit.Span{From: value.From, To: value.From}, Text: `[{"type":"text","text":`},
				jsonedit.Edit{Span: jsonedit.Span{From: value.To, To: value.To}, Text: `}]`})
		}
	}
	if s.End() != nil {
		return nil, false
	}
	if !hasStream {
		edits = append([]jsonedit.Edit{streamMember(body, first, want)}, edits...)
	}
	return jsonedit.Apply(body, edits), true
}

// streamMember inserts "stream" before the first member, which begins at first; -1 for an empty object.
func streamMember(body []byte, first int, want string) jsonedit.Edit {
	text := `"stream":` + want
	if first >= 0 {
		return jsonedit.Edit{Span: jsonedit.Span{From: first, To: first}, Text: text + ","}
	}
	at := 0
	for body[at] != '{' {
		at++
	}
	return jsonedit.Edit{Span: jsonedit.Span{From: at + 1, To: at + 1}, Text: text}
}

// typed checks a JSON value in one pass and returns, for an object, the raw first "type" if that is a string, without
// quotes.
func typed(text []byte) (typ []byte, ok bool) {
	s := jsonedit.Scan(text)
	if s.Kind() != '{' {
		s.Value()
		return nil, s.End() == nil
	}
	seen := false
	for more := s.Object(); more; more = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		value := s.Value()
		if !seen && s.Err() == nil && s.Is(key, "type") {
			if seen = true; kind == '"' {
				typ = text[value.From+1 : value.To-1]
			}
		}
	}
	if s.End() != nil {
		return nil, false
	}
	return typ, true
}
