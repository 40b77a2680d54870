package live

import (
	"errors"
	"fmt"
	"strings"

	"parley/session"
)

// opFind names the search for a session in errors.
const opFind = "find the session"

// Match returns the session with an id, or the only one whose id begins with it. Errors are of kind [session.KindInvalid] for
// an empty or ambiguous id, and of kind [session.KindNotFound].
func Match(list []session.Meta, id string) (session.ID, error) {
	if strings.TrimSpace(id) == "" {
		return "", &session.Error{Op: opFind, Kind: session.KindInvalid, Err: errors.New("the session id is empty; see parley sessions list")}
	}
	var found []session.ID
	for _, m := range list {
		if string(m.ID) == id {
			return m.ID, nil
		}
		if strings.HasPrefix(string(m.ID), id) {
			found = append(found, m.ID)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", &session.Error{Op: opFind, Kind: session.KindNotFound, Err: fmt.Errorf("no session matches %q; see parley sessions list", id)}
	default:
		return "", &session.Error{Op: opFind, Kind: session.KindInvalid, Err: fmt.Errorf("%q fits %d sessions; give more of the id", id, len(found))}
	}
}

// Newest returns the most recently updated session of a directory; list is in that order, as [Manager.List] returns it.
func Newest(list []session.Meta, dir string) (session.ID, bool) {
	for _, m := range list {
		if m.Dir == dir {
			return m.ID, true
		}
	}
	return "", false
}
