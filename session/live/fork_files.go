package live

import (
	"context"

	"parley/session"
)

// callsUntil returns the tool calls of the turns up to and including one, of all turns for an empty one.
func callsUntil(events []session.Event, upTo session.TurnID) map[session.CallID]bool {
	calls, turns := map[session.CallID]bool{}, map[session.TurnID]bool{}
	for _, turn := range session.Fold(events).Turns {
		turns[turn.ID] = true
		if upTo != "" && turn.ID == upTo {
			break
		}
	}
	for _, e := range events {
		if s, ok := e.(session.ToolStarted); ok && turns[s.Turn] {
			calls[s.Call] = true
		}
	}
	return calls
}

// changesOf returns what these calls changed in files, and how those in the background ended, for the journal of a copy. The
// agent's transcript may lack both.
func changesOf(events []session.Event, calls map[session.CallID]bool) []session.Event {
	var out []session.Event
	behind := map[session.CallID]bool{}
	for _, e := range events {
		switch e := e.(type) {
		case session.FilesChanged:
			if calls[e.Call] {
				e.Gen = 0
				out = append(out, e)
			}
		case session.ToolEnded:
			if behind[e.Call] {
				e.Gen = 0
				out = append(out, e)
			}
			behind[e.Call] = calls[e.Call] && e.Result.Background
		}
	}
	return out
}

// copyFiles gives a copy the changes of these calls.
func (m *Manager) copyFiles(ctx context.Context, from, to session.ID, calls map[session.CallID]bool) error {
	if m.d.Files == nil || len(calls) == 0 {
		return nil
	}
	return m.d.Files.Copy(ctx, from, to, func(call session.CallID) bool { return calls[call] })
}
