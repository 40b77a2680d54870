package live

import (
	"errors"
	"fmt"
	"strings"

	"parley/session"
)

// opFind names the search for a session in errors.
const opFind = "find the session"

// MatchError reports an id that fits no session, or several.
type MatchError struct {
	ID   string
	Fits []session.Meta // in the order of the list
}

// Error returns the id and how many sessions it fits.
func (e *MatchError) Error() string {
	if len(e.Fits) == 0 {
		return fmt.Sprintf("no session matches %q", e.ID)
	}
	return fmt.Sprintf("%q fits %d sessions", e.ID, len(e.Fits))
}

// Match returns the session with an id, or the only one whose id begins with it. Errors are of kind [session.KindInvalid] for
// an empty or ambiguous id, and of kind [session.KindNotFound]; but for an empty id they hold a [*MatchError].
func Match(list []session.Meta, id string) (session.ID, error) {
	if strings.TrimSpace(id) == "" {
		return "", &session.Error{Op: opFind, Kind: session.KindInvalid, Err: errors.New("the session id is empty")}
	}
	failed := &MatchError{ID: id}
	for _, m := range list {
		if string(m.ID) == id {
			return m.ID, nil
		}
		if strings.HasPrefix(string(m.ID), id) {
			failed.Fits = append(failed.Fits, m)
		}
	}
	switch len(failed.Fits) {
	case 1:
		return failed.Fits[0].ID, nil
	case 0:
		return "", &session.Error{Op: opFind, Kind: session.KindNotFound, Err: failed}
	default:
		return "", &session.Error{Op: opFind, Kind: session.KindInvalid, Err: failed}
	}
}

// Newest returns the most recently updated session of a directory that can be continued here; list is in that order, as [Manager.List]
// returns it.
func Newest(list []session.Meta, dir string) (session.ID, bool) {
	for _, m := range list {
		if m.Dir == dir && !session.Foreign(m.Agent) {
			return m.ID, true
		}
	}
	return "", false
}
