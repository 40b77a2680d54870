package lists

import (
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/picker"
	"parley/ui/style"
)

// Sessions lists the stored sessions, those of a directory first. Loading reports that they are not known yet.
type Sessions struct {
	All     []session.Meta
	Dir     string     // of this session
	Home    string     // the user's, to shorten paths
	Now     session.ID // the session that is shown
	At      time.Time  // the present time
	Forks   bool       // a copy of a session can be opened
	Loading bool
}

// Options returns the texts of the list.
func (l Sessions) Options() picker.Options {
	o := picker.Options{Title: "Resume", Keys: "enter opens · esc goes back", None: "no session has been stored yet", Peeks: true,
		Gives: []int{3, 4, 2, 1}} // the age matters most
	if l.Forks {
		o.Keys, o.Forks = "enter opens · ctrl+f opens a copy · esc goes back", true
	}
	if l.Loading {
		o.Wait = "looking for sessions…"
		return o
	}
	agents := map[string]bool{}
	for _, s := range l.All {
		agents[s.Agent] = true
	}
	o.Right = human.Count(len(l.All), "session", "sessions")
	if len(agents) > 1 {
		o.Right += " · " + human.Count(len(agents), "agent", "agents")
	}
	return o
}

// Rows returns the sessions of the directory, then the others.
func (l Sessions) Rows() []picker.Row {
	var here, elsewhere []picker.Row
	for _, s := range l.All {
		turns := ""
		if s.Turns > 0 {
			turns = human.Count(s.Turns, "turn", "turns")
		}
		r := picker.Row{ID: string(s.ID), Group: "elsewhere", Mark: s.ID == l.Now, Cells: []string{visible(s.Headline()), visible(s.Agent),
			visible(style.ShortModel(s.Model)), visible(s.Branch), turns, human.Age(l.At.Sub(s.Updated))}}
		if s.Title != "" {
			r.Also = visible(s.First)
		}
		if s.Dir != l.Dir {
			elsewhere = append(elsewhere, r)
			continue
		}
		r.Group = visible(style.ShortPath(l.Dir, l.Home))
		here = append(here, r)
	}
	return append(here, elsewhere...)
}

// Choose opens a session.
func (l Sessions) Choose(id string) Action { return Resume{session.ID(id)} }
