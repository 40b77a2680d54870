package mapper

import (
	"fmt"
	"strings"
	"time"

	"parley/session"
)

// turn is the state of the running turn.
type turn struct {
	started     time.Time
	silent      bool   // nothing was answered yet
	failure     string // error word of the newest synthetic message
	failureText string // its text, until the result shows whether the turn failed with it
	cause       string // why the runtime may begin the next turn by itself
	causeCall   session.CallID
}

// Begin begins the turn of a prompt about to be delivered. It ends a turn that the runtime began by itself, because their
// lines can no longer be told apart.
func (m *Mapper) Begin(turn session.TurnID, p session.Prompt, o session.Origin, at time.Time) []session.Event {
	if m.rec.turn != "" {
		m.rec.emit(session.TurnEnded{Head: m.rec.at(at), Outcome: session.TurnCompleted, Duration: at.Sub(m.turn.started)})
	}
	m.open(session.TurnStarted{Prompt: p, Origin: o}, turn, at)
	return m.rec.take()
}

// Cancel ends the running turn because the runtime will never work on its prompt.
func (m *Mapper) Cancel(at time.Time) []session.Event {
	if m.rec.turn != "" {
		m.close(session.TurnEnded{Head: m.rec.at(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.turn.started)}, at)
	}
	return m.rec.take()
}

// Exit reports the end of the process. It ends all calls and children, and the running turn as cancelled after an
// interrupt, otherwise as failed.
func (m *Mapper) Exit(interrupted bool, detail string, at time.Time) []session.Event {
	m.early.flush(at)
	m.endCalls(at, func(*toolCall) bool { return true })
	m.children.endAll(at)
	m.background.endAll(at)
	m.asks.withdrawAll(session.WhyAgentEnded, at, func(openAsk) bool { return true })
	failed := session.TurnID("")
	if m.rec.turn != "" {
		ended := session.TurnEnded{Head: m.rec.at(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.turn.started)}
		if !interrupted {
			failed = m.rec.turn
			how, _, _ := strings.Cut(detail, "\n")
			ended.Outcome = session.TurnFailed
			ended.Problem = &session.Problem{Kind: session.KindRuntime,
				What: strings.TrimSuffix("The Claude Code runtime ended in the middle of the turn: "+strings.TrimSuffix(how, "."), ": ") + ".",
				Next: "Send the prompt again; the runtime is started again with it.", Retry: true}
		}
		m.close(ended, at)
	}
	exited := session.RuntimeChanged{Head: m.rec.at(at), State: session.RuntimeExited, Detail: detail}
	exited.Turn = failed // the turn whose problem names the same end
	m.rec.emit(exited)
	return m.rec.take()
}

// open begins a turn as e says.
func (m *Mapper) open(e session.TurnStarted, id session.TurnID, at time.Time) {
	m.background.flush(m.rec.turns, at)
	m.rec.turn, m.turn = id, turn{started: at, silent: true}
	m.rec.turns++
	e.Head = m.rec.at(at)
	m.rec.emit(e)
}

// speak opens an autonomous turn if none runs: the runtime speaks without a prompt, as after a background task.
func (m *Mapper) speak(at time.Time) {
	if m.rec.turn != "" {
		return
	}
	m.autonomous++
	m.open(session.TurnStarted{Origin: session.OriginAutonomous, Because: m.turn.cause, Call: m.turn.causeCall},
		session.TurnID(fmt.Sprintf("auto-%d-%d", m.rec.head.Gen, m.autonomous)), at)
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
	turns := m.rec.turns
	m.endCalls(at, func(t *toolCall) bool { return t.turns < turns && m.children.over(t.child) })
	m.reportFailure(at)
	m.context.useNext(at)
	m.hooks.denied = nil
	m.rec.emit(e)
	m.rec.turn = ""
}

// reportFailure reports the text of a synthetic message that did not become the failure of a turn.
func (m *Mapper) reportFailure(at time.Time) {
	if m.turn.failureText != "" {
		m.rec.emit(session.Notice{Head: m.rec.at(at), Severity: session.Warning, Text: m.turn.failureText})
		m.turn.failureText = ""
	}
}
