package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
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
	modelSpan span // of the model's JSON string, quotes included
	stream    bool
}

// readMessageBody checks the whole body and finds the fields the proxy acts on. Everything else is the service's to judge,
// but for two things that it refuses in words no client understands. The words used here make the clients send the
// request again without. One is the role "system" inside messages (Claude Code 2.1.329 does so), the other are
// conversations held by the server (the tool runner of Anthropic's TypeScript SDK 1.11).
func readMessageBody(body []byte) (messageBody, error) {
	var m messageBody
	var seen struct{ model, messages, stream bool }
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
	err := scanDocument(body, func(s *scanner, key span) error {
		kind := s.space()
		switch {
		case s.is(key, "model"):
			once(&seen.model, "model")
			p, err := s.value()
			if err != nil {
				return err
			}
			if kind != '"' {
				refuse(errModelType)
				return nil
			}
			m.model, m.modelSpan = s.string(p), p
			return nil
		case s.is(key, "stream"):
			once(&seen.stream, "stream")
			_, err := s.value()
			if kind != 't' && kind != 'f' && kind != 'n' {
				refuse(errStream)
			}
			m.stream = kind == 't'
			return err
		case s.is(key, "messages"):
			once(&seen.messages, "messages")
			if kind != '[' {
				refuse(errMessages)
				_, err := s.value()
				return err
			}
			return s.array(func(s *scanner, index int) error { return checkRole(s, index, refuse) })
		case s.is(key, "thread") && kind != 'n':
			refuse(errThread)
		}
		_, err := s.value()
		return err
	})
	switch {
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

// checkRole consumes one message and refuses the role "system".
func checkRole(s *scanner, index int, refuse func(error)) error {
	if s.space() != '{' {
		_, err := s.value()
		return err
	}
	return s.object(func(s *scanner, key span) error {
		isRole := s.is(key, "role") && s.space() == '"'
		p, err := s.value()
		if err == nil && isRole && s.is(p, "system") {
			refuse(fmt.Errorf("messages.%d.role: Input should be 'user' or 'assistant'", index))
		}
		return err
	})
}

// stringAt finds the string value at a path of object keys. The first occurrence of each key counts.
func stringAt(text []byte, path ...string) (at span, value string, ok bool) {
	err := scanDocument(text, func(s *scanner, key span) error { return findString(s, key, path, &at, &value, &ok) })
	return at, value, ok && err == nil
}

func findString(s *scanner, key span, path []string, at *span, value *string, ok *bool) error {
	if *ok || !s.is(key, path[0]) {
		_, err := s.value()
		return err
	}
	c := s.space()
	if len(path) > 1 && c == '{' {
		return s.object(func(s *scanner, key span) error { return findString(s, key, path[1:], at, value, ok) })
	}
	p, err := s.value()
	if err == nil && len(path) == 1 && c == '"' {
		*at, *value, *ok = p, s.string(p), true
	}
	return err
}

// replaceString puts the JSON string of value where at is, and leaves every other byte as it was. text itself is not
// changed; it is returned if it already says that.
func replaceString(text []byte, at span, value string) []byte {
	quoted, err := json.Marshal(value)
	if err != nil || string(text[at.from:at.to]) == string(quoted) {
		return text
	}
	out := make([]byte, 0, len(text)-(at.to-at.from)+len(quoted))
	out = append(out, text[:at.from]...)
	out = append(out, quoted...)
	return append(out, text[at.to:]...)
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
