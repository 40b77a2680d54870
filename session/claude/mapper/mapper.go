package mapper

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// Mapper turns the runtime's lines into events. It has one owner and is not safe for concurrent use.
//
// The runtime prints an answer twice: as stream events, and block by block as assistant messages. The stream makes
// parts and tools; an assistant message is their commit, and where nothing was streamed (a request repeated without
// streaming, a synthetic message) it becomes parts of its own. What was streamed and never committed is retracted when the
// next attempt begins, and kept where nothing takes its place.
//
// A result ends the running turn. Whoever owns the mapper decides which results those are, and maps no other.
type Mapper struct {
	head session.Head // session and generation of every event

	turn      session.TurnID // empty between turns
	started   time.Time
	autonomic int // autonomous turns so far
	turns     int // turns so far

	model string // as the user knows it
	mode  session.Mode
	names func(string) string
	next  string // the model from the next turn on, empty if it is that of this one

	sizes func(model string) int64 // of context windows, before the runtime tells them
	seen  map[string]int64         // windows that the runtime has told, by model

	msg     *answer                      // the top-level answer being streamed
	used    map[string]int               // answers so far, by message id
	tools   map[session.CallID]*toolCall // announced calls
	busy    map[session.CallID]*toolCall // those that have not ended
	kids    map[session.CallID]*kid      // child agents by the call that made them
	childAt map[string]session.CallID    // task id to call
	early   map[string]*earlyLines       // lines of child agents nobody has announced yet
	asks    map[session.AskID]bool       // true while open
	askFor  map[session.AskID]*openAsk   // what is known of the open ones
	tasks   []task
	window  session.ContextReported // from the newest request
	failed  string                  // error word of the newest synthetic message
	excuse  string                  // its text, until it is clear whether the turn fails with it
	// wordless says that nothing was said in the running turn.
	wordless bool
	cause    string    // why the next turn may begin by itself
	output   string    // what the background command wrote that the next line tells the end of
	hooks    hookWords // what hooks have said that is not told yet

	unknown map[string]int // messages left out, by type
	out     []session.Event
}

// NewMapper makes a mapper for one process of the runtime.
func New(id session.ID, gen session.Generation) *Mapper {
	return &Mapper{
		head:    session.Head{Session: id, Gen: gen},
		used:    map[string]int{},
		tools:   map[session.CallID]*toolCall{},
		busy:    map[session.CallID]*toolCall{},
		kids:    map[session.CallID]*kid{},
		childAt: map[string]session.CallID{},
		early:   map[string]*earlyLines{},
		asks:    map[session.AskID]bool{},
		askFor:  map[session.AskID]*openAsk{},
		unknown: map[string]int{},
		names:   func(model string) string { return model },
		sizes:   func(string) int64 { return 0 },
		seen:    map[string]int64{},
	}
}

// SetModelNames gives the function that tells how the user knows a model of the runtime. It is called while mapping.
func (m *Mapper) SetModelNames(names func(runtime string) string) { m.names = names }

// Begin opens a turn for a prompt about to be delivered. A turn that the runtime has begun by itself ends with it, since
// from here on nobody can tell what belongs to which.
func (m *Mapper) Begin(turn session.TurnID, p session.Prompt, o session.Origin, at time.Time) []session.Event {
	if m.turn != "" {
		m.emit(session.TurnEnded{Head: m.at(at), Outcome: session.TurnCompleted, Duration: at.Sub(m.started)})
	}
	m.open(turn, p, o, at)
	return m.take()
}

// Map maps one line of output. A line that is no JSON, or of a type this version does not know, makes no events; it is
// counted and never ends a turn. The events refer to nothing of data.
func (m *Mapper) Map(data []byte, at time.Time) []session.Event {
	if p, ok := readDelta(data); ok {
		m.delta(p, at)
		return m.take()
	}
	m.mapWhole(data, at)
	return m.take()
}

// mapWhole maps a line that is more than a fragment of a block. A mistake in here costs one line and nothing else.
func (m *Mapper) mapWhole(data []byte, at time.Time) {
	defer func() {
		if recover() != nil {
			m.unknown["(mistake)"]++
		}
	}()
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		// A message is still worth mapping if only a field of another shape than expected is in the way.
		var known struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(data, &known) != nil || l.Type == "" {
			m.unknown["(not JSON)"]++
			return
		}
	}
	if m.tooEarly(l, data) {
		return
	}
	m.mapLine(l, at)
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
		m.unask(l, at)
	case "conversation_reset":
		m.move(l.NewSessionID, at)
	case "rate_limit_event":
		m.limit(l.RateLimit, at)
	case "control_response", "keep_alive", "command_lifecycle", "tool_progress", "prompt_suggestion", "tool_use_summary":
		// nothing the transcript holds
	default:
		m.unknown[l.Type]++
	}
}

