package proxy

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"parley/internal/jsonedit"
)

// Usage counts the tokens of one request, as the service reported them. A field it did not report is 0.
type Usage struct {
	Input, Output          int64
	CacheRead, CacheCreate int64
}

func (u *Usage) add(v Usage) {
	u.Input += v.Input
	u.Output += v.Output
	u.CacheRead += v.CacheRead
	u.CacheCreate += v.CacheCreate
}

// Exchange is one finished request that came with a valid bearer, for logs, quota display and tests.
type Exchange struct {
	// Session is the session id of the bearer.
	Session string
	// Method and Path are the request's, without the query.
	Method, Path string
	// Model is the model as asked for, Upstream the id that was sent to the service. Both are empty if the request was
	// refused before.
	Model, Upstream string
	// Initiator is who the request counted as coming from, "user" or "agent"; empty if it was refused before.
	Initiator string
	// Repairs names the rules that changed the request so that the service accepts it.
	Repairs []string
	// Stream says that the client asked for a stream.
	Stream bool
	// Status is the HTTP status of the answer, 499 if the client was gone, or cut off, before there was one.
	Status int
	// Err says what went wrong: a kind of package copilot, an Anthropic error type for a refusal of the proxy's own,
	// "cancelled" if the client left or was cut off, "unknown". Empty if nothing did. With a stream it may be set
	// although Status is 200.
	Err string
	// Usage is what the service reported, the last value winning; zero if it reported nothing.
	Usage Usage
	// NanoAIU is the price in billionths of an AI credit, the last value the service reported; Priced says that it
	// reported one. A request that was cancelled has it too if it came before.
	NanoAIU int64
	Priced  bool
	// Quota holds the quota and rate limit headers of the service's response, nil if there were none.
	Quota http.Header
	// RequestID is the service's id of the request.
	RequestID string
	// Began is when the request came; Duration how long it took until the last byte; FirstEvent, for a stream, how long
	// until the service's first event, 0 if none came.
	Began                time.Time
	Duration, FirstEvent time.Duration
	// BytesIn is the size of the request's body, BytesOut that of what was written as an answer, without headers.
	BytesIn, BytesOut int64
	// Events counts the frames of the service that were passed on of a stream; Joined how many of them became part of
	// another one instead of one of their own.
	Events, Joined int64
}

// statusGone stands for no answer at all, after the log convention of other servers.
const statusGone = 499

// accountEvent reads the few events of a stream that carry usage; a message has two or three of them.
func (x *Exchange) accountEvent(event string, data []byte) {
	if event == "message_start" || event == "message_delta" || event == "message_stop" {
		x.accountJSON(data)
	}
}

// accountBody reads the usage of a whole message.
func (x *Exchange) accountBody(body []byte) { x.accountJSON(body) }

// accountJSON reads usage and price off a message, or an event about one. What makes no sense is not ours to judge; the
// client gets it as it is.
func (x *Exchange) accountJSON(text []byte) {
	s := jsonedit.Scan(text)
	if s.Kind() != '{' {
		return
	}
	found := *x
	found.accountObject(&s, text, true)
	if s.End() == nil {
		*x = found
	}
}

// accountObject consumes an object that may have usage and a price in it, or within its message.
func (x *Exchange) accountObject(s *jsonedit.Scanner, text []byte, outer bool) {
	for ok := s.Object(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case kind == '{' && outer && s.Is(key, "message"):
			x.accountObject(s, text, false)
		case kind == '{' && s.Is(key, "usage"):
			x.accountUsage(s, text)
		case kind == '{' && s.Is(key, "copilot_usage"):
			x.accountPrice(s, text)
		default:
			s.Value()
		}
	}
}

// accountUsage consumes the usage object of the Messages API. A field it does not have leaves what is already known.
func (x *Exchange) accountUsage(s *jsonedit.Scanner, text []byte) {
	for ok := s.Object(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		p := s.Value()
		if kind != 0 {
			continue // not a number
		}
		n, err := strconv.ParseInt(string(text[p.From:p.To]), 10, 64)
		if err != nil {
			continue
		}
		switch {
		case s.Is(key, "input_tokens"):
			x.Usage.Input = n
		case s.Is(key, "output_tokens"):
			x.Usage.Output = n
		case s.Is(key, "cache_read_input_tokens"):
			x.Usage.CacheRead = n
		case s.Is(key, "cache_creation_input_tokens"):
			x.Usage.CacheCreate = n
		}
	}
}

// accountPrice consumes what Copilot adds to a message or to message_delta.
func (x *Exchange) accountPrice(s *jsonedit.Scanner, text []byte) {
	for ok := s.Object(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		p := s.Value()
		if kind != 0 || !s.Is(key, "total_nano_aiu") {
			continue
		}
		if n, err := strconv.ParseFloat(string(text[p.From:p.To]), 64); err == nil && math.Abs(n) < 1<<62 {
			x.NanoAIU, x.Priced = int64(n), true
		}
	}
}

// accountHeader notes what the service's response header says.
func (x *Exchange) accountHeader(h http.Header) {
	if h == nil {
		return
	}
	x.Quota = quotaHeader(h)
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Github-Request-Id"} {
		if v := h.Get(name); v != "" {
			x.RequestID = v
			return
		}
	}
}
