package sessions

import (
	"context"
	"maps"
	"slices"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// restoredMsg reports that a session is back from the bin. emptiedMsg reports that it is gone from there for good.
type (
	restoredMsg struct{ session session.Meta } // as the list had it
	emptiedMsg  struct{ key string }           // of its row
)

// inBin returns the sessions of the bin, with a problem for what cannot be read.
func inBin(ctx context.Context, m core.Manager) ([]session.Meta, []error) {
	all, err := m.Deleted(ctx)
	if err != nil {
		return all, []error{err}
	}
	return all, nil
}

// hides reports whether a session is not among those of the list as long as it is not looked for.
func hides(m session.Meta) bool { return m.Archived || !m.Deleted.IsZero() }

// listed returns how many sessions the list has without those in the bin.
func (l Sessions) listed() (n int) {
	for i := range l.All {
		if l.All[i].Deleted.IsZero() {
			n++
		}
	}
	return n
}

// undo brings the session of a row back if it is in the bin, else the one that was deleted in this list last.
func (l Sessions) undo(row string) panel.Effect {
	s, known := l.find(row)
	if !known || s.Deleted.IsZero() {
		if l.last == "" {
			return panel.Notice{Text: "Nothing was deleted in this list. is:deleted shows the bin"}
		}
		s = session.Meta{ID: l.last}
	}
	return l.restore(s, panel.Notice{Text: "It is back"})
}

// restore brings a session back from the bin, and then has another effect.
func (l Sessions) restore(s session.Meta, then panel.Effect) panel.Effect {
	m, at := l.Manager, s.Deleted
	if l.fresh[keyOf(s)] {
		at = time.Time{} // the bin has another time, the newest
	}
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		if err := m.RestoreFrom(ctx, s.ID, at); err != nil {
			return failure("Not restored. ", err)
		}
		return panel.All{panel.Tell{Msg: restoredMsg{s}}, then}
	}}
}

// deletedAgo says when a session was deleted.
func (l Sessions) deletedAgo(m session.Meta) string {
	return "deleted " + human.Ago(l.At.Sub(m.Deleted))
}

// onDeleted carries out an act on a session in the bin: it can be brought back, or deleted for good.
func (l Sessions) onDeleted(s session.Meta, key string) panel.Effect {
	if key == keyDelete {
		return panel.Push{Panel: list.Open(l.Look, emptying{s, l}, "")}
	}
	return panel.Notice{Text: "It is in the bin. alt+u brings it back"}
}

// emptying asks whether to delete a session in the bin for good.
type emptying struct {
	session session.Meta
	list    Sessions
}

// Options returns the texts of the list.
func (e emptying) Options() list.Options {
	return list.Options{Title: "Delete this session for good?", Keys: "enter choose · esc back", Sure: true,
		Text: "“" + style.VisibleLine(e.session.Headline()) + "”, " + e.list.deletedAgo(e.session) + ". The bin has the only copy, so it can't be brought back then. To keep it, bring it back with alt+u and export it with ctrl+s."}
}

// Rows returns no and yes.
func (e emptying) Rows() []list.Row {
	return []list.Row{{ID: "no", Cells: []string{"no, leave it in the bin"}}, {ID: "yes", Cells: []string{"yes, delete it for good"}}}
}

// Choose deletes the session for yes.
func (e emptying) Choose(answer string) panel.Effect {
	if answer != "yes" {
		return nil
	}
	m, s, l := e.list.Manager, e.session, e.list
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		key := keyOf(s)
		if l.fresh[key] { // the bin has another time: that of the newest one that the list lacks
			all, _ := m.Deleted(ctx) // what cannot be read is not deleted
			for _, b := range slices.Backward(all) {
				if _, other := l.find(keyOf(b)); b.ID == s.ID && !other {
					key = keyOf(b)
				}
			}
		}
		which := func(m session.Meta) bool { return keyOf(m) == key }
		if _, err := m.Empty(ctx, which); err != nil {
			return failure("Not deleted. ", err)
		}
		return panel.All{panel.Tell{Msg: emptiedMsg{keyOf(s)}}, panel.Notice{Text: "Deleted for good"}}
	}}
}

// binned returns the list after a session went into the bin.
func (l Sessions) binned(id session.ID) Sessions {
	if l.last, l.fresh = id, maps.Clone(l.fresh); l.fresh == nil {
		l.fresh = map[string]bool{}
	}
	return l.change(func(all []session.Meta) []session.Meta {
		for i := range all {
			if all[i].ID == id && all[i].Deleted.IsZero() && !session.Foreign(all[i].Agent) {
				all[i].Deleted = l.now()
				l.fresh[keyOf(all[i])] = true
			}
		}
		return all
	})
}

// restored returns the list after a session came back: that of its row, or the one with its id that was deleted last.
func (l Sessions) restored(s session.Meta) Sessions {
	if l.last == s.ID {
		l.last = ""
	}
	return l.change(func(all []session.Meta) []session.Meta {
		back := -1
		for i := range all {
			if all[i].ID != s.ID {
				continue
			}
			if keyOf(all[i]) == keyOf(s) && !s.Deleted.IsZero() {
				back = i
				break
			}
			if back < 0 || all[i].Deleted.After(all[back].Deleted) {
				back = i
			}
		}
		if back >= 0 {
			all[back].Deleted = time.Time{}
		}
		return all
	})
}

// emptied returns the list after a session in the bin is gone.
func (l Sessions) emptied(key string) Sessions {
	return l.change(func(all []session.Meta) []session.Meta {
		return slices.DeleteFunc(all, func(s session.Meta) bool { return keyOf(s) == key })
	})
}

// now returns the present time, that of the list without a clock.
func (l Sessions) now() time.Time {
	if l.Look != nil && l.Look.Now != nil {
		return l.Look.Now()
	}
	return l.At
}
