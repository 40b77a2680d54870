package catalog

import (
	"errors"

	"parley/copilot"
	"parley/session"
)

// Error converts an error of the Copilot client to an error of package session that wraps it. It returns other errors
// unchanged.
func Error(err error) error {
	e, ok := errors.AsType[*copilot.Error](err)
	if !ok {
		return err
	}
	kind, known := kinds[e.Kind]
	if !known {
		kind = session.KindServer
	}
	if (kind == session.KindAuth || kind == session.KindForbidden) && e.Status > 0 && e.Err != nil {
		err = explained{e}
	}
	return &session.Error{Op: "ask Copilot", Kind: kind, Err: err, RetryAfter: e.RetryAfter, Status: e.Status}
}

// explained is a refusal with its explanation alone, which fits in a row where the words of the service do not.
type explained struct{ refusal *copilot.Error }

// Error returns what the refusal means and what to do.
func (e explained) Error() string { return e.refusal.Err.Error() }

// Unwrap returns the refusal.
func (e explained) Unwrap() error { return e.refusal }

// kinds maps the kinds of errors.
var kinds = map[copilot.Kind]session.Kind{
	copilot.KindAuth:       session.KindAuth,
	copilot.KindForbidden:  session.KindForbidden,
	copilot.KindQuota:      session.KindQuota,
	copilot.KindRateLimit:  session.KindRateLimit,
	copilot.KindOverloaded: session.KindOverloaded,
	copilot.KindServer:     session.KindServer,
	copilot.KindNetwork:    session.KindNetwork,
	copilot.KindStalled:    session.KindStalled,
	copilot.KindBadRequest: session.KindBadRequest,
	copilot.KindTooLong:    session.KindTooLong,
	copilot.KindModel:      session.KindModel,
	copilot.KindMisrouted:  session.KindInvalid, // it is the configured host that has to change
	copilot.KindCancelled:  session.KindCancelled,
	copilot.KindProtocol:   session.KindServer,
}
