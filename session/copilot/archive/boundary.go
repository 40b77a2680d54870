package archive

import (
	"context"
	"fmt"

	"parley/session"
	"parley/session/copilot/mapper"
)

// After returns the id of the stored event with which the next turn begins after a turn, empty if it is the last. The runtime
// copies and cuts sessions before an event. An unknown turn is an error of kind [session.KindNotFound], one without an answer
// of kind [session.KindInvalid].
func (a *Archive) After(ctx context.Context, id session.ID, turn session.TurnID) (string, error) {
	if _, err := a.Replay(ctx, id); err != nil {
		return "", err
	}
	a.replaying.Lock()
	defer a.replaying.Unlock()
	for _, r := range a.recent {
		if r.id != id {
			continue
		}
		event, found, answered := mapper.After(id, r.stored, turn)
		switch {
		case !found:
			return "", &session.Error{Op: "find turn", Kind: session.KindNotFound, Err: fmt.Errorf("the session has no turn %s", turn)}
		case !answered:
			return "", &session.Error{Op: "find turn", Kind: session.KindInvalid, Err: fmt.Errorf("the turn has no answer yet")}
		}
		return event, nil
	}
	return "", notFound(id)
}
