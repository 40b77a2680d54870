package live

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/sources"
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
	id := fmt.Sprintf("%q", e.ID)
	if most := 100; len(e.ID) > most {
		id = fmt.Sprintf("%.*q…", most, e.ID)
	}
	if len(e.Fits) == 0 {
		return "no session matches " + id
	}
	return fmt.Sprintf("%s fits %d sessions", id, len(e.Fits))
}

// Ref returns what names a session among all others, also in the bin: its id, there with the time when it was deleted.
func Ref(m session.Meta) string {
	if m.Deleted.IsZero() {
		return string(m.ID)
	}
	return string(m.ID) + "@" + m.Deleted.Format(time.RFC3339Nano)
}

// Match returns the session with a [Ref], or the only one whose Ref begins with a text: a whole id goes before others that begin with it, and
// an id or its beginning is none of a marked session. Errors are of kind [session.KindInvalid] for an empty or ambiguous text, and of kind [session.KindNotFound]; but
// for an empty one they hold a [*MatchError].
func Match(list []session.Meta, id string) (session.Meta, error) {
	if strings.TrimSpace(id) == "" {
		return session.Meta{}, &session.Error{Op: opFind, Kind: session.KindInvalid, Err: errors.New("the session id is empty")}
	}
	failed := &MatchError{ID: id}
	for _, m := range list {
		ref := Ref(m)
		if ref == id {
			return m, nil
		}
		if strings.HasPrefix(ref, id) {
			failed.Fits = append(failed.Fits, m)
		}
	}
	all := slices.Clone(failed.Fits)
	has := func(id session.ID) bool {
		return slices.ContainsFunc(all, func(m session.Meta) bool { return m.ID == id })
	}
	failed.Fits = slices.DeleteFunc(failed.Fits, func(m session.Meta) bool {
		raw := sources.Raw(m.ID)
		return m.ID != raw && len(id) <= len(raw) && has(raw) || string(m.ID) != id && has(session.ID(id)) // which is in the bin
	})
	switch len(failed.Fits) {
	case 1:
		return failed.Fits[0], nil
	case 0:
		return session.Meta{}, &session.Error{Op: opFind, Kind: session.KindNotFound, Err: failed}
	default:
		return session.Meta{}, &session.Error{Op: opFind, Kind: session.KindInvalid, Err: failed}
	}
}

// Newest returns the most recently updated session of a directory that can be continued here; list is in that order, as [Manager.List]
// returns it.
func Newest(list []session.Meta, dir string) (session.ID, bool) {
	for _, m := range list {
		if m.Dir == dir && !session.Foreign(m.Agent) && !sources.Marked(m.ID) {
			return m.ID, true
		}
	}
	return "", false
}
