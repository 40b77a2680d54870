package copilot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parley/copilot/login"
	"parley/internal/lazyregexp"
)

// Kind classifies errors by what can be done about them.
type Kind string

// The kinds of errors.
const (
	KindAuth       Kind = "auth"        // the token was refused
	KindForbidden  Kind = "forbidden"   // the token is good, but a policy or a missing seat says no
	KindQuota      Kind = "quota"       // the allowance is used up
	KindRateLimit  Kind = "rate_limit"  // too many requests; waiting helps
	KindOverloaded Kind = "overloaded"  // the service has no capacity just now
	KindServer     Kind = "server"      // the service failed
	KindNetwork    Kind = "network"     // the service could not be reached, or the connection broke
	KindStalled    Kind = "stalled"     // the service went silent
	KindBadRequest Kind = "bad_request" // the service refuses the request as it is
	KindTooLong    Kind = "too_long"    // the request exceeds the model's window
	KindModel      Kind = "model"       // the model does not exist or may not be used this way
	KindMisrouted  Kind = "misrouted"   // 421: the account lives on another host
	KindCancelled  Kind = "cancelled"   // the caller's context ended, or the stream was closed
	KindProtocol   Kind = "protocol"    // the service sent an invalid answer
)

// StatusStreamError is the status of an error event within a stream whose HTTP status was 200.
const StatusStreamError = 520

// The operations of an [Error].
const (
	opDiscover = "discover endpoint"
	opMint     = "exchange token"
	opSession  = "open model session"
	opModels   = "list models"
	opStream   = "stream messages"
	opMessage  = "send message"

	opResponsesStream = "stream responses"
	opResponses       = "send responses"
	opChatStream      = "stream chat"
	opChat            = "send chat"
)

// Error is a failed call. It never contains a token: an echo of it by the service or the network is masked.
type Error struct {
	// Op is the operation: "discover endpoint", "exchange token", "open model session", "list models", "enable model",
	// "stream messages", "send message", and likewise "responses" and "chat" for OpenAI's APIs.
	Op   string
	Kind Kind
	// Status is the HTTP status, [StatusStreamError] for an error event within a stream, 0 if no answer came.
	Status int
	// Envelope is the Anthropic error envelope: the service's bytes if valid, otherwise a synthesised one, which also
	// explains the refusal and what to do, if known. Nil for transport failures.
	Envelope []byte
	// Code and Message are those of the service, empty if it sent none.
	Code, Message string
	RetryAfter    time.Duration // clamped to sensible values; 0 if not given
	RequestID     string
	Header        http.Header // of the response, nil if none came
	Err           error       // the cause, if any

	made bool // the envelope is synthesised
}

// because adds the meaning of a refusal, also to the envelope.
func (e *Error) because(cause error) {
	e.Err = cause
	if !e.made {
		return
	}
	message := cause.Error()
	if e.Message != "" {
		message = strings.TrimRight(e.Message, ".") + ": " + message
	}
	e.Envelope = synthesise(e.Status, message, e.RequestID)
}

// Error returns the operation, the status and the message of the service or the network.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	b.WriteString(" failed: ")
	switch {
	case e.Status == StatusStreamError:
		b.WriteString("error in the stream")
	case e.Status != 0:
		b.WriteString(statusLine(e.Status))
	default:
		b.WriteString(string(e.Kind))
	}
	for _, part := range []string{e.Code, e.Message} {
		if part != "" {
			b.WriteString(": ")
			b.WriteString(part)
		}
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	if e.RequestID != "" {
		b.WriteString(" (request ")
		b.WriteString(e.RequestID)
		b.WriteString(")")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// GaveUp reports whether the service was silent for as long as the client waits. With an automatic retry the user would
// wait as long again.
func (e *Error) GaveUp() bool { return errors.Is(e.Err, errNoHeader) || errors.Is(e.Err, errSilent) }

// KindOf returns the kind of the first [*Error] in err's chain, "" if there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// statusLine returns a text such as "404 Not Found", or the bare number of an unknown status.
func statusLine(status int) string {
	if text := http.StatusText(status); text != "" {
		return strconv.Itoa(status) + " " + text
	}
	return "status " + strconv.Itoa(status)
}

// The causes with which this package cancels a request itself.
var (
	errNoHeader = errors.New("no answer came in time")
	errSilent   = errors.New("the answer stopped coming")
	errClosed   = errors.New("the stream was closed")
	errShutdown = errors.New("the client was closed")
)

// transportError returns the error for a call that got no answer, or lost it. ctx is the context of the request; its
// cause distinguishes a caller's cancellation from our own timers.
func (c *Client) transportError(ctx context.Context, op string, err error) *Error {
	e := &Error{Op: op, Kind: KindNetwork}
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errNoHeader), errors.Is(cause, errSilent):
		e.Kind, e.Err = KindStalled, cause
		return e
	case errors.Is(cause, errClosed), errors.Is(cause, errShutdown), errors.Is(cause, errReplaced):
		e.Kind, e.Err = KindCancelled, cause
		return e
	case cause != nil:
		e.Kind, e.Err = KindCancelled, c.clean(cause)
		return e
	}
	// url.Error repeats the whole address; only the host matters, which the inner errors name.
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
		e.Kind = KindStalled
	}
	if errors.Is(err, context.Canceled) {
		e.Kind = KindCancelled
	}
	e.Err = c.clean(plainly(err))
	return e
}

// userinfo matches the user part of an address in a text, such as that of a proxy.
var userinfo = lazyregexp.New(`(://|")[^\s/@"]*:[^\s@"]*@`)

// clean returns err, or a new error with masked text if that contained the token or an address with a user. The new one
// has no chain, because the wrapped errors contain the same text.
func (c *Client) clean(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	safe := userinfo.ReplaceAllString(c.secrets.Text(text), "${1}"+login.Masked+"@")
	if safe == text {
		return err
	}
	return errors.New(safe)
}

// protocolError returns the error for an invalid answer.
func protocolError(op string, status int, header http.Header, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{
		Op: op, Kind: KindProtocol, Status: status, Header: header, RequestID: requestID(header),
		Envelope: synthesise(http.StatusBadGateway, err.Error(), ""), Err: err,
	}
}
