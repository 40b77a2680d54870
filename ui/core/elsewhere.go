package core

import (
	"context"

	"parley/session"
	"parley/session/live"
)

// GoOn returns what continues a session that is open in another window, as t shows it: the session itself if that window has closed it,
// else a copy of all turns that are over. The note says which, "" for the session itself. The function waits for disks.
func GoOn(m Manager, s *live.Session, t *session.Transcript) func(ctx context.Context) (next *live.Session, note string, err error) {
	var upTo session.TurnID
	points, cut := ForkPoints(t), false
	for _, p := range points {
		if p.Answered && !p.Turn.Running() && p.Turn.Outcome != session.TurnElsewhere {
			upTo = p.Turn.ID
			break
		}
		cut = true
	}
	id, draft := s.ID(), NextDraft(s, "", "")
	return func(ctx context.Context) (next *live.Session, note string, err error) {
		elsewhere, err := s.Rejoin(ctx)
		switch {
		case err != nil:
			return nil, "", err
		case !elsewhere:
			return s, "", nil
		case upTo == "":
			next, err = m.Draft(draft)
			return next, "Started a new session: there was nothing to copy yet", err
		case cut:
			note = "Continued in a copy, without what runs in the other window"
		default:
			note = "Continued in a copy"
		}
		next, err = m.Fork(ctx, id, upTo)
		return next, note, err
	}
}
