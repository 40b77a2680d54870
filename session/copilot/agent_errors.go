package copilot

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"parley/internal/jsonrpc"
	"parley/internal/lazyregexp"
	"parley/session"
)

// openError returns why a session could not be opened, with a kind.
func openError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
	}
	if session.KindOf(err) != session.KindInternal {
		return err
	}
	refused, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		return &session.Error{Op: opOpen, Kind: session.KindRuntime, Err: err}
	}
	return refusal(refused.Message)
}

// refusedStatus matches the HTTP status in what the runtime says of a failed sign-in.
var refusedStatus = lazyregexp.New(`(?:^|: )([1-5]\d\d)\b`)

// refusal returns the error of a session that the runtime refused to open. It signs in before that, and says how it failed
// only in words.
func refusal(message string) error {
	if _, rest, ok := strings.Cut(message, " failed with message: "); ok {
		message = rest
	}
	e := &session.Error{Op: opOpen, Kind: session.KindRuntime}
	if rest, ok := strings.CutPrefix(message, "SDK session authentication failed: "); ok {
		message, e.Op, e.Kind = rest, "sign in to Copilot", session.KindNetwork
		if found := refusedStatus.FindStringSubmatch(rest); found != nil {
			e.Status, _ = strconv.Atoi(found[1])
			switch {
			case e.Status == 401:
				e.Kind = session.KindAuth
			case e.Status == 429:
				e.Kind = session.KindRateLimit
			case e.Status < 500:
				e.Kind = session.KindForbidden
			default:
				e.Kind = session.KindServer
			}
		}
	}
	e.Err = errors.New(message)
	return e
}
