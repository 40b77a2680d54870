package mapper

import (
	"fmt"
	"time"

	"parley/session"
	"parley/session/process/record"
)

// turn is the state of the running turn.
type turn struct {
	started     time.Time
	silent      bool   // nothing was answered yet
	failure     string // error word of the newest synthetic message
	failureText string // its text, until the result shows whether the turn failed with it
}

// Begin begins the turn of a prompt about to be delivered. It ends a turn that the runtime began by itself, because their
// lines can no longer be told apart.
func (m *Mapper) Begin(turn session.TurnID, p session.Prompt, o session.Origin, at time.Time) []session.Event {
	if m.rec.Turn != "" {
		m.rec.Emit(session.TurnEnded{Head: m.rec.At(at), Outcome: session.TurnCompleted, Duration: at.Sub(m.turn.started)})
	}
	m.open(session.TurnStarted{Prompt: p, Origin: o}, turn, at)
	return m.rec.Take()
}

// Cancel ends the running turn because the runtime will never work on its prompt.
func (m *Mapper) Cancel(at time.Time) []session.Event {
	if m.rec.Turn != "" {
		m.close(session.TurnEnded{Head: m.rec.At(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.turn.started)}, at)
	}
	return m.rec.Take()
}

// Exit reports the end of the process. It ends all calls and children, and the running turn as cancelled after an
// interrupt, otherwise as failed.
func (m *Mapper) Exit(interrupted bool, detail string, at time.Time) []session.Event {
	m.early.flush(at)
	m.endCalls(at, func(*toolCall) bool { return true })
	m.children.endAll(at)
	m.background.endAll(at)
	m.asks.withdrawAll(session.WhyAgentEnded, at, func(openAsk) bool { return true })
	cut := session.TurnID("")
	if m.rec.Turn != "" {
		ended := session.TurnEnded{Head: m.rec.At(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.turn.started)}
		if !interrupted {
			cut = m.rec.Turn
			ended.Outcome, ended.Problem = session.TurnFailed, record.Died("Claude Code", detail)
		}
		m.close(ended, at)
	}
	m.rec.Exit(cut, detail, at)
	return m.rec.Take()
}

// open begins a turn as e says.
func (m *Mapper) open(e session.TurnStarted, id session.TurnID, at time.Time) {
	m.background.flush(m.rec.Turns, at)
	m.turn, m.cause = turn{started: at, silent: true}, record.Cause{}
	m.rec.Begin(e, id, at)
}

// speak opens an autonomous turn if none runs: the runtime speaks without a prompt, as after a background task.
func (m *Mapper) speak(at time.Time) {
	if m.rec.Turn != "" {
		return
	}
	m.autonomous++
	m.open(m.cause.Turn(), session.TurnID(fmt.Sprintf("auto-%d-%d", m.rec.Head.Gen, m.autonomous)), at)
}

// close ends the running turn and what is open in it, except background work.
func (m *Mapper) close(e session.TurnEnded, at time.Time) {
	m.early.flush(at)
	m.answers.end(at)
	why := session.WhyTurnEnded
	if e.Outcome == session.TurnCancelled {
		why = session.WhyInterrupted
	}
	m.asks.withdrawAll(why, at, func(a openAsk) bool { return m.children.over(a.child) })
	turns := m.rec.Turns
	m.endCalls(at, func(t *toolCall) bool { return t.With.turns < turns && m.children.over(t.Child) })
	m.reportFailure(at)
	m.context.useNext(at)
	m.hooks.denied = nil
	m.rec.Emit(e)
	m.rec.Turn = ""
}

// reportFailure reports the text of a synthetic message that did not become the failure of a turn.
func (m *Mapper) reportFailure(at time.Time) {
	if m.turn.failureText != "" {
		m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: session.Warning, Text: m.turn.failureText})
		m.turn.failureText = ""
	}
}
