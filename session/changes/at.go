package changes

import (
	"context"
	"fmt"

	"parley/session"
	"parley/session/changes/snapshot"
)

// At returns the states of all files ever changed in the session as they were at the end of a turn, or for an empty turn
// before the first one, by path. What the user changed meanwhile counts from the next change of an agent on, what a step of
// the user changed at once. A turn that changed nothing is an error of kind [session.KindNotFound]: ask for one before it.
func (l *Log) At(ctx context.Context, turn session.TurnID) (map[string]snapshot.State, error) {
	l.readPast(ctx)
	release, err := l.fresh(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	states, ok := l.ledger.at(turn)
	if !ok {
		return nil, problem("read files at a turn", session.KindNotFound, fmt.Errorf("turn %s changed no file", turn))
	}
	return states, nil
}

func (g *ledger) at(turn session.TurnID) (map[string]snapshot.State, bool) {
	until := 0
	if turn != "" {
		for _, t := range g.tracks {
			for _, e := range t.events {
				if e.change != 0 && g.change(e.change).Turn == turn {
					until = max(until, e.position)
				}
			}
		}
		if until == 0 {
			return nil, false
		}
	}
	states := map[string]snapshot.State{}
	for path, t := range g.tracks {
		for i, e := range t.events {
			if i == 0 {
				states[path] = e.from
			}
			if e.position <= until {
				states[path] = e.to
			}
		}
	}
	return states, true
}
