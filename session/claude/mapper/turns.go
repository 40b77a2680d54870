package mapper

import (
	"time"

	"parley/session"
)

// Turn returns the running turn, empty between turns.
func (m *Mapper) Turn() session.TurnID { return m.turn }

// Session returns the id under which the runtime has the session.
func (m *Mapper) Session() session.ID { return m.head.Session }

// Head returns the head of an event of the top level.
func (m *Mapper) Head(at time.Time) session.Head { return m.at(at) }

// SetOutput gives what the background command wrote whose end the next line reports, "" for none.
func (m *Mapper) SetOutput(output string) { m.output = output }

// BlockPrompt records that a hook has blocked the prompt of the running turn.
func (m *Mapper) BlockPrompt() { m.hooks.blocked = true }

// Cancel ends the running turn because the runtime will never work on its prompt.
func (m *Mapper) Cancel(at time.Time) []session.Event {
	if m.turn != "" {
		m.close(session.TurnEnded{Head: m.at(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.started)}, at)
	}
	return m.take()
}

// Elicit opens an ask for a request for input.
func (m *Mapper) Elicit(id session.AskID, ask *session.ElicitationAsk, at time.Time) []session.Event {
	m.asks[id] = true
	m.askFor[id] = &openAsk{head: m.at(at)}
	m.emit(session.Asked{Head: m.at(at), Ask: id, Kind: session.AskElicitation, Elicitation: ask})
	return m.take()
}

// DropAsk forgets an ask that was not shown.
func (m *Mapper) DropAsk(id session.AskID) []session.Event {
	delete(m.asks, id)
	delete(m.askFor, id)
	return nil
}
