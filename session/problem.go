package session

import (
	"errors"
	"fmt"
	"time"
)

// Kind sorts errors by what the user can do about them.
type Kind string

// The kinds of errors.
const (
	KindAuth        Kind = "auth"        // not signed in, or the sign-in was refused
	KindForbidden   Kind = "forbidden"   // signed in, but a policy, seat or host says no
	KindQuota       Kind = "quota"       // the allowance is used up
	KindRateLimit   Kind = "rate_limit"  // too many requests; waiting helps
	KindOverloaded  Kind = "overloaded"  // the service has no capacity just now
	KindServer      Kind = "server"      // the service failed
	KindNetwork     Kind = "network"     // the service could not be reached, or the connection broke
	KindStalled     Kind = "stalled"     // the service went silent
	KindBadRequest  Kind = "bad_request" // the service refuses the request as it is
	KindTooLong     Kind = "too_long"    // the conversation exceeds the model's window
	KindModel       Kind = "model"       // the model does not exist or may not be used
	KindRefused     Kind = "refused"     // an ask was refused, or the model declined
	KindUnsupported Kind = "unsupported" // this agent cannot do that
	KindNotFound    Kind = "not_found"   // no such session, file or tool
	KindLocked      Kind = "locked"      // another process has it
	KindCorrupt     Kind = "corrupt"     // stored data cannot be read
	KindDisk        Kind = "disk"        // storing failed
	KindRuntime     Kind = "runtime"     // the agent's runtime is missing, died or misbehaves
	KindInvalid     Kind = "invalid"     // the caller gave something unusable
	KindCancelled   Kind = "cancelled"   // the user or the caller stopped it
	KindInternal    Kind = "internal"    // a fault of parley
)

// Error is an error of this domain: the operation, the kind of the problem and the cause.
type Error struct {
	// Op is the operation, such as "send prompt".
	Op string
	// Kind decides what the user sees and whether a retry is offered.
	Kind Kind
	// Err is the cause; never nil.
	Err error
	// RetryAfter is the wait that the service asks for; zero if unspecified.
	RetryAfter time.Duration
	// Status is the HTTP status, 0 if there is none.
	Status int
}

// Error returns the operation and the cause.
func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Op, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first [*Error] in err's chain, [KindInternal] if there is none and err is not nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}

// Problem is an error as the user sees it and the journal stores it: what, why, and what to do. It contains no secrets.
type Problem struct {
	Kind Kind `json:"kind"`
	// What is one sentence with what failed and why.
	What string `json:"what"`
	// Next is one sentence with what the user can do; may be empty.
	Next string `json:"next,omitempty"`
	// Status is the HTTP status, 0 if there is none.
	Status int `json:"status,omitempty"`
	// RequestID is the service's id of the failed request, for reports.
	RequestID string `json:"requestId,omitempty"`
	// RetryAt is the earliest useful time for another try; zero if unknown.
	RetryAt time.Time `json:"retryAt,omitzero"`
	// Retry reports whether sending the same prompt again may help.
	Retry bool `json:"retry,omitempty"`
}

// modeError is the reason why an agent cannot work in a mode.
type modeError struct{ why string }

func (e *modeError) Error() string { return e.why }

// Words returns the texts of a problem with the mode; see [ProblemOf].
func (e *modeError) Words() (what, next string) {
	return "This permission mode cannot be used: " + sentence(e) + ".", "Choose another one with /mode or --permission-mode."
}

// UnusableMode returns an error of kind [KindUnsupported] for a mode that the agent does not support, with the reason
// that [ModeLister] gives. The user is advised to choose another mode, not another agent.
func UnusableMode(op, why string) error {
	return &Error{Op: op, Kind: KindUnsupported, Err: &modeError{why}}
}
