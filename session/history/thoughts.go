package history

import (
	"time"

	"parley/session"
)

// thoughts returns how long the reasoning took that a transcript has without its time, from the same text in the same turn of the
// journal.
func thoughts(truth, journal *session.Transcript) map[session.PartID]time.Duration {
	type thought struct {
		turn session.TurnID
		text string
	}
	took := map[thought]time.Duration{}
	for _, turn := range journal.Turns {
		for _, p := range parts(turn) {
			if p.Kind == session.PartReasoning && p.Duration > 0 {
				took[thought{turn.ID, p.Text()}] = p.Duration
			}
		}
	}
	out := map[session.PartID]time.Duration{}
	for _, turn := range truth.Turns {
		for _, p := range parts(turn) {
			if d := took[thought{turn.ID, p.Text()}]; p.Kind == session.PartReasoning && p.Duration == 0 && d > 0 {
				out[p.ID] = d
			}
		}
	}
	return out
}
