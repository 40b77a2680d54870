package copilot

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter bounds a Retry-After: weekly limits exist, longer waits are nonsense.
const maxRetryAfter = 7 * 24 * time.Hour

// answerError returns the error for an HTTP answer other than 2xx. The body may be truncated.
func answerError(c *Client, op string, status int, header http.Header, body []byte) *Error {
	f := readFault(c.secrets.Bytes(body))
	header = c.maskHeader(header)
	if status >= 300 && status < 400 {
		f = fault{message: "the service redirects to " + redirectHost(header) + ", which is not followed with a token"}
	}
	e := &Error{
		Op: op, Status: status, Code: f.code, Message: f.message, Header: header,
		RequestID: requestID(header), RetryAfter: c.retryAfter(header), Envelope: f.envelope,
	}
	if e.RequestID == "" {
		e.RequestID = f.requestID
	}
	if e.made = e.Envelope == nil; e.made {
		e.Envelope = synthesise(status, f.message, e.RequestID)
	}
	e.Kind = kindOf(status, f)
	if status == http.StatusForbidden && (header.Get("X-Ratelimit-Remaining") == "0" || e.RetryAfter > 0) {
		e.Kind = KindRateLimit // the REST API answers 403 to too many requests
	}
	if f.notice != nil {
		e.because(f.notice)
		if e.Kind = KindForbidden; f.notice.ID == NoticeServerError {
			e.Kind = KindServer
		}
	}
	return e
}

// redirectHost returns the host of a redirect, without the rest of the address.
func redirectHost(h http.Header) string {
	if u, err := url.Parse(h.Get("Location")); err == nil && u.Host != "" {
		return u.Host
	}
	return "another address"
}

// streamError returns the error for an error event. The data may be any JSON, or none.
func streamError(c *Client, header http.Header, data []byte) *Error {
	f := readFault(c.secrets.Bytes(data))
	if s, ok := jsonString(data); ok {
		f.message = c.secrets.Text(s)
	}
	if f.message == "" && f.envelope == nil {
		f.message = "Unknown streaming error"
	}
	e := &Error{
		Op: opStream, Status: StatusStreamError, Code: f.code, Message: f.message, Header: header,
		RequestID: requestID(header), Envelope: f.envelope, Kind: kindOf(StatusStreamError, f),
	}
	if e.RequestID == "" {
		e.RequestID = f.requestID
	}
	if e.Envelope == nil {
		e.Envelope = synthesise(StatusStreamError, f.message, e.RequestID)
	}
	return e
}

// codeModelNotSupported means that the account may not use a model, or only in a model session.
const codeModelNotSupported = "model_not_supported"

// kindsByCode maps the codes and types that the service is known to use.
var kindsByCode = map[string]Kind{
	codeModelNotSupported:              KindModel,
	"model_not_found":                  KindModel,
	"unsupported_api_for_model":        KindModel,
	"model_max_prompt_tokens_exceeded": KindTooLong,
	"context_length_exceeded":          KindTooLong,
	"request_too_large":                KindTooLong,
	"quota_exceeded":                   KindQuota,
	"free_quota_exceeded":              KindQuota,
	"overage_limit_reached":            KindQuota,
	"billing_error":                    KindQuota,
	"rate_limited":                     KindRateLimit,
	"user_global_rate_limited":         KindRateLimit,
	"user_weekly_rate_limited":         KindRateLimit,
	"user_model_rate_limited":          KindRateLimit,
	"extension_blocked":                KindRateLimit,
	"rate_limit_error":                 KindRateLimit,
	"overloaded_error":                 KindOverloaded,
	"timeout_error":                    KindStalled,
	"user_request_timeout":             KindStalled,
	"rate_limit_exceeded":              KindRateLimit,
	"insufficient_quota":               KindQuota,
	"server_is_overloaded":             KindOverloaded,
	"server_error":                     KindServer,
	"invalid_prompt":                   KindBadRequest,
	"authentication_error":             KindAuth,
}

// kindsByStatus maps the statuses with a single meaning.
var kindsByStatus = map[int]Kind{
	http.StatusUnauthorized:          KindAuth,
	http.StatusPaymentRequired:       KindQuota,
	http.StatusForbidden:             KindForbidden,
	http.StatusRequestTimeout:        KindStalled,
	http.StatusRequestEntityTooLarge: KindTooLong,
	http.StatusMisdirectedRequest:    KindMisrouted,
	http.StatusTooManyRequests:       KindRateLimit,
	499:                              KindServer, // the service cancelled it itself
	http.StatusServiceUnavailable:    KindOverloaded,
	529:                              KindOverloaded,
}

// kindsByText maps errors that only their message identifies, in lower case.
var kindsByText = []struct {
	text string
	kind Kind
}{
	{"prompt is too long", KindTooLong},
	{"prompt token count of", KindTooLong},
	{"authorization header is badly formatted", KindAuth},
	{"personal access tokens are not supported", KindAuth},
	{"does not have copilot requests permission", KindAuth},
}

// kindOf returns the kind of an error: by the service's code, then by status, then by text.
func kindOf(status int, f fault) Kind {
	for _, code := range []string{f.code, f.typ} {
		if k, ok := kindsByCode[code]; ok {
			return k
		}
	}
	if k, ok := kindsByStatus[status]; ok {
		return k
	}
	message := strings.ToLower(f.message)
	for _, t := range kindsByText {
		if strings.Contains(message, t.text) {
			return t.kind
		}
	}
	switch {
	case status == http.StatusNotFound && strings.Contains(message, "model"):
		return KindModel
	case f.typ == "invalid_request_error", status >= 400 && status < 500:
		return KindBadRequest
	case f.typ == "permission_error":
		return KindForbidden
	case status >= 500:
		return KindServer
	}
	return KindProtocol // a redirect, or a status that does not exist
}

// requestIDHeaders are the headers with a backend's id of a request, the most useful first.
var requestIDHeaders = []string{"X-Request-Id", "X-Github-Request-Id", "Request-Id", "Apim-Request-Id"}

// requestID returns the service's id of a request.
func requestID(h http.Header) string {
	for _, name := range requestIDHeaders {
		if id := h.Get(name); id != "" {
			return id
		}
	}
	return ""
}

// retryAfter parses how long the service asks to wait: in milliseconds, seconds, or as a date. Invalid values are 0.
func (c *Client) retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		return clampWait(ms / 1000)
	}
	for _, name := range []string{"Retry-After", "X-Ratelimit-User-Retry-After"} {
		v := strings.TrimSpace(h.Get(name))
		if v == "" {
			continue
		}
		if s, err := strconv.ParseFloat(v, 64); err == nil {
			return clampWait(s)
		}
		if t, err := http.ParseTime(v); err == nil {
			return clampWait(t.Sub(c.now()).Seconds())
		}
		if t, err := time.Parse(time.RFC3339, v); err == nil {
			return clampWait(t.Sub(c.now()).Seconds())
		}
	}
	return 0
}

// clampWait returns a wait of so many seconds, which may be negative, huge or not a number.
func clampWait(seconds float64) time.Duration {
	switch {
	case !(seconds > 0): // also NaN
		return 0
	case seconds > maxRetryAfter.Seconds():
		return maxRetryAfter
	}
	return time.Duration(seconds * float64(time.Second))
}

// maskHeader copies a response header without cookies and with the token masked.
func (c *Client) maskHeader(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		if name == "Set-Cookie" {
			continue
		}
		kept := make([]string, len(values))
		for i, v := range values {
			kept[i] = c.secrets.Text(v)
		}
		out[name] = kept
	}
	return out
}
