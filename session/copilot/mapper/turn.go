package mapper

import (
	"strings"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// turn is the state of the running turn.
type turn struct {
	started time.Time
	last    time.Time // of its newest event
	taken   bool      // the runtime has taken its prompt
	looping bool      // the model's loop runs at the top level
	looped  bool      // it has run
	over    bool      // in a file: its last round has ended
	stopped bool      // the user interrupted it
	refused bool      // the model declined
	problem *session.Problem
	attempt int // attempts of the current request so far
}

// Begin begins the turn of a prompt that is about to be sent. It ends a turn that the runtime began by itself.
func (m *Mapper) Begin(turn session.TurnID, p session.Prompt, o session.Origin, at time.Time) []session.Event {
	closeTurn(m, session.TurnCompleted, nil, at)
	m.open(session.TurnStarted{Prompt: p, Origin: o}, turn, at)
	return m.rec.Take()
}

// Cancel ends the running turn as cancelled, because the runtime will not end it.
func (m *Mapper) Cancel(at time.Time) []session.Event {
	closeTurn(m, session.TurnCancelled, nil, at)
	return m.rec.Take()
}

// Complete ends the running turn as completed, because no model was asked in it.
func (m *Mapper) Complete(at time.Time) []session.Event {
	closeTurn(m, session.TurnCompleted, nil, at)
	return m.rec.Take()
}

// Stopped ends the command in the background that a call started, if it runs: the runtime stopped it and does not say so.
func (m *Mapper) Stopped(call session.CallID, at time.Time) []session.Event {
	m.shells.stop(call, at)
	return m.rec.Take()
}

// Fail ends the running turn with a problem, because the runtime will not end it.
func (m *Mapper) Fail(p *session.Problem, at time.Time) []session.Event {
	closeTurn(m, session.TurnFailed, p, at)
	return m.rec.Take()
}

// Exit reports the end of the process. It ends all calls and children, and the running turn as cancelled after an
// interrupt, otherwise as failed.
func (m *Mapper) Exit(interrupted bool, detail string, at time.Time) []session.Event {
	endBackground(m, at)
	cut := session.TurnID("")
	switch {
	case m.rec.Turn == "":
	case interrupted:
		closeTurn(m, session.TurnCancelled, nil, at)
	default:
		cut = m.rec.Turn
		closeTurn(m, session.TurnFailed, record.Died("Copilot", detail), at)
	}
	m.rec.Exit(cut, detail, at)
	return m.rec.Take()
}

// open begins a turn as e says.
func (m *Mapper) open(e session.TurnStarted, id session.TurnID, at time.Time) {
	m.turn, m.cause = turn{started: at, last: at}, record.Cause{}
	m.rec.Begin(e, id, at)
}

// speak opens a turn if none runs: the runtime speaks without a prompt, as after work in the background. The turn is named
// after the event, whose id is also in the file.
func (m *Mapper) speak(e protocol.Event, at time.Time) {
	if m.rec.Turn != "" {
		return
	}
	m.open(m.cause.Turn(), session.TurnID("auto-"+e.ID), at)
	m.turn.taken = true
}

// prompted maps a prompt: of the user, here or in another program, or of an agent to its child.
func (m *Mapper) prompted(e protocol.Event, at time.Time) {
	d := decode[userMessage](e)
	if e.Agent != "" {
		m.children.prompted(session.ChildID(e.Agent), d, e.ID, at)
		return
	}
	if !isPrompt(d.Source) || d.Continuation {
		inform(m, "", firstLine(d.Content))
		return
	}
	id, ours := sourceID(d.Source)
	if !ours {
		if id = d.MessageID; id == "" {
			id = e.ID
		}
	}
	p := promptOf(session.PromptID(id), d)
	switch {
	case d.Delivery == "steering":
		m.speak(e, at) // the turn began before the events
		s := session.Steered{Head: m.rec.At(at), Prompt: p.ID}
		if !ours || m.stored {
			s.Said = &p
		}
		m.rec.Emit(s)
	case m.rec.Turn != "" && !m.turn.taken && (!ours || session.TurnID(id) == m.rec.Turn):
		m.turn.taken = true
	default:
		m.endStored()
		closeTurn(m, session.TurnCompleted, nil, at)
		o := session.OriginUser
		if d.Delivery == "queued" {
			o = session.OriginQueued
		}
		m.open(session.TurnStarted{Prompt: p, Origin: o}, session.TurnID(id), at)
		m.turn.taken = true
	}
}

// loopStarted records that the model's loop began, or a round of it.
func (m *Mapper) loopStarted(e protocol.Event, at time.Time) {
	if e.Agent != "" {
		return
	}
	if m.stored && m.rec.Turn != "" {
		m.cause = record.Cause{} // the running turn got the news
	}
	m.speak(e, at)
	m.turn.looping, m.turn.looped, m.turn.taken = true, true, true
	m.turn.last = at
}

// loopEnded records that the model's loop ended, or one round of it.
func loopEnded(m *Mapper, e protocol.Event, at time.Time) {
	if e.Agent == "" {
		m.turn.looping, m.turn.last = false, at
	}
}

// notified maps news from the background: why the next turn begins by itself.
func notified(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[notification](e)
	if e.Agent != "" {
		return
	}
	var call session.CallID
	switch d.Kind.Type {
	case "shell_completed", "shell_detached_completed":
		call = m.shells.end(d.Kind.Shell, d.Kind.ExitCode, at)
	case "agent_idle", "agent_completed":
		if k := m.children.Find(session.ChildID(d.Kind.Agent)); k != nil {
			call = k.Started.Call
			endChild(m, k.Started.ID, outcomeOfStatus(d.Kind.Status), "", at) // a child that was resumed has no other end
		}
	}
	inform(m, call, newsOf(d))
}

// inform records why the runtime may begin the next turn by itself.
func inform(m *Mapper, call session.CallID, news string) {
	if m.rec.Turn == "" || m.stored { // otherwise the running turn gets the news
		m.cause.Add(call, news)
	}
}

func outcomeOfStatus(status string) session.TurnOutcome {
	switch status {
	case "failed":
		return session.TurnFailed
	case "cancelled":
		return session.TurnCancelled
	}
	return session.TurnCompleted
}

// newsOf returns a few words for what ended.
func newsOf(d notification) string {
	name := d.Kind.Description
	if name == "" {
		name = d.Kind.DisplayName
	}
	how := "ended"
	if d.Kind.Status == "failed" || d.Kind.ExitCode != nil && *d.Kind.ExitCode != 0 {
		how = "failed"
	}
	if name != "" {
		return session.Subject(name) + " " + how
	}
	text := d.Content
	for _, tag := range []string{"<system_notification>", "</system_notification>"} {
		text = strings.ReplaceAll(text, tag, "")
	}
	return session.Subject(firstLine(text))
}

// aborted records that the user interrupted the turn, and ends its calls: no results will come.
func aborted(m *Mapper, e protocol.Event, at time.Time) {
	if e.Agent != "" {
		m.calls.cancel(at, func(t *toolCall) bool { return t.Child == session.ChildID(e.Agent) })
		return
	}
	m.turn.stopped, m.turn.last = true, at
	m.calls.cancel(at, func(t *toolCall) bool { return t.Child == "" && !m.shells.has(t.ID) })
}

// idle ends the running turn, if the runtime has worked on its prompt. While something works in the background the runtime
// reports only that its main agent is idle.
func idle(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[sessionData](e)
	if e.Agent != "" || m.rec.Turn == "" || !m.turn.taken && !d.Aborted {
		return
	}
	m.turn.stopped = m.turn.stopped || d.Aborted
	if e.Type == "assistant.idle" && !m.behind() {
		return // session.idle follows at once
	}
	settleTurn(m, at)
}

// settleTurn ends the running turn as its events say.
func settleTurn(m *Mapper, at time.Time) {
	switch {
	case m.turn.stopped:
		closeTurn(m, session.TurnCancelled, nil, at)
	case m.turn.problem != nil:
		closeTurn(m, session.TurnFailed, m.turn.problem, at)
	case m.turn.refused:
		closeTurn(m, session.TurnRefused, declined(), at)
	default:
		closeTurn(m, session.TurnCompleted, nil, at)
	}
}

// closeTurn ends the running turn and what is open in it, except work in the background.
func closeTurn(m *Mapper, o session.TurnOutcome, p *session.Problem, at time.Time) {
	if m.rec.Turn == "" {
		return
	}
	if p == nil && m.turn.problem != nil {
		warn(m, at)
	}
	m.answers.end("", at)
	m.calls.cancel(at, func(t *toolCall) bool { return t.Child == "" && !m.shells.has(t.ID) })
	closeChildren(m, o, at)
	m.rec.Emit(session.TurnEnded{Head: m.rec.At(at), Outcome: o, Problem: p, Duration: at.Sub(m.turn.started)})
	m.rec.Turn, m.turn, m.cause = "", turn{}, record.Cause{}
}

// endBackground ends what works in the background.
func endBackground(m *Mapper, at time.Time) {
	m.shells.endAll(at)
	for _, k := range m.children.AtWork() {
		endChild(m, k.Started.ID, session.TurnCancelled, session.WhyWithAgent, at)
	}
	m.calls.cancel(at, func(*toolCall) bool { return true })
}
