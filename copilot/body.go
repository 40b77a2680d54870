package copilot

import (
	"parley/internal/jsonedit"
)

// prepareBody makes the body to send: "stream" says explicitly what is asked for, and a "system" that is a string
// becomes a list of one text block, the form the service takes from all clients. Everything else stays byte for byte as
// it is, unknown fields, number formats and order included. ok is false if the body is not one JSON object. The result
// is the body itself where nothing had to change.
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

// streamMember puts "stream" before the first member, which begins at first; -1: there is none.
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

// typed reads a JSON value once: whether it is one, and if it is an object, the raw first "type" of it if that is a
// string, without quotes.
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
