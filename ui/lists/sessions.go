package lists

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/chat"
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
	// Wait says that services are asked for their sessions, Trouble why they did not answer, visible; "" for nothing.
	Wait, Trouble string
}

// Options returns the texts of the list.
func (l Sessions) Options() picker.Options {
	o := picker.Options{Title: "Resume", Keys: "enter opens · esc goes back", None: "no sessions yet", Peeks: true,
		Heads: []string{"", "agent", "model", "branch", "turns", "changed"}, Gives: []int{3, 4, 2, 1}} // the age matters most
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
	if s := cmp.Or(l.Wait, l.Trouble); s != "" {
		o.Right += " · " + s
	}
	return o
}

// Rows returns the sessions of the directory by day, then those of others by directory, the newest first.
func (l Sessions) Rows() []picker.Row {
	var here, elsewhere []picker.Row
	var dirs []string
	for _, s := range l.All {
		dir := visible(style.ShortPath(s.Dir, l.Home))
		turns := ""
		if s.Turns > 0 {
			turns = human.Number(s.Turns)
		}
		r := picker.Row{ID: string(s.ID), Group: cmp.Or(dir, "elsewhere"), Also: dir, Mark: s.ID == l.Now, Cells: []string{visible(s.Headline()),
			chat.AgentAndState(s), visible(style.ShortModel(s.Model)), visible(s.Branch), turns, human.Age(l.At.Sub(s.Updated))}}
		if s.Title != "" {
			r.Also = visible(s.First) + " " + dir
		}
		if s.Remote != nil {
			r.Also += " " + chat.RemoteName(*s.Remote)
			if s.Dir == "" {
				r.Group = cmp.Or(visible(s.Remote.Repository), r.Group)
			}
		}
		if s.Dir == l.Dir {
			r.Group += " · " + day(s.Updated, l.At)
			here = append(here, r)
			continue
		}
		if !slices.Contains(dirs, r.Group) {
			dirs = append(dirs, r.Group)
		}
		elsewhere = append(elsewhere, r)
	}
	slices.SortStableFunc(elsewhere, func(a, b picker.Row) int { return slices.Index(dirs, a.Group) - slices.Index(dirs, b.Group) })
	return append(here, elsewhere...)
}

// day returns when t was, in the calendar of now: "today", "yesterday", "this week", "this month" or "older".
func day(t, now time.Time) string {
	t = t.In(now.Location())
	y, m, d := now.Date()
	year, week := t.ISOWeek()
	thisYear, thisWeek := now.ISOWeek()
	switch {
	case !t.Before(time.Date(y, m, d, 0, 0, 0, 0, now.Location())):
		return "today"
	case !t.Before(time.Date(y, m, d-1, 0, 0, 0, 0, now.Location())):
		return "yesterday"
	case year == thisYear && week == thisWeek:
		return "this week"
	case t.Year() == y && t.Month() == m:
		return "this month"
	}
	return "older"
}

// Choose opens a session.
func (l Sessions) Choose(id string) Action { return Resume{session.ID(id)} }
