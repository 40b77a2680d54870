package mapper

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/session"
)

// result ends the turn. One that comes while no turn runs opens none: it tells what it cost and, if it failed, why.
func (m *Mapper) result(l line, at time.Time) {
	m.flushEarly(at)
	u := session.Usage{Input: l.Usage.Input, Output: l.Usage.Output, CacheRead: l.Usage.CacheRead, CacheWrite: l.Usage.CacheWrite}
	if u != (session.Usage{}) {
		m.emit(session.UsageReported{Head: m.at(at), Usage: u, Model: m.model})
	}
	m.measure(l, at)
	m.printed(l, at)
	ended := session.TurnEnded{Head: m.at(at), Outcome: session.TurnCompleted, Duration: m.took(l, at)}
	switch {
	case l.unworked() && m.hooks.blocked:
		ended.Outcome = session.TurnRefused
	case strings.HasPrefix(l.TerminalReason, "aborted"):
		ended.Outcome = session.TurnCancelled
		m.excuse = ""
	case l.StopReason == "refusal":
		ended.Outcome = session.TurnRefused
	case strings.HasPrefix(l.Subtype, "error_max"):
		ended.Outcome = session.TurnLimit
	case l.IsError || strings.HasPrefix(l.Subtype, "error"):
		ended.Outcome = session.TurnFailed
	}
	if blocked := m.blockedProblem(); ended.Outcome == session.TurnRefused && blocked != nil {
		ended.Problem = blocked
	} else if ended.Outcome != session.TurnCompleted && ended.Outcome != session.TurnCancelled {
		ended.Problem = problemAt(l, m.failed, at)
		m.excuse = "" // the problem says it
	}
	if m.turn != "" {
		m.close(ended, at)
		return
	}
	m.tell(at)
	if ended.Problem != nil {
		m.emit(session.Notice{Head: m.at(at), Severity: session.Failure, Text: ended.Problem.What})
	}
}

// unworked is [Unworked] of a line.
func (l line) unworked() bool {
	return Unworked(l.Subtype, l.IsError, l.StopReason, l.TerminalReason)
}

// Unworked reports whether a result with these fields is that of something for which no model was asked: a command of the
// runtime itself, or a prompt that a hook has blocked.
func Unworked(subtype string, failed bool, stopReason, terminalReason string) bool {
	return subtype == "success" && !failed && stopReason == "" && terminalReason == ""
}

// took is the wall time of the running turn. The runtime counts from when it took the prompt up, and after work in the
// background only the last stretch.
func (m *Mapper) took(l line, at time.Time) time.Duration {
	own := time.Duration(l.DurationMS * float64(time.Millisecond))
	if m.turn == "" || m.started.IsZero() {
		return own
	}
	return max(own, at.Sub(m.started))
}

// measure tells how full the context window is.
func (m *Mapper) measure(l line, at time.Time) {
	for model, u := range l.ModelUsage {
		if m.names(model) == m.model || model == m.model || len(l.ModelUsage) == 1 {
			m.window.Window = u.ContextWindow
			if listed := m.sizes(m.model); listed > 0 {
				m.window.Window = min(listed, u.ContextWindow) // the service refuses what is longer
			}
			m.seen[m.model] = m.window.Window
		}
	}
	if m.window.Used > 0 && m.window.Window > 0 {
		m.emit(session.ContextReported{Head: m.at(at), Used: m.window.Used, Window: m.window.Window})
	}
}

// diagnostic begins an entry among the errors of a result that is meant for the runtime's own developers.
const diagnostic = "[ede_diagnostic]"

// problem says why a past turn failed, when waiting is of no use any more.
func problem(l line, word string) *session.Problem { return problemAt(l, word, time.Time{}) }

// problemAt says why a turn failed. The runtime's words are the text of its result or its list of errors; what the proxy
// knew of a failed request comes behind the service's message.
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

// kindsOfProxy are the kinds of errors that the proxy names in its markers.
var kindsOfProxy = map[string]session.Kind{
	"auth": session.KindAuth, "forbidden": session.KindForbidden, "quota": session.KindQuota, "rate_limit": session.KindRateLimit,
	"overloaded": session.KindOverloaded, "server": session.KindServer, "network": session.KindNetwork, "stalled": session.KindStalled,
	"bad_request": session.KindBadRequest, "too_long": session.KindTooLong, "model": session.KindModel,
	"misrouted": session.KindInvalid, "cancelled": session.KindCancelled, "protocol": session.KindServer,
}

// advices begin what newer runtimes add to the service's words: it is for people who run a gateway of their own, and for
// reports to Anthropic.
var advices = []string{" This is a server-side issue", "\n\nRequest ID: "}

// apiMessage takes the service's words out of "API Error: 402 {...}", as the runtime writes an error envelope.
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
