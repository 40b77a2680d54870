package proxy

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"parley/internal/jsonedit"
)

// Usage counts the tokens of one request, as the service reported them. A missing field is 0.
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

// Exchange is a finished request with a valid bearer, for logs, quota display and tests.
type Exchange struct {
	// Session is the session id of the bearer.
	Session string
	// Method and Path are those of the request, without the query.
	Method, Path string
	// Model is the requested model, Upstream the id sent to the service. Both are empty if the request was refused
	// before.
	Model, Upstream string
	// Initiator is "user" or "agent", by which the request was counted; empty if it was refused before.
	Initiator string
	// Repairs names the rules that changed the request for the service.
	Repairs []string
	// Stream reports whether the client requested a stream.
	Stream bool
	// Status is the HTTP status of the answer, 499 if the client left, or was cut off, before there was one.
	Status int
	// Err is the kind of the failure: a kind of package copilot, an Anthropic error type for a refusal of the proxy,
	// "cancelled" if the client left or was cut off, or "unknown"; empty for success. A stream may have one despite a
	// Status of 200.
	Err string
	// Usage is the last usage that the service reported; zero if it reported none.
	Usage Usage
	// NanoAIU is the last price that the service reported, in billionths of an AI credit; Priced means that it reported
	// one. A cancelled request has the price reported before.
	NanoAIU int64
	Priced  bool
	// Quota contains the quota and rate limit headers of the service's response, nil if there were none.
	Quota http.Header
	// RequestID is the service's id of the request.
	RequestID string
	// Began is the arrival of the request, Duration the time until the last byte, FirstEvent the time until the
	// service's first event of a stream, 0 without one.
	Began                time.Time
	Duration, FirstEvent time.Duration
	// BytesIn is the size of the request's body, BytesOut that of the written answer, without headers.
	BytesIn, BytesOut int64
	// Events counts the service's frames that were passed on in a stream; Joined counts those that were joined into
	// others.
	Events, Joined int64
}

// statusGone stands for a missing answer, following a convention of server logs.
const statusGone = 499

// accountEvent reads the few events of a stream that contain usage: two or three per message.
func (x *Exchange) accountEvent(event string, data []byte) {
	if event == "message_start" || event == "message_delta" || event == "message_stop" {
		x.accountJSON(data)
	}
}

// accountBody reads the usage of a whole message.
func (x *Exchange) accountBody(body []byte) { x.accountJSON(body) }

// accountJSON reads usage and price from a message, or an event about one. Malformed values are ignored here, and
// passed on to the client.
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

// accountObject consumes an object that may contain usage and a price, also within its message.
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

// accountUsage consumes the usage object of the Messages API. Missing fields keep their values.
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

// accountHeader records the service's response header.
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
