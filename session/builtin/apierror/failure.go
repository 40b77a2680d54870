package apierror

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"

	"parley/session"
)

// OpAsk is the operation in errors of requests.
const OpAsk = "ask the model"

// ErrCutOff is the cause of an answer without its end.
var ErrCutOff = errors.New("the answer ended in the middle")

// serviceError is the error of the service, without the request.
type serviceError struct {
	message, requestID string
	final              bool // sending the request again at once does not help
}

func (e *serviceError) Error() string { return e.message }

// RequestID returns the service's id of the failed request.
func (e *serviceError) RequestID() string { return e.requestID }

// Failed converts an error of the SDK.
func Failed(err error, now time.Time) error {
	api, ok := errors.AsType[*anthropic.Error](err)
	if !ok {
		return &session.Error{Op: OpAsk, Kind: session.KindNetwork, Err: transportCause(err)}
	}
	errType, code, message := envelopeOf(api.RawJSON())
	lost := lostOf(api.RawJSON())
	status := api.StatusCode
	if status < 400 {
		status = 0 // reported within a stream that began successfully
	}
	if message == "" {
		message = strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	}
	kind := kindOf(status, errType, code, message)
	if lost.Kind != "" && lost.Cause != "" {
		kind, status, message = lost.Kind, 0, lost.Cause // the status is the proxy's
	}
	e := &session.Error{Op: OpAsk, Kind: kind, Status: status, Err: &serviceError{message, api.RequestID, lost.Final}}
	if api.Response != nil {
		e.RetryAfter = retryAfter(api.Response.Header, now)
		if id := api.Response.Header.Get("X-Request-Id"); api.RequestID == "" && id != "" {
			e.Err = &serviceError{message, id, lost.Final}
		}
	}
	return e
}

// transportCause removes the URL, which tells the user nothing new.
func transportCause(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op
	}
	return err
}

// envelopeOf parses the known error bodies: Anthropic's envelope, OpenAI's, a bare message, and envelopes whose message
// is again one of these as text.
func envelopeOf(raw string) (errType, code, message string) {
	for range 3 {
		var e struct {
			Error   json.RawMessage `json:"error"`
			Message string          `json:"message"`
			Code    string          `json:"code"`
		}
		if json.Unmarshal([]byte(raw), &e) != nil {
			break
		}
		var inner struct{ Type, Code, Message string }
		if json.Unmarshal(e.Error, &inner) != nil {
			var text string
			_ = json.Unmarshal(e.Error, &text)
			inner.Message = text
		}
		if inner.Message == "" {
			inner.Message, inner.Code = e.Message, e.Code
		}
		if inner.Message == "" {
			break
		}
		// The outermost type and the innermost code and message are the most specific.
		if errType == "" {
			errType = inner.Type
		}
		if inner.Code != "" {
			code = inner.Code
		}
		message, raw = inner.Message, inner.Message
	}
	if message == "" {
		message = strings.TrimSpace(raw)
	}
	return errType, code, message
}

// lostRequest is the proxy's report of a request that the service did not answer completely.
type lostRequest struct {
	Kind  session.Kind
	Cause string
	Final bool
}

// lostOf parses the proxy's report about the connection, zero for an error of the service.
func lostOf(raw string) lostRequest {
	var e struct {
		Error struct{ Details lostRequest }
	}
	if json.Unmarshal([]byte(raw), &e) != nil {
		return lostRequest{}
	}
	switch d := e.Error.Details; d.Kind {
	case session.KindNetwork, session.KindStalled:
		return d
	}
	return lostRequest{}
}

// kindOf returns the kind of an error by code and message first, because one status has several meanings, then by
// status, then by type.
func kindOf(status int, errType, code, message string) session.Kind {
	words := strings.ToLower(message)
	switch {
	case code == "model_max_prompt_tokens_exceeded", status == http.StatusRequestEntityTooLarge,
		strings.Contains(words, "prompt is too long"), strings.Contains(words, "prompt token count of"),
		strings.Contains(words, "context window"):
		return session.KindTooLong
	case code == "model_not_supported", code == "unsupported_api_for_model", errType == "not_found_error":
		return session.KindModel
	case strings.HasPrefix(code, "quota_exceeded"), strings.HasSuffix(code, "_quota_exceeded"), code == "overage_limit_reached":
		return session.KindQuota
	}
	switch status {
	case 0:
		return kindOfType(errType)
	case http.StatusUnauthorized:
		return session.KindAuth
	case http.StatusPaymentRequired:
		return session.KindQuota
	case http.StatusForbidden, http.StatusMisdirectedRequest:
		return session.KindForbidden
	case http.StatusNotFound:
		return session.KindModel
	case http.StatusRequestTimeout:
		return session.KindStalled
	case http.StatusTooManyRequests:
		return session.KindRateLimit
	case http.StatusServiceUnavailable, 529:
		return session.KindOverloaded
	}
	if status >= 500 {
		return kindOfType(errType)
	}
	return session.KindBadRequest
}

func kindOfType(errType string) session.Kind {
	switch errType {
	case "overloaded_error":
		return session.KindOverloaded
	case "rate_limit_error":
		return session.KindRateLimit
	case "authentication_error":
		return session.KindAuth
	case "permission_error":
		return session.KindForbidden
	case "billing_error":
		return session.KindQuota
	case "invalid_request_error":
		return session.KindBadRequest
	case "timeout_error":
		return session.KindStalled
	}
	return session.KindServer
}

// retryAfter parses Retry-After as seconds or as a date, and bounds it.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if n, err := strconv.ParseFloat(v, 64); err == nil {
		return seconds(n)
	}
	if t, err := http.ParseTime(v); err == nil {
		return seconds(t.Sub(now).Seconds())
	}
	return 0
}

// RetryAfter returns how long the service wants the client to wait, 0 if it does not say.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*session.Error](err); ok {
		return e.RetryAfter
	}
	return 0
}

// Reason returns in a few words why a request is tried again.
func Reason(err error) string {
	e, ok := errors.AsType[*session.Error](err)
	if !ok {
		return err.Error()
	}
	if e.Status != 0 {
		return strconv.Itoa(e.Status) + ": " + e.Err.Error()
	}
	return e.Err.Error()
}

// Final reports whether sending the request again at once does not help.
func Final(err error) bool {
	e, ok := errors.AsType[*serviceError](err)
	return ok && e.final
}

// seconds returns a Retry-After of so many seconds, bounded because services sometimes send nonsense.
func seconds(n float64) time.Duration {
	const most = 24 * time.Hour
	if n <= 0 || n != n {
		return 0
	}
	if n >= most.Seconds() {
		return most
	}
	return time.Duration(n * float64(time.Second))
}