// Exit reports that the process is gone. A running turn ends: as cancelled if it was interrupted, else as failed. So do
// all child agents and open calls.
func (m *Mapper) Exit(interrupted bool, detail string, at time.Time) []session.Event {
	m.flushEarly(at)
	m.drain(at, func(*toolCall) bool { return true })
	for _, id := range sortedKeys(m.kids) {
		m.endChild(id, session.TurnCancelled, "", at)
	}
	for _, id := range sortedKeys(m.tools) {
		if t := m.tools[id]; t.behind {
			m.shellEnded(t, "killed", "", "", at) // it is swept away with its runtime
		}
	}
	m.settleAll(at, func(*openAsk) bool { return true })
	gone := session.RuntimeChanged{State: session.RuntimeExited, Detail: detail}
	failed := session.TurnID("")
	if m.turn != "" {
		ended := session.TurnEnded{Head: m.at(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.started)}
		if !interrupted {
			failed = m.turn
			how, _, _ := strings.Cut(detail, "\n")
			ended.Outcome = session.TurnFailed
			ended.Problem = &session.Problem{Kind: session.KindRuntime,
				What: strings.TrimSuffix("The Claude Code runtime ended in the middle of the turn: "+strings.TrimSuffix(how, "."), ": ") + ".",
				Next: "Send the prompt again; the runtime is started again with it.", Retry: true}
		}
		m.close(ended, at)
	}
	gone.Head = m.at(at)
	gone.Turn = failed // whose end says it too
	m.emit(gone)
	return m.take()
}

// Unknown counts the messages left out, by type, for the log.
func (m *Mapper) Unknown() map[string]int { return m.unknown }

func (m *Mapper) take() []session.Event {
	out := m.out
	m.out = nil
	return out
}

func (m *Mapper) emit(e session.Event) { m.out = append(m.out, e) }

// at is the head of a top-level event.
func (m *Mapper) at(at time.Time) session.Head {
	h := m.head
	h.Turn, h.At = m.turn, at
	return h
}

// in is the head of an event of the child that the call parent made, of the top level if there is no parent. What a child
// does belongs to the turn that started it, also when that is over.
func (m *Mapper) in(parent string, at time.Time) session.Head {
	h := m.at(at)
	h.Child = session.ChildID(parent)
	if k := m.kids[session.CallID(parent)]; k != nil && k.turn != "" {
		h.Turn = k.turn
	}
	return h
}

func (m *Mapper) open(turn session.TurnID, p session.Prompt, o session.Origin, at time.Time) {
	m.overdue(m.turns, at)
	m.turn, m.started, m.failed, m.excuse, m.cause = turn, at, "", "", ""
	m.turns++
	m.wordless = true
	m.emit(session.TurnStarted{Head: m.at(at), Prompt: p, Origin: o})
}

// goesOn begins the line that says why a turn began by itself.
const goesOn = "Claude Code goes on by itself: "

// speak opens an autonomous turn if the runtime speaks without having been spoken to, as it does when a background task
// ends.
func (m *Mapper) speak(at time.Time) {
	if m.turn != "" {
		return
	}
	m.autonomic++
	cause := m.cause
	m.open(session.TurnID(fmt.Sprintf("auto-%d-%d", m.head.Gen, m.autonomic)), session.Prompt{}, session.OriginAutonomous, at)
	if cause != "" {
		m.emit(session.Notice{Head: m.at(at), Severity: session.Info, Text: goesOn + cause})
	}
}

// close ends the running turn and what is open in it. Background work goes on.
func (m *Mapper) close(e session.TurnEnded, at time.Time) {
	m.flushEarly(at)
	m.endAnswer(at)
	m.settleAll(at, func(a *openAsk) bool { return a.child == "" || m.over(a.child) })
	turns := m.turns
	m.drain(at, func(t *toolCall) bool { return t.turns < turns && (t.child == "" || m.over(t.child)) })
	m.tell(at)
	m.switched(at)
	m.hooks.denied = nil
	m.emit(e)
	m.turn = ""
}

