package mapper

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/session"
)

// result ends the turn. Between turns it opens none, and only reports its cost and failure.
func (m *Mapper) result(l line, at time.Time) {
	m.early.flush(at)
	u := session.Usage{Input: l.Usage.Input, Output: l.Usage.Output, CacheRead: l.Usage.CacheRead, CacheWrite: l.Usage.CacheWrite}
	if u != (session.Usage{}) {
		m.rec.Emit(session.UsageReported{Head: m.rec.At(at), Usage: u, Model: m.context.model})
	}
	m.context.measure(l.ModelUsage, at)
	blocked := m.hooks.takeProblem()
	// 2.1.112 reports an unknown command with nothing but the text of a result.
	if text := strings.TrimSpace(l.Result); m.rec.Turn != "" && m.turn.silent && l.withoutModel() && text != "" && blocked == nil {
		m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: session.Warning, Text: text})
	}
	ended := session.TurnEnded{Head: m.rec.At(at), Outcome: resultOutcome(l), Duration: m.turn.lasted(l, at)}
	if l.withoutModel() && blocked != nil {
		ended.Outcome = session.TurnRefused
	}
	switch {
	case ended.Outcome == session.TurnCompleted:
	case ended.Outcome == session.TurnCancelled:
		m.turn.failureText = ""
	case ended.Outcome == session.TurnRefused && blocked != nil:
		ended.Problem = blocked
	default:
		ended.Problem = problemAt(l, m.turn.failure, at)
		m.turn.failureText = "" // the problem says it
	}
	if m.rec.Turn != "" {
		m.close(ended, at)
		return
	}
	m.reportFailure(at)
	if ended.Problem != nil {
		m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: session.Failure, Text: ended.Problem.What})
	}
}

func resultOutcome(l line) session.TurnOutcome {
	switch {
	case strings.HasPrefix(l.TerminalReason, "aborted"):
		return session.TurnCancelled
	case l.StopReason == "refusal":
		return session.TurnRefused
	case strings.HasPrefix(l.Subtype, "error_max"):
		return session.TurnLimit
	case l.IsError || strings.HasPrefix(l.Subtype, "error"):
		return session.TurnFailed
	}
	return session.TurnCompleted
}

// withoutModel is [WithoutModel] of a line.
func (l line) withoutModel() bool {
	return WithoutModel(l.Subtype, l.IsError, l.StopReason, l.TerminalReason)
}

// WithoutModel reports whether no model was asked for a result with these fields: it is of a command of the runtime, or of a
// prompt that a hook blocked.
func WithoutModel(subtype string, failed bool, stopReason, terminalReason string) bool {
	return subtype == "success" && !failed && stopReason == "" && terminalReason == ""
}

// lasted returns the wall time of a turn. The runtime counts from when it takes the prompt up, and after background work only the
// last stretch.
func (t *turn) lasted(l line, at time.Time) time.Duration {
	reported := time.Duration(l.DurationMS * float64(time.Millisecond))
	if t.started.IsZero() {
		return reported
	}
	return max(reported, at.Sub(t.started))
}

// diagnostic begins an error in a result that is meant for the runtime's developers.
const diagnostic = "[ede_diagnostic]"

// problem returns why a past turn failed, without a time to wait until.
func problem(l line, word string) *session.Problem { return problemAt(l, word, time.Time{}) }

// problemAt returns why a turn failed: the text of the result or its list of errors, and what the proxy's marker adds about
// the failed request.
func problemAt(l line, word string, at time.Time) *session.Problem {
	text := l.Result
	if text == "" {
		var all []string
		for _, e := range l.Errors {
			if !strings.HasPrefix(e, diagnostic) {
				all = append(all, e)
			}
		}
		text = strings.Join(all, "; ")
	}
	text, d, marked := errmark.Strip(text)
	if text == "" {
		text = strings.ReplaceAll(l.Subtype, "_", " ")
	}
	e := &session.Error{Op: "ask the model", Kind: kindOf(l, word), Err: errors.New(apiMessage(text))}
	if l.APIErrorStatus != nil {
		e.Status = *l.APIErrorStatus
	}
	if !marked {
		return session.ProblemOf(e, at)
	}
	if kind, ok := kindsOfProxy[d.Kind]; ok && l.TerminalReason != "prompt_too_long" {
		e.Kind = kind
	}
	if d.Status != 0 {
		e.Status = d.Status
	}
	e.RetryAfter = d.RetryAfter
	if wait := d.Reset.Sub(at); e.RetryAfter == 0 && wait > 0 && wait < errmark.MaxWait {
		e.RetryAfter = wait
	}
	p := session.ProblemOf(e, at)
	p.RequestID = d.RequestID
	return p
}

// kindsOfProxy maps the kinds in the proxy's markers.
var kindsOfProxy = map[string]session.Kind{
	"auth": session.KindAuth, "forbidden": session.KindForbidden, "quota": session.KindQuota, "rate_limit": session.KindRateLimit,
	"overloaded": session.KindOverloaded, "server": session.KindServer, "network": session.KindNetwork, "stalled": session.KindStalled,
	"bad_request": session.KindBadRequest, "too_long": session.KindTooLong, "model": session.KindModel,
	"misrouted": session.KindInvalid, "cancelled": session.KindCancelled, "protocol": session.KindServer,
}

// advices begin what newer runtimes add to the service's message: hints for people who run a gateway, and for reports to
// Anthropic.
var advices = []string{" This is a server-side issue", "\n\nRequest ID: "}

// apiMessage returns the service's message in "API Error: 402 {...}", the runtime's form of an error.
func apiMessage(text string) string {
	_, rest, ok := strings.Cut(text, "API Error: ")
	if !ok {
		return text
	}
	rest = strings.TrimLeft(rest, "0123456789 ")
	for _, advice := range advices {
		rest, _, _ = strings.Cut(rest, advice)
	}
	var envelope struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.NewDecoder(strings.NewReader(rest)).Decode(&envelope) == nil && envelope.Error.Message != "" {
		return envelope.Error.Message
	}
	return rest
}

func kindOf(l line, word string) session.Kind {
	if l.TerminalReason == "prompt_too_long" {
		return session.KindTooLong
	}
	if strings.HasPrefix(l.Subtype, "error_max") || l.StopReason == "refusal" {
		return session.KindRefused
	}
	status := 0
	if l.APIErrorStatus != nil {
		status = *l.APIErrorStatus
	}
	switch {
	case status == 401 || word == "authentication_failed":
		return session.KindAuth
	case status == 402 || word == "billing_error":
		return session.KindQuota
	case status == 403:
		return session.KindForbidden
	case status == 529 || word == "overloaded":
		return session.KindOverloaded
	case status == 429 || word == "rate_limit":
		return session.KindRateLimit
	case word == "model_not_supported" || word == "model_not_found" || status == 404:
		return session.KindModel
	case status == 400 || status == 413 || word == "invalid_request":
		return session.KindBadRequest
	case status >= 500 || word == "server_error":
		return session.KindServer
	case word != "":
		return session.KindNetwork
	default:
		return session.KindRuntime
	}
}
