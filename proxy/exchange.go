package proxy

import (
	"encoding/json"
	"net/http"
	"time"
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

// tokenUsage is the usage object of the Messages API. Absent fields leave what is already known.
type tokenUsage struct {
	Input       *int64 `json:"input_tokens"`
	Output      *int64 `json:"output_tokens"`
	CacheRead   *int64 `json:"cache_read_input_tokens"`
	CacheCreate *int64 `json:"cache_creation_input_tokens"`
}

// cost is what Copilot adds to a message or to message_delta.
type cost struct {
	NanoAIU *float64 `json:"total_nano_aiu"`
}

// account notes what an event or a whole message says about usage and price.
func (x *Exchange) account(u *tokenUsage, c *cost) {
	if u != nil {
		keep(&x.Usage.Input, u.Input)
		keep(&x.Usage.Output, u.Output)
		keep(&x.Usage.CacheRead, u.CacheRead)
		keep(&x.Usage.CacheCreate, u.CacheCreate)
	}
	if c != nil && c.NanoAIU != nil {
		x.NanoAIU, x.Priced = int64(*c.NanoAIU), true
	}
}

func keep(to *int64, v *int64) {
	if v != nil {
		*to = *v
	}
}

// accountEvent reads the few events of a stream that carry usage; a message has two or three of them.
func (x *Exchange) accountEvent(event string, data []byte) {
	if event != "message_start" && event != "message_delta" && event != "message_stop" {
		return
	}
	var e struct {
		Message *struct {
			Usage *tokenUsage `json:"usage"`
		} `json:"message"`
		Usage *tokenUsage `json:"usage"`
		Cost  *cost       `json:"copilot_usage"`
	}
	if json.Unmarshal(data, &e) != nil {
		return // not ours to judge; the client gets it as it is
	}
	if e.Message != nil {
		x.account(e.Message.Usage, nil)
	}
	x.account(e.Usage, e.Cost)
}

// accountBody reads the usage of a whole message.
func (x *Exchange) accountBody(body []byte) {
	var m struct {
		Usage *tokenUsage `json:"usage"`
		Cost  *cost       `json:"copilot_usage"`
	}
	if json.Unmarshal(body, &m) == nil {
		x.account(m.Usage, m.Cost)
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
