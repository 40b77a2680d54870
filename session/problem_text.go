package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/internal/lazyregexp"
)

// wording explains errors of one kind: what they mean, and what to do.
type wording struct {
	what, next string
	retry      bool
}

var wordings = map[Kind]wording{
	KindAuth:        {"GitHub did not accept the sign-in", "`parley auth status` shows where the token comes from.", true},
	KindForbidden:   {"This login may not do that", "Check with `parley auth status` which login is used, and ask your organization if a policy forbids it.", false},
	KindQuota:       {"The Copilot allowance is used up", "Choose a model that costs less, or wait until the allowance is renewed.", true},
	KindRateLimit:   {"Copilot asks to slow down", "Wait a little and send the prompt again, or choose another model.", true},
	KindOverloaded:  {"The model has no capacity at the moment", "Send the prompt again in a moment, or choose another model.", true},
	KindServer:      {"The service failed", "Send the prompt again.", true},
	KindNetwork:     {"The connection failed", "Check the network and send the prompt again.", true},
	KindStalled:     {"The service went silent", "Send the prompt again.", true},
	KindBadRequest:  {"The service refused the request", "Change the prompt or the model; if it happens again, start a new session.", false},
	KindTooLong:     {"The conversation is too long for this model", "Choose a model with a larger window, or start a new session.", false},
	KindModel:       {"This model cannot be used", "Choose another model; `parley models` lists those of this login.", true},
	KindRefused:     {"The turn stopped because a request was denied", "Allow it, or ask for something else.", true},
	KindUnsupported: {"This agent cannot do that", "Choose another agent for a new session.", false},
	KindNotFound:    {"Not found", "Check the name and try again.", false},
	KindLocked:      {"In use elsewhere", "Close it there and try again.", true},
	KindCorrupt:     {"Stored data cannot be read", "Start a new session; `parley doctor` says more.", false},
	KindDisk:        {"Couldn't save this", "Free disk space or fix the permissions, and send the prompt again.", true},
	KindRuntime:     {"The agent's runtime failed", "Send the prompt again; `parley doctor` says what is wrong with the runtime.", true},
	KindInvalid:     {"That cannot be used", "Correct it and try again.", false},
	KindCancelled:   {"It was interrupted", "Send the prompt again to go on.", true},
	KindInternal:    {"Something went wrong inside parley", "Send the prompt again; if it happens again, please report it.", true},
}

// ProblemOf explains an error to the user without secrets, nil for nil. Times to retry count from at. Kind comes from
// the outermost [*Error] that has more than [KindInternal], the reason from the innermost. Without one, a cancelled
// context is [KindCancelled], an expired one [KindStalled]. A RequestID() string method in the chain names the request.
func ProblemOf(err error, at time.Time) *Problem {
	if err == nil {
		return nil
	}
	kind, cause := gist(err)
	w, ok := wordings[kind]
	if !ok {
		w = wordings[KindInternal]
	}
	p := &Problem{Kind: kind, What: w.what + ".", Next: w.next, Retry: w.retry}
	if why := sentence(cause); why != "" {
		if kind == KindAuth {
			why, p.Next = refusedToken(why, p.Next)
		}
		if kind == KindRateLimit || kind == KindOverloaded {
			why = withoutAdvice(why)
		}
		p.What = strings.TrimSuffix(w.what+": "+why, ": ") + "."
	}
	for e := range chain(err) {
		if p.Status == 0 {
			p.Status = e.Status
		}
		if p.RetryAt.IsZero() && e.RetryAfter > 0 {
			p.RetryAt = at.Add(e.RetryAfter)
			p.Next = fmt.Sprintf("Try again in %s, or choose another model.", roughly(e.RetryAfter))
			if kind != KindRateLimit && kind != KindQuota && kind != KindOverloaded {
				p.Next = fmt.Sprintf("Try again in %s.", roughly(e.RetryAfter))
			}
		}
	}
	if own, ok := errors.AsType[interface {
		error
		Words() (what, next string)
	}](err); ok {
		p.What, p.Next = own.Words()
	}
	if named, ok := errors.AsType[interface {
		error
		RequestID() string
	}](err); ok {
		p.RequestID = named.RequestID()
	}
	return p
}

// refusedToken returns why a token is refused, without the service's words for it, and the step behind the reason instead of next.
func refusedToken(why, next string) (string, string) {
	const token = "the token in "
	_, meaning, ok := strings.Cut(": "+why, ": "+token)
	if !ok {
		return why, next
	}
	if reason, step, ok := strings.Cut(meaning, "; "); ok && step != "" {
		meaning, next = reason, strings.ToUpper(step[:1])+step[1:]+"."
	}
	return token + meaning, next
}

// withoutAdvice returns a reason without the service's apology and its request to wait: the next step has that, with the time.
func withoutAdvice(why string) string {
	for _, advice := range []string{"Please wait", "Please try again", "Try again"} {
		if before, after, ok := strings.Cut(". "+why, ". "+advice); ok && !strings.Contains(after, ". ") {
			why = strings.TrimPrefix(before, ". ")
		}
	}
	if rest, ok := strings.CutPrefix(why, "Sorry, "); ok {
		why = rest
	}
	return why
}

// chain yields every [*Error] in err, outermost first.
func chain(err error) func(yield func(*Error) bool) {
	return func(yield func(*Error) bool) {
		for err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || !yield(e) {
				return
			}
			err = e.Err
		}
	}
}

// gist returns the kind that counts and the error that explains it.
func gist(err error) (Kind, error) {
	var kind Kind
	cause := err
	for e := range chain(err) {
		if kind == "" || kind == KindInternal {
			kind = e.Kind
		}
		cause = e.Err
	}
	switch {
	case kind != "" && kind != KindInternal:
	case errors.Is(err, context.Canceled):
		return KindCancelled, nil
	case errors.Is(err, context.DeadlineExceeded):
		return KindStalled, nil
	case kind == "":
		kind = KindInternal
	}
	return kind, cause
}

// maxWhy is the maximum width of a cause, in columns.
const maxWhy = 300

// sentence returns the text of an error as one line without secrets and without a full stop.
func sentence(err error) string {
	if err == nil {
		return ""
	}
	s := strings.Join(strings.Fields(err.Error()), " ")
	return strings.TrimRight(cutColumns(maskSecrets(s), maxWhy), ". ")
}

// secrets matches credentials that a cause could quote: GitHub's tokens, Copilot's, JSON web tokens, keys of model
// providers, and whatever follows the name of an authorization scheme.
var secrets = lazyregexp.New(`(?i)\b(gh[a-z]_[a-z0-9_]{8,}|github_pat_[a-z0-9_]{8,}|sk-[a-z0-9_-]{8,}|` +
	`eyj[a-z0-9_-]{8,}(\.[a-z0-9_-]*)*|tid=[^\s"']+)|\b((?:bearer|token|basic)[ =:]+)[a-z0-9._~+/=-]{12,}`)

// maskSecrets replaces credentials in s.
func maskSecrets(s string) string { return secrets.ReplaceAllString(s, "${3}***") }

// roughly returns a rounded duration in words.
func roughly(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int((d+time.Second-1)/time.Second))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int((d+time.Minute-1)/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int((d+time.Hour-1)/time.Hour))
	default:
		return fmt.Sprintf("%d d %d h", int(d/(24*time.Hour)), int(d%(24*time.Hour)/time.Hour))
	}
}
