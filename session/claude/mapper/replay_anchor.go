package mapper

import (
	"errors"
	"fmt"

	"parley/session"
	"parley/session/claude/transcript"
)

// AnswerWithin returns the UUID of the last line of an answer within a turn, of the last turn for an empty one. Errors are
// of kind [session.KindNotFound] without such a turn, and of kind [session.KindInvalid] without an answer in it.
func AnswerWithin(id session.ID, entries []transcript.Entry, upTo session.TurnID) (string, error) {
	const op = "fork session"
	r := newReplayer(id, nil)
	r.look(entries)
	anchor, found, turn := "", upTo == "", session.TurnID("")
	open := false
	for i := range entries {
		e := &entries[i]
		r.guarded(e)
		r.m.rec.Take()
		if r.m.rec.Turn != "" && r.m.rec.Turn != turn {
			turn = r.m.rec.Turn
			if found && upTo != "" {
				break // the turn after the wanted one
			}
			found = found || turn == upTo
			open = found
			if upTo == "" {
				open = true
			}
		}
		if open && e.Type == "assistant" && e.MessageID != "" && e.Model != synthetic {
			anchor = e.UUID
		}
	}
	switch {
	case !found:
		return "", &session.Error{Op: op, Kind: session.KindNotFound, Err: fmt.Errorf("session %s has no turn %s", id, upTo)}
	case anchor == "":
		return "", &session.Error{Op: op, Kind: session.KindInvalid,
			Err: errors.New("the turn has no answer to go on from; fork at an earlier turn")}
	}
	return anchor, nil
}