// over reports whether the child that a call made has ended, or is none.
func (m *Mapper) over(call session.CallID) bool {
	k := m.kids[call]
	return k == nil || k.ended
}

// tell gives the text of a synthetic message that no failure has taken up.
func (m *Mapper) tell(at time.Time) {
	if m.excuse != "" {
		m.emit(session.Notice{Head: m.at(at), Severity: session.Warning, Text: m.excuse})
		m.excuse = ""
	}
}

func (m *Mapper) system(l line, at time.Time) {
	switch l.Subtype {
	case "init":
		m.move(l.SessionID, at)
		m.emit(session.RuntimeChanged{Head: m.at(at), State: session.RuntimeReady, Detail: l.Version})
		m.setModel(l.Model, at)
		m.setMode(l.PermissionMode, at)
	case "status":
		m.setMode(l.PermissionMode, at)
	case "api_retry":
		m.retry(l, at)
	case "compact_boundary":
		m.emit(session.Compacted{Head: m.at(at), Auto: l.Compact.Trigger == "auto", Before: l.Compact.PreTokens, After: l.Compact.PostTokens})
		m.window.Used = l.Compact.PostTokens // until a request says how much it really is
	case "task_started":
		m.taskStarted(l, at)
	case "task_notification":
		m.taskEnded(l, at)
	case "session_title_changed":
		m.emit(session.TitleChanged{Head: m.at(at), Title: l.Title})
	case "model_fallback":
		m.setModel(firstOf(l.Fallback, l.Model), at)
	case "permission_denied":
		if t := m.tools[session.CallID(l.ToolUseID)]; t != nil {
			t.denied = true
		}
	case "informational":
		m.informed(l, at)
	case "hook_response":
		m.hook(l, at)
	case "task_updated":
		m.shellUpdated(l)
	case "session_state_changed":
		if l.State == "idle" && m.turn == "" {
			m.overdue(m.turns, at)
		}
	case "task_progress", "background_tasks_changed", "hook_started", "hook_progress", "notification", "control_request_progress", "thinking_tokens", "model_refusal_no_fallback":
		// shown by other means, or not at all
	default:
		m.unknown["system/"+l.Subtype]++
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

func (m *Mapper) retry(l line, at time.Time) {
	why := strings.ReplaceAll(l.Error, "_", " ")
	if l.ErrorStatus != nil {
		why = strings.TrimSpace(fmt.Sprintf("%d %s", *l.ErrorStatus, why))
	}
	m.emit(session.RetryScheduled{Head: m.at(at), Attempt: l.Attempt + 1, Of: l.MaxRetries + 1,
		Delay: time.Duration(l.RetryDelayMS * float64(time.Millisecond)), Why: why})
}

// limit tells the state of an allowance, where the service says which and how much of it is used.
func (m *Mapper) limit(r rateLimit, at time.Time) {
	if r.Kind == "" || r.Status == "" {
		return
	}
	q := session.Quota{Name: r.Kind, Percent: 100 * (1 - r.Utilization)}
	if r.Status == "rejected" {
		q.Percent = 0
	}
	if r.ResetsAt > 0 {
		q.ResetsAt = time.Unix(r.ResetsAt, 0).UTC()
	}
	m.emit(session.LimitReported{Head: m.at(at), Quota: q})
}

// move tells that the runtime goes on under another session id.
func (m *Mapper) move(id string, at time.Time) {
	if id == "" || session.ID(id) == m.head.Session {
		return
	}
	if m.head.Session != "" {
		m.emit(session.SessionIDChanged{Head: m.at(at), ID: session.ID(id)})
	}
	m.head.Session = session.ID(id)
}

// setModel tells a change of the model. Messages that the runtime makes up have none.
func (m *Mapper) setModel(model string, at time.Time) {
	if model = normalModel(model); model == "" {
		return
	}
	if model = m.names(model); model == m.model {
		return
	}
	m.emit(session.ModelChanged{Head: m.at(at), Model: model})
	m.resize(model, at)
}

// setMode tells a change of the permission mode. Modes that only the runtime has are not ours to show.
func (m *Mapper) setMode(mode string, at time.Time) {
	switch {
	case mode == "" || session.Mode(mode) == m.mode:
	case !slices.Contains(session.Modes, session.Mode(mode)):
		m.unknown["mode/"+mode]++
	default:
		m.mode = session.Mode(mode)
		m.emit(session.ModeChanged{Head: m.at(at), Mode: m.mode})
	}
}
