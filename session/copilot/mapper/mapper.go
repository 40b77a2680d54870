package mapper

import (
	"strings"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// Mapper turns the events of one session of the runtime into session events. It has one owner and is not safe for
// concurrent use.
type Mapper struct {
	rec    *record.Recorder
	turn   turn
	cause  record.Cause // of the next turn
	stored bool         // maps a file, which has no idle events
	mode   session.Mode
	model  session.ModelChanged // the newest, without a head
	title  string

	calls    *calls
	children *children
	shells   *shells
	answers  *answers
	usage    *usage
	todos    []session.Todo // as reported last
	names    func(runtime string) string
}

// New returns the mapper of a session for one process of the runtime.
func New(id session.ID, gen session.Generation) *Mapper {
	m := &Mapper{rec: record.New(id, gen), names: func(model string) string { return model }}
	m.calls = newCalls(m.rec)
	m.shells = newShells(m.rec, m.calls)
	m.children = newChildren(m.rec, m.calls)
	m.answers = newAnswers(m.rec, m.calls)
	m.usage = &usage{rec: m.rec, quotas: map[string]session.Quota{}}
	return m
}

// Map maps one event that arrived at a time. Unknown types make no events; they are counted. An event without a time is of
// that time. The session events do not refer to e.
func (m *Mapper) Map(e protocol.Event, at time.Time) []session.Event {
	defer func() {
		if recover() != nil {
			m.rec.Count("(mistake)")
		}
	}()
	m.dispatch(e, at)
	return m.rec.Take()
}

// dispatch maps the events that come while a turn runs. The others are mapped by [Mapper.announce].
func (m *Mapper) dispatch(e protocol.Event, at time.Time) {
	switch e.Type {
	case "assistant.message_start", "assistant.message_delta", "assistant.reasoning_delta", "assistant.tool_call_delta":
		streamAnswer(m, e, at)
	case "assistant.message":
		messageOf(m, e, at)
	case "assistant.reasoning":
		reasoningOf(m, e, at)
	case "assistant.turn_start":
		m.loopStarted(e, at)
	case "assistant.turn_end":
		loopEnded(m, e, at)
	case "assistant.turn_retry":
		retried(m, e, at)
	case "model.call_failure":
		callFailed(m, e, at)
	case "assistant.usage":
		m.used(e, at)
	case "user.message":
		m.prompted(e, at)
	case "system.notification":
		notified(m, e, at)
	case "tool.execution_start":
		m.toolStarted(e, at)
	case "permission.requested", "permission.completed":
		m.calls.lines.permission(e)
	case "tool.execution_partial_result", "tool.shell_output":
		m.toolOutput(e, at)
	case "tool.execution_complete":
		m.toolEnded(e, at)
	case "subagent.started":
		m.children.start(e, decode[subagent](e), at)
	case "subagent.completed", "subagent.failed":
		childEnded(m, e, at)
	case "abort":
		aborted(m, e, at)
	case "assistant.idle", "session.idle":
		idle(m, e, at)
	default:
		m.announce(e, at)
	}
}

// announce maps events about the session.
func (m *Mapper) announce(e protocol.Event, at time.Time) {
	if quiet[e.Type] {
		return
	}
	d := decode[sessionData](e)
	switch e.Type {
	case "session.start", "session.resume":
		opened(m, e, d, at)
	case "session.model_change":
		if e.Agent == "" {
			setModel(m, d.NewModel, d.Effort, at)
		}
	case "session.mode_changed":
		if e.Agent == "" {
			setRuntimeMode(m, d.NewMode, at)
		}
	case "session.title_changed":
		setTitle(m, d.Title, at)
	case "session.usage_info":
		if e.Agent == "" {
			m.usage.context(d.Tokens, d.Limit, at)
		}
	case "session.shutdown":
		shutdown(m, e, d, at)
	case "session.compaction_complete":
		compacted(m, e, at)
	case "session.error":
		failed(m, e, at)
	case "session.info", "session.warning":
		note(m, e, at)
	default:
		m.rec.Count(e.Type)
	}
}

// quiet are the types of events that are known and make no events: what others answer or show, and figures.
var quiet = setOf(`assistant.streaming_delta assistant.intent assistant.server_tool_progress session.todos_changed
	pending_messages.modified session.background_tasks_changed session.usage_checkpoint session.usage_record
	session.skills_loaded session.tools_updated session.mcp_servers_loaded session.mcp_server_status_changed
	session.custom_agents_updated session.extensions_loaded session.managed_settings_resolved session.context_changed
	session.plan_changed session.workspace_file_changed session.permissions_changed session.compaction_start
	session.mode_notice_delivered session.auto_mode_resolved session.binary_asset session.truncation
	session.indexed_search
	subagent.configured subagent.selected subagent.deselected system.message agent.interrupted sandbox.decision
	external_tool.requested external_tool.completed user_input.requested
	user_input.completed elicitation.requested elicitation.completed exit_plan_mode.requested exit_plan_mode.completed
	auto_mode_switch.requested auto_mode_switch.completed session_limits_exhausted.requested
	session_limits_exhausted.completed hook.start hook.end hook.progress skill.invoked skill.context_delivered
	capabilities.changed commands.changed prompt_cache_break tool.execution_progress model.call_start model.call_finished`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// Turn returns the running turn, empty between turns.
func (m *Mapper) Turn() session.TurnID { return m.rec.Turn }

// Taken reports whether the runtime has begun to work on the prompt of the running turn.
func (m *Mapper) Taken() bool { return m.rec.Turn != "" && m.turn.taken }

// Busy reports whether a turn runs or something of the session works in the background.
func (m *Mapper) Busy() bool { return m.rec.Turn != "" || m.behind() }

// behind reports whether child agents or commands run in the background.
func (m *Mapper) behind() bool { return m.children.behind() || len(m.shells.open) > 0 }

// Head returns the head of a top-level event.
func (m *Mapper) Head(at time.Time) session.Head { return m.rec.At(at) }

// Place returns the turn and the child of a call. agent is the runtime's id of the child agent that makes the call, if
// known; it places a call that has not been announced.
func (m *Mapper) Place(call session.CallID, agent string) (session.TurnID, session.ChildID) {
	if t := m.calls.Find(call); t != nil {
		return t.Turn, t.Child
	}
	if agent != "" {
		child := session.ChildID(agent)
		return m.rec.In(child, time.Time{}).Turn, child
	}
	return m.rec.Turn, ""
}

// Child returns the child agent that a call started, empty if it started none. Its id is the runtime's.
func (m *Mapper) Child(call session.CallID) session.ChildID { return m.children.calls[call] }

// Running reports whether a child agent is at work.
func (m *Mapper) Running(child session.ChildID) bool {
	return m.children.Running(child) != nil
}

// Shell returns the runtime's id of the command in the background that a call started, empty if it runs none.
func (m *Mapper) Shell(call session.CallID) string { return m.shells.id(call) }

// Unknown counts what made no event, by type, for the log.
func (m *Mapper) Unknown() map[string]int { return m.rec.Unknown() }

// SetModelNames sets the function that spells a model of the runtime as the user does. It is called while mapping.
func (m *Mapper) SetModelNames(names func(runtime string) string) { m.names = names }

// SetMetered leaves credits and quotas to another meter of the requests, such as the proxy.
func (m *Mapper) SetMetered(elsewhere bool) { m.usage.elsewhere = elsewhere }

// SetMode records the session's permission mode, without an event. The runtime itself has only one, for plans.
func (m *Mapper) SetMode(mode session.Mode) { m.mode = mode }
