package mapper

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/session"
)

// Mapper turns the runtime's lines into events. A result ends the running turn; the owner decides which results do and
// maps no others. It has one owner and is not safe for concurrent use.
type Mapper struct {
	rec        *recorder
	turn       turn
	autonomous int // turns that the runtime began by itself
	mode       session.Mode

	context    *modelContext
	early      *earlyLines
	calls      *calls
	asks       *asks
	children   *children
	background *background
	answers    *answers
	hooks      hooks
}

// New returns the mapper of one process of the runtime.
func New(id session.ID, gen session.Generation) *Mapper {
	m := &Mapper{rec: newRecorder(id, gen)}
	m.context = newModelContext(m.rec)
	m.early = newEarlyLines(m.mapLine)
	m.calls = newCalls(m.rec, m.early)
	m.asks = newAsks(m.rec)
	m.children = newChildren(m.rec, m.calls, m.asks)
	m.background = newBackground(m.rec)
	m.answers = newAnswers(m.rec, m.calls)
	m.hooks.rec = m.rec
	return m
}

// Map maps one line of output. Malformed lines and unknown types make no events; they are counted and never end a turn.
// The events do not refer to data.
func (m *Mapper) Map(data []byte, at time.Time) []session.Event {
	if f, ok := readDelta(data); ok {
		m.answers.delta(f, at)
		return m.rec.take()
	}
	m.mapWhole(data, at)
	return m.rec.take()
}

// mapWhole maps a line other than a delta. A panic costs that line and nothing else.
func (m *Mapper) mapWhole(data []byte, at time.Time) {
	defer func() {
		if recover() != nil {
			m.rec.skip("(mistake)")
		}
	}()
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		// A field of an unexpected shape does not hide the others.
		var known struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(data, &known) != nil || l.Type == "" {
			m.rec.skip("(not JSON)")
			return
		}
	}
	if m.isEarly(l) && m.early.hold(l, data) {
		return
	}
	m.mapLine(l, at)
}

// isEarly reports whether a line is of a child whose call has not been announced.
func (m *Mapper) isEarly(l line) bool {
	call := session.CallID(l.ParentID)
	return (l.Type == "assistant" || l.Type == "user") && call != "" && m.calls.known[call] == nil && m.children.known[call] == nil
}

func (m *Mapper) mapLine(l line, at time.Time) {
	switch l.Type {
	case "system":
		m.system(l, at)
	case "stream_event":
		m.stream(l, at)
	case "assistant":
		m.assistant(l, at)
	case "user":
		m.user(l, at)
	case "result":
		m.result(l, at)
	case "control_request":
		m.ask(l, at)
	case "control_cancel_request":
		m.asks.withdraw(session.AskID(l.RequestID), session.WhyWithdrawn, at)
	case "conversation_reset":
		m.rec.move(l.NewSessionID, at)
	case "rate_limit_event":
		if q, ok := quotaOf(l.RateLimit); ok {
			m.rec.emit(session.LimitReported{Head: m.rec.at(at), Quota: q})
		}
	case "control_response", "keep_alive", "command_lifecycle", "tool_progress", "prompt_suggestion", "tool_use_summary":
		// not part of the transcript
	default:
		m.rec.skip(l.Type)
	}
}

// Turn returns the running turn, empty between turns.
func (m *Mapper) Turn() session.TurnID { return m.rec.turn }

// Head returns the head of a top-level event, with the runtime's id of the session.
func (m *Mapper) Head(at time.Time) session.Head { return m.rec.at(at) }

// SetOutput sets what the background command wrote whose end the next line reports, "" if it reports none.
func (m *Mapper) SetOutput(output string) { m.background.output = output }

// OutputFile returns the output file of the background command with that task id, "" if unknown.
func (m *Mapper) OutputFile(task string) string {
	if c := m.background.find(task); c != nil {
		return c.file
	}
	return ""
}

// Unknown counts what made no event, by type, for the log.
func (m *Mapper) Unknown() map[string]int { return m.rec.unknown }

