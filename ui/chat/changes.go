package chat

import (
	"parley/session"
	"parley/ui/changes"
	"parley/ui/changes/listing"
	"parley/ui/panel"
)

// unaccepted is the number of files with changes that the user has not accepted: the last of what the session reported, which
// was reported, and what a panel has read.
type unaccepted struct {
	count, reported int
	of              session.ID
}

// count returns the number of files with changes that the user has not accepted.
func (v *view) unaccepted() int {
	u := &v.open
	if id, n := v.current.meta().ID, v.conv.Transcript().Unaccepted; id != u.of || n != u.reported {
		u.of, u.reported, u.count = id, n, n
	}
	return u.count
}

// hasChanges reports whether there is a record of changes.
func (m *Model) hasChanges() bool { return m.opts.Changes != nil && m.current.session != nil }

// openChanges opens the panel of what agents did to files, at the first file that a call changed or at the newest turn.
func (m *Model) openChanges(at session.CallID) panel.Effect {
	o := changes.Options{Look: m.look, Keys: m.keys, At: at}
	if m.hasChanges() {
		t := m.conv.Transcript()
		o.Log = m.opts.Changes(m.current.meta().ID)
		o.Names = listing.Names{Dir: m.current.dir(), Home: m.look.Home, Child: m.current.childName,
			Turn: func(id session.TurnID) (int, string) { return listing.TurnNumber(t, id) }}
	}
	return changes.Run(o)
}
