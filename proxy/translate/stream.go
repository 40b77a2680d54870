package translate

import (
	"encoding/json"
	"errors"
)

// errIncomplete reports that an answer ended before the service declared it complete.
var errIncomplete = errors.New("the answer ended in the middle")

// errNotAnswer reports that the response is not one of the API that was called.
var errNotAnswer = errors.New("the answer cannot be read")

// Stream translates one streamed answer. It is used by one goroutine.
type Stream struct {
	sink   frameSink
	all    *assembler
	read   reader
	ended  bool // nothing may follow
	failed bool // by an error event
}

// reader reads one of the two protocols.
type reader interface {
	// event reads one event and reports whether the answer is complete with it.
	event(name string, data []byte) (complete bool, err error)
	// ending returns the end of the answer; false if it is not complete.
	ending() (ending, bool)
	// failure returns the failure that the service reported, nil for none.
	failure() *Failure
}

// Failure is an error that the service reported within an answer.
type Failure struct {
	// Code is the service's code, such as "server_error" or "rate_limit_exceeded"; may be empty.
	Code, Message string
}

// NewStream returns the translation of a streamed answer. The id becomes the id of the message; it should be unique and
// begin with "msg_".
func (r *Request) NewStream(id string) *Stream {
	s := &Stream{sink: frameSink{id: id, model: r.answer.model}}
	s.all = newAssembler(&r.answer, &s.sink)
	s.read = newReader(&r.answer, s.all, id)
	return s
}

func newReader(plan *answerPlan, all *assembler, id string) reader {
	if plan.api == apiResponses {
		return &responsesReader{all: all, id: id, items: map[int]*responsesItem{}}
	}
	return &chatReader{all: all, id: id, calls: map[int]*segment{}}
}

// Feed translates an event of the service, with its name or type; Chat Completions has none. The frames, maybe none,
// are valid until the next call; for their data see [Frame]. Unknown types and events after the end are ignored. A
// malformed event is an error that wraps [errNotAnswer]. A failure of the service becomes a last "error" event.
func (s *Stream) Feed(name string, data []byte) ([]Frame, error) {
	s.sink.reset()
	if s.ended {
		return nil, nil
	}
	complete, err := s.read.event(name, data)
	if err != nil {
		s.ended = true
		return s.sink.frames, err
	}
	if f := s.read.failure(); f != nil {
		s.ended, s.failed = true, true
		s.sink.failure(*f)
		return s.sink.frames, nil
	}
	if complete {
		s.end()
	}
	return s.sink.frames, nil
}

// Close ends the input. It returns the frames that were waiting for that, and [errIncomplete] if the answer is not
// complete. This or an earlier call ends the message with message_stop exactly if neither Feed nor Close failed and
// there was no "error" event.
func (s *Stream) Close() ([]Frame, error) {
	s.sink.reset()
	if s.ended {
		return nil, nil
	}
	if _, ok := s.read.ending(); !ok {
		s.ended = true
		return nil, errIncomplete
	}
	s.end()
	return s.sink.frames, nil
}

func (s *Stream) end() {
	s.ended = true
	e, _ := s.read.ending()
	s.all.finish(e)
}

// Message translates a whole answer. The id becomes the id of the message. An error wraps [errNotAnswer] or
// [errIncomplete], or is a [*Failure].
func (r *Request) Message(id string, body []byte) ([]byte, error) {
	out := newWholeSink(id, r.answer.model)
	all := newAssembler(&r.answer, out)
	read := newReader(&r.answer, all, id)
	var err error
	switch rd := read.(type) {
	case *responsesReader:
		err = rd.whole(body)
	case *chatReader:
		err = rd.whole(body)
	}
	if err != nil {
		return nil, err
	}
	if f := read.failure(); f != nil {
		return nil, f
	}
	e, ok := read.ending()
	if !ok {
		return nil, errIncomplete
	}
	all.finish(e)
	return out.buf, nil
}

// Error returns the failure as the service reported it.
func (f *Failure) Error() string {
	if f.Code == "" {
		return f.Message
	}
	return f.Code + ": " + f.Message
}

// Envelope returns the failure as an error of the Messages API.
func (f *Failure) Envelope() []byte {
	b := append([]byte(nil), `{"type":"error","error":{"type":`...)
	b = appendString(b, f.errorType())
	b = append(b, `,"message":`...)
	b = appendString(b, f.Error())
	return append(b, `},"request_id":null}`...)
}

// errorType returns the error type of the Messages API for a code of OpenAI's APIs.
func (f *Failure) errorType() string {
	switch f.Code {
	case "rate_limit_exceeded", "rate_limited":
		return "rate_limit_error"
	case "context_length_exceeded", "invalid_prompt", "image_too_large", "invalid_image", "invalid_request_error":
		return "invalid_request_error"
	case "server_is_overloaded", "overloaded", "overloaded_error":
		return "overloaded_error"
	}
	return "api_error"
}

func (s *frameSink) failure(f Failure) {
	from := len(s.buf)
	s.buf = append(s.buf, f.Envelope()...)
	s.emit("error", from)
}

// decode decodes an event.
func decode(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return errors.Join(errNotAnswer, err)
	}
	return nil
}
