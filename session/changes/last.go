package changes

import (
	"context"
	"slices"
)

// LastUndone returns the changes of the newest step that [Log.PlanRedo] can bring back, none if there is no such step.
func (l *Log) LastUndone(ctx context.Context) ([]ChangeID, error) {
	release, err := l.fresh(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return l.ledger.lastUndone(), nil
}

func (g *ledger) lastUndone() []ChangeID {
	var ids []ChangeID
	last := 0
	for _, t := range g.tracks {
		if len(t.redoable) == 0 {
			continue
		}
		r := t.redoable[len(t.redoable)-1]
		if r.step > last {
			ids, last = nil, r.step
		}
		if r.step == last {
			ids = append(append(ids, r.file.Back...), r.file.Again...)
		}
	}
	slices.Sort(ids)
	return ids
}
