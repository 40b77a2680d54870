package proxy

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"parley/copilot"
)

// The error types of the Anthropic API that the proxy uses itself.
const (
	typeInvalid    = "invalid_request_error"
	typeAuth       = "authentication_error"
	typeBilling    = "billing_error"
	typePermission = "permission_error"
	typeNotFound   = "not_found_error"
	typeTooLarge   = "request_too_large"
	typeRateLimit  = "rate_limit_error"
	typeAPI        = "api_error"
	typeTimeout    = "timeout_error"
	typeOverloaded = "overloaded_error"
)

// failure is an error response.
type failure struct {
	status   int
	envelope []byte
	header   http.Header // of the service's response, nil without one
	retry    time.Duration
	kind     string // for Exchange.Err
	final    bool   // a retry cannot help, whatever the status
}

// refuse returns a failure of the proxy itself.
func refuse(status int, errType, message string) *failure {
	return &failure{status: status, envelope: envelope(errType, message), kind: errType}
}

// envelope returns the body of an error in the Anthropic API.
func envelope(errType, message string) []byte { return detailedEnvelope(errType, message, nil) }

// detailedEnvelope returns an envelope with details for programs.
func detailedEnvelope(errType, message string, details any) []byte {
	var e struct {
		Type  string `json:"type"`
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
			Details any    `json:"details,omitempty"`
		} `json:"error"`
		RequestID *string `json:"request_id"`
	}
	e.Type, e.Error.Type, e.Error.Message, e.Error.Details = "error", errType, message, details
	b, err := json.Marshal(e)
	if err != nil { // strings always marshal
		panic(err)
	}
	return b
}

// refuseThread refuses a conversation that the server would hold. Its details follow the beta
// message-threads-2026-08-12 and make the SDK send the whole conversation, now and later.
func refuseThread() *failure {
	f := refuse(http.StatusBadRequest, typeInvalid, errThread.Error())
	f.envelope = detailedEnvelope(typeInvalid, errThread.Error(), struct {
		Code        string   `json:"error_code"`
		Unsupported []string `json:"unsupported"`
	}{"thread_unsupported_request", []string{"thread"}})
	return f
}

// fromUpstream converts an error of the Copilot client, with the status and the envelope of the service if it sent
// them.
func fromUpstream(err error) *failure {
	var e *copilot.Error
	if !errors.As(err, &e) {
		f := refuse(http.StatusBadGateway, typeAPI, "the request to the Copilot API failed")
		f.kind = "unknown"
		return f
	}
	f := &failure{status: statusOf(e), envelope: e.Envelope, header: e.Header, retry: e.RetryAfter, kind: string(e.Kind)}
	if len(f.envelope) == 0 {
		f.envelope = detailedEnvelope(typeOf(f.status), explain(e), lostDetails(e))
	}
	if e.Kind == copilot.KindTooLong {
		f.envelope = sayTooLong(f.envelope)
	}
	f.final = isFinal(e)
	return f
}

// lost are the details of an error without an answer of the service, for programs that explain it themselves.
type lost struct {
	Kind  string `json:"kind"`  // as in the access log: "network", "stalled" and so on
	Cause string `json:"cause"` // what the network said
	// Final reports whether an immediate retry would probably take as long again.
	Final bool `json:"final,omitempty"`
}

// lostDetails returns the details of an error, nil without a cause.
func lostDetails(e *copilot.Error) any {
	if e.Err == nil {
		return nil
	}
	cause := e.Err.Error()
	if errors.Is(e.Err, io.ErrUnexpectedEOF) || errors.Is(e.Err, io.EOF) {
		cause = "it was closed before the answer was complete"
	}
	return lost{Kind: string(e.Kind), Cause: cause, Final: e.GaveUp()}
}

// explain returns the message for an error without an answer of the service: what happened, and what to do.
func explain(e *copilot.Error) string {
	words := e.Error()
	switch e.Kind {
	case copilot.KindNetwork:
		return words + ". Check the network, and HTTPS_PROXY if there is one"
	case copilot.KindStalled:
		return words + ". The Copilot API is silent; sending the request again may help"
	}
	return words
}

// statusOf returns the HTTP status for an upstream error.
func statusOf(e *copilot.Error) int {
	if e.Status == copilot.StatusStreamError && e.Kind == copilot.KindTooLong {
		return http.StatusBadRequest // clients then shorten the conversation
	}
	if e.Status >= 400 && e.Status <= 599 && e.Status != copilot.StatusStreamError {
		return e.Status
	}
	if e.Status != 0 {
		return http.StatusBadGateway
	}
	switch e.Kind {
	case copilot.KindAuth:
		return http.StatusUnauthorized
	case copilot.KindForbidden:
		return http.StatusForbidden
	case copilot.KindQuota:
		return http.StatusPaymentRequired
	case copilot.KindRateLimit:
		return http.StatusTooManyRequests
	case copilot.KindOverloaded:
		return 529
	case copilot.KindBadRequest, copilot.KindTooLong:
		return http.StatusBadRequest
	case copilot.KindModel:
		return http.StatusNotFound
	case copilot.KindMisrouted:
		return http.StatusMisdirectedRequest
	case copilot.KindStalled:
		return http.StatusGatewayTimeout
	}
	return http.StatusBadGateway
}

// typeOf returns the error type for a status if the service gave none.
func typeOf(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return typeAuth
	case http.StatusPaymentRequired:
		return typeBilling
	case http.StatusForbidden, http.StatusMisdirectedRequest:
		return typePermission
	case http.StatusNotFound:
		return typeNotFound
	case http.StatusRequestEntityTooLarge:
		return typeTooLarge
	case http.StatusTooManyRequests:
		return typeRateLimit
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return typeTimeout
	case http.StatusServiceUnavailable, 529:
		return typeOverloaded
	}
	if status >= 400 && status < 500 {
		return typeInvalid
	}
	return typeAPI
}

// maxRetryWait bounds the time that a client may wait before it retries by itself. For longer waits it should report
// the error to its user.
const maxRetryWait = time.Minute

// isFinal reports whether an early retry would meet the same error. Otherwise the status decides.
func isFinal(e *copilot.Error) bool {
	switch e.Kind {
	case copilot.KindAuth, copilot.KindForbidden, copilot.KindQuota, copilot.KindBadRequest, copilot.KindTooLong,
		copilot.KindModel, copilot.KindMisrouted:
		return true
	case copilot.KindStalled:
		return e.GaveUp()
	case copilot.KindRateLimit:
		return e.RetryAfter > maxRetryWait || e.Code == "user_weekly_rate_limited" || e.Code == "extension_blocked"
	}
	return false
}

// canRetry reports whether a retry may help, by the status. Anthropic's SDKs and the Claude Code runtime retry some
// statuses by themselves, up to ten times within three minutes, unless told not to.
func canRetry(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented:
		return false
	}
	return status >= 500
}

// write sends the failure. No header may have been written before.
func (f *failure) write(w http.ResponseWriter) {
	h := w.Header()
	passHeader(h, f.header)
	if f.retry > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((f.retry+time.Second-1)/time.Second), 10))
	}
	if f.final || !canRetry(f.status) {
		h.Set("X-Should-Retry", "false")
	}
	writeJSON(w, f.status, f.envelope)
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the context of a client that has left ends
}
