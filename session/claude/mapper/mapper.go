package mapper

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/session"
	"parley/session/process/record"
)

// Mapper turns the runtime's lines into events. A result ends the running turn; the owner decides which results do and
// maps no others. It has one owner and is not safe for concurrent use.
type Mapper struct {
	rec        *record.Recorder
	turn       turn
	cause      record.Cause // of the next turn
	autonomous int          // turns that the runtime began by itself
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
	m := &Mapper{rec: record.New(id, gen)}
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
		return m.rec.Take()
	}
	m.mapWhole(data, at)
	return m.rec.Take()
}

// mapWhole maps a line other than a delta. A panic costs that line and nothing else.
func (m *Mapper) mapWhole(data []byte, at time.Time) {
	defer func() {
		if recover() != nil {
			m.rec.Count("(mistake)")
		}
	}()
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		// A field of an unexpected shape does not hide the others.
		var known struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(data, &known) != nil || l.Type == "" {
			m.rec.Count("(not JSON)")
			return
		}
	}
	if m.isEarly(l) {
		m.children.recall(l, at)
	}
	if m.isEarly(l) && m.early.hold(l, data) {
		return
	}
	m.mapLine(l, at)
}

// isEarly reports whether a line is of a child whose call has not been announced.
func (m *Mapper) isEarly(l line) bool {
	call := session.CallID(l.ParentID)
	return (l.Type == "assistant" || l.Type == "user") && call != "" && m.calls.Find(call) == nil && m.children.Find(session.ChildID(call)) == nil
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
		move(m.rec, l.NewSessionID, at)
	case "rate_limit_event":
		if q, ok := quotaOf(l.RateLimit); ok {
			m.rec.Emit(session.LimitReported{Head: m.rec.At(at), Quota: q})
		}
	case "control_response", "keep_alive", "command_lifecycle", "tool_progress", "prompt_suggestion", "tool_use_summary":
		// not part of the transcript
	default:
		m.rec.Count(l.Type)
	}
}

// Turn returns the running turn, empty between turns.
func (m *Mapper) Turn() session.TurnID { return m.rec.Turn }

// Head returns the head of a top-level event, with the runtime's id of the session.
func (m *Mapper) Head(at time.Time) session.Head { return m.rec.At(at) }

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
func (m *Mapper) Unknown() map[string]int { return m.rec.Unknown() }

func (m *Mapper) system(l line, at time.Time) {
	switch l.Subtype {
	case "init":
		move(m.rec, l.SessionID, at)
		m.rec.Emit(session.RuntimeChanged{Head: m.rec.At(at), State: session.RuntimeReady, Detail: l.Version})
		m.context.setModel(l.Model, at)
		m.setMode(l.PermissionMode, at)
	case "status":
		m.setMode(l.PermissionMode, at)
	case "api_retry":
		m.rec.Emit(retryOf(l, m.rec.At(at)))
	case "compact_boundary":
		m.rec.Emit(session.Compacted{Head: m.rec.At(at), Auto: l.Compact.Trigger == "auto", Before: l.Compact.PreTokens, After: l.Compact.PostTokens})
		m.context.used = l.Compact.PostTokens // until the next request reports its usage
	case "task_started":
		m.children.taskStarted(l, at)
	case "task_notification":
		m.taskEnded(l, at)
	case "session_title_changed":
		m.rec.Emit(session.TitleChanged{Head: m.rec.At(at), Title: l.Title})
	case "model_fallback":
		m.context.setModel(firstOf(l.Fallback, l.Model), at)
	case "permission_denied":
		if t := m.calls.Find(session.CallID(l.ToolUseID)); t != nil {
			t.With.denied = true
		}
	case "informational":
		m.hooks.informed(l, at)
	case "hook_response":
		m.hooks.response(l, at)
	case "task_updated":
		m.background.updated(l.TaskID, l.Patch.Status)
	case "session_state_changed":
		if l.State == "idle" && m.rec.Turn == "" {
			m.background.flush(m.rec.Turns, at)
		}
	case "task_progress", "background_tasks_changed", "hook_started", "hook_progress", "notification", "control_request_progress", "thinking_tokens", "model_refusal_no_fallback":
		// shown by other means, or not at all
	default:
		m.rec.Count("system/" + l.Subtype)
	}
}

// taskEnded ends a background command or a child agent, and records why the runtime may begin a turn by itself.
func (m *Mapper) taskEnded(l line, at time.Time) {
	call, news := session.CallID(l.ToolUseID), l.Summary
	if !m.background.notified(call, l.Status, l.Summary, at) {
		call, news = session.CallID(m.children.tasks[l.TaskID]), m.children.taskEnded(l, at)
	}
	m.cause.Add(call, news)
}

// move changes the session id, and reports the change if there was another one.
func move(rec *record.Recorder, id string, at time.Time) {
	if id == "" || session.ID(id) == rec.Head.Session {
		return
	}
	if rec.Head.Session != "" {
		rec.Emit(session.SessionIDChanged{Head: rec.At(at), ID: session.ID(id)})
	}
	rec.Head.Session = session.ID(id)
}

// setMode reports a change of the permission mode. Modes that parley does not have are skipped.
func (m *Mapper) setMode(mode string, at time.Time) {
	switch {
	case mode == "" || session.Mode(mode) == m.mode:
	case !slices.Contains(session.Modes, session.Mode(mode)):
		m.rec.Count("mode/" + mode)
	default:
		m.mode = session.Mode(mode)
		m.rec.Emit(session.ModeChanged{Head: m.rec.At(at), Mode: m.mode})
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
