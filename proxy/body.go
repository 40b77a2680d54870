package proxy

import (
	"errors"
	"fmt"
	"sync"

	"parley/internal/jsonedit"
	"parley/proxy/repair"
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

// messageBody holds the parts of a request body that the proxy needs.
type messageBody struct {
	req       *repair.Request
	model     string
	modelSpan jsonedit.Span // of the model's JSON string, quotes included
	stream    bool
	messages  jsonedit.Span // from the first message to the end of the last; empty without messages
	asked     jsonedit.Span // the last message that is neither the model's nor the system's, with its braces; empty without one
	probe     bool          // one token is enough
	said      bool          // the body has "stream"
	words     bool          // "system" is a string
}

// readMessageBody checks the whole body, in one pass that the repair shares, and finds the fields for the proxy. It
// refuses conversations held by the server (the tool runner of Anthropic's TypeScript SDK 1.11), whose refusal by the
// service that client does not understand. The error makes it send all messages.
func readMessageBody(body []byte) (messageBody, error) {
	req, err := repair.Read(body)
	switch {
	case errors.Is(err, jsonedit.ErrNotObject):
		return messageBody{}, errNotObject
	case err != nil:
		return messageBody{}, err
	}
	r := bodyReader{Document: req.Document(), m: messageBody{req: req}}
	for n := range r.Children(r.Root()) {
		kind := r.Kind(n)
		switch {
		case r.KeyIs(n, "model"):
			if r.once(&r.model, "model"); kind != '"' {
				r.refuse(errModelType)
				break
			}
			r.m.model, r.m.modelSpan = r.String(n), r.At(n)
		case r.KeyIs(n, "stream"):
			if r.once(&r.stream, "stream"); kind != 't' && kind != 'f' && kind != 'n' {
				r.refuse(errStream)
			}
			r.m.stream, r.m.said = kind == 't', kind != 'n'
		case r.KeyIs(n, "messages"):
			if r.once(&r.messages, "messages"); kind != '[' {
				r.refuse(errMessages)
				break
			}
			r.locate(n)
		case r.KeyIs(n, "system"):
			r.m.words = r.m.words || kind == '"'
		case r.KeyIs(n, "max_tokens"):
			r.m.probe = string(r.Raw(n)) == "1"
		case r.KeyIs(n, "thread") && kind != 'n':
			r.refuse(errThread)
		}
	}
	switch {
	case r.refused != nil:
		return r.m, r.refused
	case !r.model || r.m.model == "":
		return r.m, errNoModel
	case !r.messages:
		return r.m, errNoMessage
	}
	return r.m, nil
}

// bodyReader is the state of reading a body.
type bodyReader struct {
	*jsonedit.Document
	m                       messageBody
	model, messages, stream bool  // found
	refused                 error // the first reason
}

func (r *bodyReader) refuse(err error) {
	if r.refused == nil {
		r.refused = err
	}
}

func (r *bodyReader) once(seen *bool, name string) {
	if *seen {
		r.refuse(fmt.Errorf("%s: given more than once", name))
	}
	*seen = true
}

// locate records where the messages are.
func (r *bodyReader) locate(list jsonedit.Node) {
	for n := range r.Children(list) {
		if r.Kind(n) != '{' {
			continue
		}
		at := r.At(n)
		if r.m.messages.To == 0 {
			r.m.messages.From = at.From
		}
		r.m.messages.To = at.To
		if r.asks(n) {
			r.m.asked = at
		}
	}
}

// asks reports whether a message may ask for an answer: its role is neither that of the model nor of the system.
func (r *bodyReader) asks(message jsonedit.Node) bool {
	for n := range r.Children(message) {
		if r.KeyIs(n, "role") && r.Kind(n) == '"' {
			return !r.Is(n, "assistant") && !r.Is(n, "system")
		}
	}
	return true
}

// stringAt returns the string value at a path of object keys. The first occurrence of each key counts.
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

// findString consumes an object and searches it for the string at a path.
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

// replaceString replaces the bytes at at by value as a JSON string. It does not change text, and returns it if it
// already has that value.
func replaceString(text []byte, at jsonedit.Span, value string) []byte {
	quoted := jsonedit.Quote(value)
	if string(text[at.From:at.To]) == quoted {
		return text
	}
	return jsonedit.Apply(text, []jsonedit.Edit{{Span: at, Text: quoted}})
}

// putString is replaceString for a text that may be changed. It copies nothing if both strings have the same length,
// like the two spellings of a model.
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

// spareBodies are unused buffers of request bodies. A conversation is sent repeatedly, each time a little longer.
var spareBodies sync.Pool

// maxSpareBody bounds the size of a spare buffer, in bytes.
const maxSpareBody = 8 << 20

// spareBody returns an empty buffer, or nil.
func spareBody() []byte {
	if b, ok := spareBodies.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

// keepBody returns a buffer to the pool.
func keepBody(b []byte) {
	if cap(b) <= maxSpareBody {
		spareBodies.Put(&b)
	}
}
