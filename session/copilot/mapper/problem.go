package mapper

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/copilot/protocol"
)

// failed records an error of the session. The turn fails with it unless its work goes on.
func failed(m *Mapper, e protocol.Event, at time.Time) {
	if e.Agent != "" {
		return // the end of the child has it
	}
	d := decode[errorData](e)
	warn(m, at) // of an earlier one
	p := problemOf(d, at)
	if m.rec.Turn == "" {
		m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: session.Failure, Text: p.What})
		return
	}
	m.turn.problem, m.turn.last = p, at
}

// warn reports an error with which the turn did not end.
func warn(m *Mapper, at time.Time) {
	if m.turn.problem != nil {
		m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: session.Warning, Text: m.turn.problem.What})
		m.turn.problem = nil
	}
}

// requestNote matches the id of the request at the end of an error message.
var requestNote = lazyregexp.New(`\s*\((?:Request ID|CAPIError)[^)]*\)`)

// problemOf returns why a turn failed.
func problemOf(d errorData, at time.Time) *session.Problem {
	text := requestNote.ReplaceAllString(firstLine(d.Message), "")
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "Execution failed: "), " Learn More (")
	if text == "" {
		text = strings.ReplaceAll(d.Type, "_", " ")
	}
	p := session.ProblemOf(&session.Error{Op: "ask the model", Kind: kindOf(d), Err: errors.New(text), Status: d.Status}, at)
	p.RequestID = d.RequestID
	return p
}

// kindOf sorts an error. The status decides where the type is vague.
func kindOf(d errorData) session.Kind {
	switch d.Type {
	case "quota":
		return session.KindQuota
	case "rate_limit":
		if strings.Contains(d.Code, "quota") {
			return session.KindQuota
		}
		return session.KindRateLimit
	case "context_limit":
		return session.KindTooLong
	case "authentication":
		return session.KindAuth
	}
	switch s := d.Status; {
	case s == 401:
		return session.KindAuth
	case s == 402:
		return session.KindQuota
	case s == 403:
		return session.KindForbidden
	case s == 404 || d.Code == "model_not_supported":
		return session.KindModel
	case s == 413:
		return session.KindTooLong
	case s == 429:
		return session.KindRateLimit
	case s == 503 || s == 529:
		return session.KindOverloaded
	case s >= 500:
		return session.KindServer
	case s >= 400:
		return session.KindBadRequest
	case d.Type == "authorization":
		return session.KindAuth
	}
	lower := strings.ToLower(d.Message)
	switch {
	case strings.Contains(lower, "authentication"), strings.Contains(lower, "no github"):
		return session.KindAuth
	case strings.Contains(lower, "http request"), strings.Contains(lower, "connection"), strings.Contains(lower, "fetch failed"),
		strings.Contains(lower, "network"):
		return session.KindNetwork
	}
	return session.KindRuntime
}

// declined is the problem of a turn that the model or a filter of the service ended.
func declined() *session.Problem {
	return session.ProblemOf(&session.Error{Op: "ask the model", Kind: session.KindRefused,
		Err: errors.New("the model declined to answer")}, time.Time{})
}

// callFailed records that a request failed, which spoils what it had streamed. Another attempt or the end of the turn follows.
func callFailed(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[callFailure](e)
	child := session.ChildID(e.Agent)
	if child == "" && d.Source == "subagent" {
		return
	}
	m.answers.spoil(child)
	if child != "" || m.rec.Turn == "" {
		return
	}
	m.turn.attempt++
	m.rec.Emit(session.RetryScheduled{Head: m.rec.At(at), Attempt: m.turn.attempt + 1, Why: whyFailed(d)})
}

// retried records that the runtime asks the model again.
func retried(m *Mapper, e protocol.Event, at time.Time) {
	child := session.ChildID(e.Agent)
	m.answers.spoil(child)
	m.answers.freshen(child, at)
	if child != "" || m.rec.Turn == "" || m.turn.attempt > 0 {
		return // the failure of the request was reported
	}
	m.turn.attempt++
	why := strings.ReplaceAll(decode[sessionData](e).Reason, "_", " ")
	m.rec.Emit(session.RetryScheduled{Head: m.rec.At(at), Attempt: m.turn.attempt + 1, Why: why})
}

// whyFailed returns a few words for the failure of a request.
func whyFailed(d callFailure) string {
	text := strings.Trim(d.Message, `"`)
	var body struct {
		Message string `json:"message"`
	}
	if json.Unmarshal([]byte(d.Message), &body) == nil && body.Message != "" {
		text = body.Message
	}
	switch {
	case d.Status == 0 && d.Kind == "transport":
		return "the connection broke"
	case d.Status > 0 && text != "":
		return session.Subject(strconv.Itoa(d.Status) + " " + text)
	case d.Status > 0:
		return strconv.Itoa(d.Status)
	}
	return session.Subject(firstLine(text))
}
