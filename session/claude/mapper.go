package claude

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// Mapper turns the runtime's lines into events. It has one owner and is not safe for concurrent use.
//
// The runtime prints an answer twice: as stream events, and block by block as assistant messages. The stream makes
// parts and tools; an assistant message is their commit, and where nothing was streamed (a request repeated without
// streaming, a synthetic error) it becomes parts of its own. What was streamed and never committed is retracted when the
// next attempt begins.
type Mapper struct {
	head session.Head // session and generation of every event

	turn      session.TurnID // empty between turns
	started   time.Time
	autonomic int // autonomous turns so far
	childPart int // parts of child agents so far

	model string
	mode  session.Mode

	msg     *answer                     // the top-level answer being streamed
	tools   map[session.CallID]toolCall // announced calls
	kids    map[session.CallID]bool     // child agents by the call that made them: true once ended
	childAt map[string]session.CallID   // task id to call
	asks    map[session.AskID]bool      // true while open
	askFor  map[session.AskID]session.CallID
	window  session.ContextReported // from the newest request
	failed  string                  // error word of the newest synthetic message

	unknown map[string]int // messages left out, by type
	out     []session.Event
}

// toolCall is what the mapper remembers of an announced call.
type toolCall struct {
	name   string
	turn   session.TurnID
	child  session.ChildID
	ready  bool
	ended  bool
	denied bool // by our own answer
}

// NewMapper makes a mapper for one process of the runtime.
func NewMapper(id session.ID, gen session.Generation) *Mapper {
	return &Mapper{
		head:    session.Head{Session: id, Gen: gen},
		tools:   map[session.CallID]toolCall{},
		kids:    map[session.CallID]bool{},
		childAt: map[string]session.CallID{},
		asks:    map[session.AskID]bool{},
		askFor:  map[session.AskID]session.CallID{},
		unknown: map[string]int{},
	}
}

// Begin opens a turn for a prompt about to be delivered.
func (m *Mapper) Begin(turn session.TurnID, p session.Prompt, o session.Origin, at time.Time) []session.Event {
	m.open(turn, p, o, at)
	return m.take()
}

// Map maps one line of output. A line that is no JSON, or of a type this version does not know, makes no events; it is
// counted and never ends a turn.
func (m *Mapper) Map(data []byte, at time.Time) []session.Event {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		// A message is still worth mapping if only a field of another shape than expected is in the way.
		var known struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(data, &known) != nil || l.Type == "" {
			m.unknown["(not JSON)"]++
			return nil
		}
	}
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
	case "control_response", "keep_alive", "command_lifecycle", "tool_progress", "rate_limit_event",
		"prompt_suggestion", "tool_use_summary":
		// nothing the transcript holds
	default:
		m.unknown[l.Type]++
	}
	return m.take()
}

// Exit reports that the process is gone. A running turn ends: as cancelled if it was interrupted, else as failed.
func (m *Mapper) Exit(interrupted bool, detail string, at time.Time) []session.Event {
	if m.turn != "" {
		ended := session.TurnEnded{Head: m.at(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.started)}
		if !interrupted {
			ended.Outcome = session.TurnFailed
			ended.Problem = &session.Problem{Kind: session.KindRuntime, What: "The Claude Code runtime ended in the middle of the turn.",
				Next: "Send the prompt again; the runtime is started anew.", Retry: true}
		}
		m.close(ended, at)
	}
	m.emit(session.RuntimeChanged{Head: m.at(at), State: session.RuntimeExited, Detail: detail})
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

// in is the head of an event of the child that the call parent made, of the top level if there is no parent.
func (m *Mapper) in(parent string, at time.Time) session.Head {
	h := m.at(at)
	h.Child = session.ChildID(parent)
	return h
}

func (m *Mapper) open(turn session.TurnID, p session.Prompt, o session.Origin, at time.Time) {
	m.turn, m.started, m.failed = turn, at, ""
	m.emit(session.TurnStarted{Head: m.at(at), Prompt: p, Origin: o})
}

// speak opens an autonomous turn if the runtime speaks without having been spoken to, as it does when a background task
// ends.
func (m *Mapper) speak(at time.Time) {
	if m.turn != "" {
		return
	}
	m.autonomic++
	m.open(session.TurnID(fmt.Sprintf("auto-%d-%d", m.head.Gen, m.autonomic)), session.Prompt{}, session.OriginAutonomous, at)
}

// close ends the running turn and what is open in it.
func (m *Mapper) close(e session.TurnEnded, at time.Time) {
	m.dropAnswer(at)
	for _, id := range slices.Sorted(maps.Keys(m.asks)) {
		if m.asks[id] {
			m.settle(id, at)
		}
	}
	m.emit(e)
	m.turn = ""
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
		why := l.Error
		if l.ErrorStatus != nil {
			why = strings.TrimSpace(fmt.Sprintf("%d %s", *l.ErrorStatus, l.Error))
		}
		m.emit(session.RetryScheduled{Head: m.at(at), Attempt: l.Attempt + 1, Of: l.MaxRetries + 1,
			Delay: time.Duration(l.RetryDelayMS * float64(time.Millisecond)), Why: why})
	case "compact_boundary":
		m.emit(session.Compacted{Head: m.at(at), Auto: l.Compact.Trigger == "auto", Before: l.Compact.PreTokens, After: l.Compact.PostTokens})
	case "task_started":
		if l.TaskType == "local_agent" || l.TaskType == "" {
			m.childAt[l.TaskID] = session.CallID(l.ToolUseID)
			m.child(l.ToolUseID, l.Description, at)
		}
	case "task_notification":
		if call, ok := m.childAt[l.TaskID]; ok {
			m.endChild(call, outcomeOfTask(l.Status), l.Summary, at)
		}
	case "session_title_changed":
		m.emit(session.TitleChanged{Head: m.at(at), Title: l.Title})
	case "model_fallback":
		m.setModel(l.Model, at)
	case "task_progress", "task_updated", "background_tasks_changed", "hook_started", "hook_response",
		"session_state_changed", "permission_denied", "informational", "notification", "control_request_progress":
		// shown by other means, or not at all
	default:
		m.unknown["system/"+l.Subtype]++
	}
}

func outcomeOfTask(status string) session.TurnOutcome {
	switch status {
	case "completed":
		return session.TurnCompleted
	case "killed", "stopped", "cancelled":
		return session.TurnCancelled
	default:
		return session.TurnFailed
	}
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

func (m *Mapper) setModel(model string, at time.Time) {
	if model == "" || model == m.model {
		return
	}
	m.model = model
	m.emit(session.ModelChanged{Head: m.at(at), Model: model})
}

func (m *Mapper) setMode(mode string, at time.Time) {
	if mode == "" || session.Mode(mode) == m.mode {
		return
	}
	m.mode = session.Mode(mode)
	m.emit(session.ModeChanged{Head: m.at(at), Mode: m.mode})
}
