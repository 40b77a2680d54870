package proxy

import (
	"bytes"
	"errors"
	"fmt"

	"parley/copilot/jsonedit"
)

var (
	errNotObject = errors.New("the request body must be a JSON object")
	errNoModel   = errors.New("model: Field required")
	errModelType = errors.New("model: Input should be a valid string")
	errNoMessage = errors.New("messages: Field required")
	errMessages  = errors.New("messages: Input should be a valid list")
	errStream    = errors.New("stream: Input should be a valid boolean")
	errThread    = errors.New("thread: the Copilot API holds no conversations; send all messages")
)

// messageBody is what the proxy has to know of a request body.
type messageBody struct {
	model     string
	modelSpan jsonedit.Span // of the model's JSON string, quotes included
	stream    bool
	messages  jsonedit.Span // from within the first message to the end of the last; empty if there are none
	last      jsonedit.Span // the last message, with its braces
	probe     bool          // one token is enough
	ready     bool          // "stream" is said, and "system" is a list if it is there
}

// readMessageBody checks the whole body and finds the fields the proxy acts on. Everything else is the service's to judge,
// but for two things that it refuses in words no client understands. The words used here make the clients send the
// request again without. One is the role "system" inside messages (Claude Code 2.1.329 does so), the other are
// conversations held by the server (the tool runner of Anthropic's TypeScript SDK 1.11).
func readMessageBody(body []byte) (messageBody, error) {
	var m messageBody
	var seen struct{ model, messages, stream bool }
	var said, words bool
	var refused error
	refuse := func(err error) {
		if refused == nil {
			refused = err
		}
	}
	once := func(flag *bool, name string) {
		if *flag {
			refuse(fmt.Errorf("%s: given more than once", name))
		}
		*flag = true
	}
	s := jsonedit.Scan(body)
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case s.Is(key, "model"):
			once(&seen.model, "model")
			p := s.Value()
			if kind != '"' || s.Err() != nil {
				refuse(errModelType)
				break
			}
			m.model, m.modelSpan = s.String(p), p
		case s.Is(key, "stream"):
			once(&seen.stream, "stream")
			s.Value()
			if kind != 't' && kind != 'f' && kind != 'n' {
				refuse(errStream)
			}
			m.stream, said = kind == 't', kind != 'n'
		case s.Is(key, "messages"):
			once(&seen.messages, "messages")
			if kind != '[' {
				refuse(errMessages)
				s.Value()
				break
			}
			m.checkRoles(&s, body, refuse)
		case s.Is(key, "system"):
			words = words || kind == '"'
			s.Value()
		case s.Is(key, "max_tokens"):
			p := s.Value()
			m.probe = string(body[p.From:p.To]) == "1"
		case s.Is(key, "thread") && kind != 'n':
			refuse(errThread)
			s.Value()
		default:
			s.Value()
		}
	}
	m.ready = said && !words
	switch err := s.End(); {
	case errors.Is(err, jsonedit.ErrNotObject):
		return m, errNotObject
	case err != nil:
		return m, err
	case refused != nil:
		return m, refused
	case !seen.model || m.model == "":
		return m, errNoModel
	case !seen.messages:
		return m, errNoMessage
	}
	return m, nil
}

// checkRoles consumes the messages, refuses the role "system", and notes where they are.
func (m *messageBody) checkRoles(s *jsonedit.Scanner, body []byte, refuse func(error)) {
	index := 0
	for ok := s.Array(); ok; ok = s.NextElement() {
		if s.Kind() != '{' {
			s.Value()
			index++
			continue
		}
		m.last = jsonedit.Span{}
		first := index == 0
		for ok := s.Object(); ok; ok = s.NextMember() {
			key, kind := s.Key(), s.Kind()
			p := s.Value()
			if kind == '"' && s.Is(key, "role") && s.Is(p, "system") {
				refuse(fmt.Errorf("messages.%d.role: Input should be 'user' or 'assistant'", index))
			}
			if m.last.To == 0 {
				m.last.From = key.From
			}
			if first {
				m.messages.From, first = key.From, false
			}
			m.last.To = p.To
		}
		index++
	}
	if m.last.To == 0 || s.Err() != nil {
		return
	}
	// Nothing but white space is between the braces and what is inside next to them.
	m.last.From = bytes.LastIndexByte(body[:m.last.From], '{')
	m.last.To += bytes.IndexByte(body[m.last.To:], '}') + 1
	m.messages.To = m.last.To
}

// stringAt finds the string value at a path of object keys. The first occurrence of each key counts.
func stringAt(text []byte, path ...string) (at jsonedit.Span, value string, ok bool) {
	s := jsonedit.Scan(text)
	if s.Kind() != '{' {
		return at, "", false
	}
	at, found := findString(&s, path)
	if s.End() != nil || !found {
		return at, "", false
	}
	return at, s.String(at), true
}

// findString consumes an object and looks in it for the string at a path.
func findString(s *jsonedit.Scanner, path []string) (at jsonedit.Span, found bool) {
	for ok := s.Object(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case found || !s.Is(key, path[0]):
			s.Value()
		case len(path) > 1 && kind == '{':
			at, found = findString(s, path[1:])
		default:
			p := s.Value()
			if len(path) == 1 && kind == '"' {
				at, found = p, true
			}
		}
	}
	return at, found
}

// replaceString puts the JSON string of value where at is, and leaves every other byte as it was. text itself is not
// changed; it is returned if it already says that.
func replaceString(text []byte, at jsonedit.Span, value string) []byte {
	quoted := jsonedit.Quote(value)
	if string(text[at.From:at.To]) == quoted {
		return text
	}
	return jsonedit.Apply(text, []jsonedit.Edit{{Span: at, Text: quoted}})
}

// putString is replaceString for a text that may be changed: where the new string is as long as the old one, as the two
// spellings of a model are, nothing is copied.
func putString(text []byte, at jsonedit.Span, value string) []byte {
	quoted := jsonedit.Quote(value)
	if len(quoted) != at.To-at.From {
		return jsonedit.Apply(text, []jsonedit.Edit{{Span: at, Text: quoted}})
	}
	copy(text[at.From:at.To], quoted)
	return text
}

// withSDKModel respells the model id at path in an answer of the service for Anthropic's clients.
func withSDKModel(text []byte, path ...string) []byte {
	at, id, ok := stringAt(text, path...)
	if !ok {
		return text
	}
	if sdk := sdkModelID(id); sdk != id {
		return replaceString(text, at, sdk)
	}
	return text
}
