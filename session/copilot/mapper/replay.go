package mapper

import (
	"slices"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
)

// Replay returns the session events of a stored session, oldest first. Unknown types of events make none.
func Replay(id session.ID, events []protocol.Event) []session.Event {
	return newStored(id).replay(events)
}

// newStored returns the mapper of a file.
func newStored(id session.ID) *Mapper {
	m := New(id, 0)
	m.stored = true
	return m
}

// replay maps events to the end of the file. What they leave open ended with the process that wrote them.
func (m *Mapper) replay(events []protocol.Event) []session.Event {
	var out []session.Event
	var last time.Time
	final := finalRounds(events)
	for i, e := range events {
		if !e.Timestamp.IsZero() {
			last = e.Timestamp
		}
		if m.turn.over && endsTurn[e.Type] {
			m.endStored()
		}
		out = append(out, m.Map(e, e.Timestamp)...)
		m.turn.over = m.turn.over || final[i]
	}
	m.endStored()
	endBackground(m, last)
	return append(out, m.rec.Take()...)
}

// endsTurn are the types of events that come after the idle event of a turn, which is not stored, if they come after its last
// round. Others, such as an error, still belong to the turn.
var endsTurn = setOf(`user.message assistant.turn_start system.notification subagent.started subagent.completed subagent.failed
	session.model_change session.mode_changed session.compaction_start session.compaction_complete session.resume
	session.shutdown session.info session.warning`)

// finalRounds returns which events end the last round of a turn's loop. Rounds are counted from 0 in each loop. A prompt that
// was steered in may begin another loop of the same turn.
func finalRounds(events []protocol.Event) map[int]bool {
	final := map[int]bool{}
	end := -1
	for i, e := range events {
		if e.Agent != "" {
			continue
		}
		switch e.Type {
		case "assistant.turn_end":
			end = i
		case "assistant.turn_start":
			if end >= 0 && decode[sessionData](e).TurnID == "0" {
				final[end] = true
			}
			end = -1
		case "user.message":
			if d := decode[userMessage](e); end >= 0 && isPrompt(d.Source) && !d.Continuation {
				if d.Delivery != "steering" {
					final[end] = true
				}
				end = -1
			}
		}
	}
	if end >= 0 {
		final[end] = true
	}
	return final
}

// endStored ends the running turn of a file, at the time of its newest event: idle events are not stored. A turn whose loop has
// not ended was cut short.
func (m *Mapper) endStored() {
	if !m.stored || m.rec.Turn == "" {
		return
	}
	if m.turn.problem == nil && (m.turn.looping || !m.turn.looped || m.callsOpen()) {
		m.turn.stopped = true
	}
	cause := m.cause
	settleTurn(m, m.turn.last)
	m.cause = cause
}

// callsOpen reports whether a call of the top level has no result.
func (m *Mapper) callsOpen() bool {
	return slices.ContainsFunc(m.calls.Open(), func(t *toolCall) bool { return t.Child == "" })
}
