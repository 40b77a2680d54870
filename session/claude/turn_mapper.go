package claude

import (
	"time"

	"parley/session"
)

// cancel ends the running turn because the runtime will never work on its prompt.
func (m *Mapper) cancel(at time.Time) []session.Event {
	if m.turn != "" {
		m.close(session.TurnEnded{Head: m.at(at), Outcome: session.TurnCancelled, Duration: at.Sub(m.started)}, at)
	}
	return m.take()
}

// elicit puts a request for input before the user.
func (m *Mapper) elicit(id session.AskID, ask *session.ElicitationAsk, at time.Time) []session.Event {
	m.asks[id] = true
	m.askFor[id] = &openAsk{head: m.at(at)}
	m.emit(session.Asked{Head: m.at(at), Ask: id, Kind: session.AskElicitation, Elicitation: ask})
	return m.take()
}

// dropAsk forgets an ask that nobody was shown.
func (m *Mapper) dropAsk(id session.AskID) []session.Event {
	delete(m.asks, id)
	delete(m.askFor, id)
	return nil
}
