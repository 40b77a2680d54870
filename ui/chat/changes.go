package chat

import "parley/session"

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
