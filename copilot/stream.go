package copilot

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"parley/internal/crash"
)

// Frame is one server-sent event as received.
type Frame struct {
	// Event is the event's type: the "event:" field, or else the "type" in the data.
	Event string
	// Data is the data field, without the trailing newline; always valid JSON. It is valid until the next call of Next.
	Data []byte
}

// Stream is a streaming answer. Only one goroutine uses it; Close may be called from any.
type Stream struct {
	// Header is the header of the HTTP response: request ids, quota, rate limits.
	Header http.Header

	client   *Client
	api      *api
	x        *exchange
	sse      *sseReader
	skipped  int
	finished bool  // the answer is complete except for its formal end
	end      error // the result of further calls of Next
	release  sync.Once
}

// newStream returns the stream of an exchange's answer, and takes over the exchange.
func (c *Client) newStream(x *exchange, a *api) *Stream {
	s := &Stream{Header: c.maskHeader(x.resp.Header), client: c, api: a, x: x}
	s.sse = newSSEReader(newWatched(x, c.stallAfter))
	return s
}

// Next returns the next frame and io.EOF after the last one (message_stop in the Messages API). An error that the
// service reports (status [StatusStreamError]) or a broken stream is an [*Error], which later calls repeat. Data that
// is not JSON is skipped and counted, bytes after the end are ignored. The end releases the connection.
func (s *Stream) Next() (Frame, error) {
	if s.end != nil {
		return Frame{}, s.end
	}
	if data, ok := s.sse.repeated(); ok {
		return Frame{Event: eventBlockDelta, Data: data}, nil
	}
	for {
		event, data, err := s.sse.next()
		switch {
		case err != nil && s.finished && errors.Is(err, io.EOF):
			return Frame{}, s.finish(io.EOF)
		case err != nil:
			return Frame{}, s.finish(s.broken(err))
		case string(event) == "error":
			return Frame{}, s.fail(data)
		case s.api.mark != "" && string(data) == s.api.mark:
			return Frame{}, s.finish(io.EOF)
		}
		typ, ok := typed(data)
		if !ok {
			s.skipped++
			continue
		}
		if string(typ) == "error" {
			return Frame{}, s.fail(data)
		}
		if len(event) == 0 {
			event = typ
		}
		f := Frame{Event: eventName(event), Data: data}
		name := f.Event
		if len(typ) > 0 {
			name = eventName(typ)
		}
		if fault := s.api.fault(name, data); fault != nil {
			return Frame{}, s.fail(fault)
		}
		if s.api.last(name) {
			s.finish(io.EOF)
		}
		s.finished = s.finished || s.api.finished(data)
		if f.Event == eventBlockDelta && name == eventBlockDelta {
			s.sse.learn()
		}
		return f, nil
	}
}

// Ready reports whether Next will return without waiting for the service, so that several frames can be forwarded at
// once. It may report false although Next would not wait. Only the reader may call it.
func (s *Stream) Ready() bool { return s.end != nil || s.sse.ready() }

// Skipped returns the number of events left out because their data was not JSON. Only the reader may call it.
func (s *Stream) Skipped() int { return s.skipped }

// Close releases the connection. It may be called more than once, and while Next waits, which then returns an error of
// [KindCancelled].
func (s *Stream) Close() error {
	s.drop(errClosed)
	return nil
}

// fail ends the stream with the error that the service reported.
func (s *Stream) fail(data []byte) error {
	return s.finish(s.client.reportedError(s.api.opStream, s.Header, data))
}

// finish records the end of the stream and releases the connection, which can be reused if the answer is complete.
func (s *Stream) finish(err error) error {
	s.end = err
	if errors.Is(err, io.EOF) {
		s.release.Do(func() { s.client.drains.end(s.x) })
		return err
	}
	s.drop(errClosed)
	return err
}

// drop ends the request once.
func (s *Stream) drop(cause error) { s.release.Do(func() { s.x.end(cause) }) }

// broken returns the error for a stream that ended before its last event.
func (s *Stream) broken(err error) error {
	if errors.Is(err, errFrameTooLong) {
		return protocolError(s.api.opStream, s.x.resp.StatusCode, s.Header, "%w", err)
	}
	if errors.Is(err, io.EOF) && context.Cause(s.x.ctx) == nil {
		err = errCutOff
	}
	e := s.client.transportError(s.x.ctx, s.api.opStream, err)
	e.Header, e.RequestID = s.Header, requestID(s.Header)
	return e
}

// errCutOff reports that a stream ended too early.
var errCutOff = errors.New("the connection was closed in the middle of the answer")

// watched is the body of an answer with a timer that ends the request. The timer runs only while a read waits, so that
// a slow reader does not look like a silent service.
type watched struct {
	x     *exchange
	after time.Duration
	timer *time.Timer // nil: no bound
}

// newWatched returns the watched body of an exchange.
func newWatched(x *exchange, after time.Duration) *watched {
	w := &watched{x: x, after: after}
	if after > 0 {
		w.timer = time.AfterFunc(after, crash.Guarded(func() { x.cancel(errSilent) }))
		w.timer.Stop()
	}
	return w
}

// Read reads from the body.
func (w *watched) Read(p []byte) (int, error) {
	if w.timer != nil {
		w.timer.Reset(w.after)
		defer w.timer.Stop()
	}
	return w.x.resp.Body.Read(p)
}

// The events of the Messages API.
const (
	eventMessageStart = "message_start"
	eventBlockStart   = "content_block_start"
	eventBlockDelta   = "content_block_delta"
	eventBlockStop    = "content_block_stop"
	eventMessageDelta = "message_delta"
	eventMessageStop  = "message_stop"
	eventPing         = "ping"
)

// The frequent events of the Responses API.
const (
	eventOutputText = "response.output_text.delta"
	eventArguments  = "response.function_call_arguments.delta"
	eventSummary    = "response.reasoning_summary_text.delta"
)

// eventName returns a name as a string, without allocating for frequent ones.
func eventName(name []byte) string {
	switch string(name) {
	case eventBlockDelta:
		return eventBlockDelta
	case eventBlockStart:
		return eventBlockStart
	case eventBlockStop:
		return eventBlockStop
	case eventMessageStart:
		return eventMessageStart
	case eventMessageDelta:
		return eventMessageDelta
	case eventMessageStop:
		return eventMessageStop
	case eventPing:
		return eventPing
	case eventOutputText:
		return eventOutputText
	case eventArguments:
		return eventArguments
	case eventSummary:
		return eventSummary
	}
	return string(name)
}