func (m *Mapper) system(l line, at time.Time) {
	switch l.Subtype {
	case "init":
		m.rec.move(l.SessionID, at)
		m.rec.emit(session.RuntimeChanged{Head: m.rec.at(at), State: session.RuntimeReady, Detail: l.Version})
		m.context.setModel(l.Model, at)
		m.setMode(l.PermissionMode, at)
	case "status":
		m.setMode(l.PermissionMode, at)
	case "api_retry":
		m.rec.emit(retryOf(l, m.rec.at(at)))
	case "compact_boundary":
		m.rec.emit(session.Compacted{Head: m.rec.at(at), Auto: l.Compact.Trigger == "auto", Before: l.Compact.PreTokens, After: l.Compact.PostTokens})
		m.context.used = l.Compact.PostTokens // until the next request reports its usage
	case "task_started":
		m.children.taskStarted(l, at)
	case "task_notification":
		m.taskEnded(l, at)
	case "session_title_changed":
		m.rec.emit(session.TitleChanged{Head: m.rec.at(at), Title: l.Title})
	case "model_fallback":
		m.context.setModel(firstOf(l.Fallback, l.Model), at)
	case "permission_denied":
		if t := m.calls.known[session.CallID(l.ToolUseID)]; t != nil {
			t.denied = true
		}
	case "informational":
		m.hooks.informed(l, at)
	case "hook_response":
		m.hooks.response(l, at)
	case "task_updated":
		m.background.updated(l.TaskID, l.Patch.Status)
	case "session_state_changed":
		if l.State == "idle" && m.rec.turn == "" {
			m.background.flush(m.rec.turns, at)
		}
	case "task_progress", "background_tasks_changed", "hook_started", "hook_progress", "notification", "control_request_progress", "thinking_tokens", "model_refusal_no_fallback":
		// shown by other means, or not at all
	default:
		m.rec.skip("system/" + l.Subtype)
	}
}

// taskEnded ends a background command or a child agent, and records why the runtime may begin a turn by itself.
func (m *Mapper) taskEnded(l line, at time.Time) {
	call, news := session.CallID(l.ToolUseID), l.Summary
	if !m.background.notified(call, l.Status, l.Summary, at) {
		call, news = m.children.tasks[l.TaskID], m.children.taskEnded(l, at)
	}
	m.inform(call, news)
}

// inform records the end of background work as the cause of the next turn.
func (m *Mapper) inform(call session.CallID, news string) {
	if strings.TrimSpace(news) != "" && m.turn.cause == "" {
		m.turn.causeCall = call
	}
	m.turn.cause = joinCauses(m.turn.cause, news)
}

// setMode reports a change of the permission mode. Modes that parley does not have are skipped.
func (m *Mapper) setMode(mode string, at time.Time) {
	switch {
	case mode == "" || session.Mode(mode) == m.mode:
	case !slices.Contains(session.Modes, session.Mode(mode)):
		m.rec.skip("mode/" + mode)
	default:
		m.mode = session.Mode(mode)
		m.rec.emit(session.ModeChanged{Head: m.rec.at(at), Mode: m.mode})
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func severity(level string) session.Severity {
	switch level {
	case "warning":
		return session.Warning
	case "error":
		return session.Failure
	default:
		return session.Info
	}
}

func retryOf(l line, h session.Head) session.RetryScheduled {
	why := strings.ReplaceAll(l.Error, "_", " ")
	if l.ErrorStatus != nil {
		why = strings.TrimSpace(strconv.Itoa(*l.ErrorStatus) + " " + why)
	}
	return session.RetryScheduled{Head: h, Attempt: l.Attempt + 1, Of: l.MaxRetries + 1,
		Delay: time.Duration(l.RetryDelayMS * float64(time.Millisecond)), Why: why}
}

// quotaOf returns the state of an allowance, false if the service names none.
func quotaOf(r rateLimit) (session.Quota, bool) {
	if r.Kind == "" || r.Status == "" {
		return session.Quota{}, false
	}
	q := session.Quota{Name: r.Kind, Percent: 100 * (1 - r.Utilization)}
	if r.Status == "rejected" {
		q.Percent = 0
	}
	if r.ResetsAt > 0 {
		q.ResetsAt = time.Unix(r.ResetsAt, 0).UTC()
	}
	return q, true
}
