package sessions

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Sessions lists the stored sessions, those of a directory first. Loading reports that they are not known yet.
type Sessions struct {
	All     []session.Meta
	Dir     string                // of this session
	Home    string                // the user's, to shorten paths
	Now     session.ID            // the session that is shown
	At      time.Time             // the present time
	Open    map[session.ID]string // where those in use are, as their rows have it
	Leaves  bool                  // esc leaves the program
	Loading bool
	Partial bool // more is looked for on this machine
	// Wait means that services are asked for their sessions, Trouble why they did not answer, visible; "" for nothing.
	Wait, Trouble string
	// Look and Manager read the previews of rows.
	Look    *style.Look
	Manager core.Manager

	last  session.ID      // deleted last in this list, "" for none
	fresh map[string]bool // the rows of what was deleted in this list, at about the time that they have

	rows   []list.Row // once they are made
	search *search    // for what is typed; nil for nothing
}

// Made returns the list with its rows, which take a while for many sessions: call it outside of the event loop.
func (l Sessions) Made() Sessions {
	l.rows = l.Rows()
	return l
}

// Options returns the texts of the list.
func (l Sessions) Options() list.Options {
	o := list.Options{Title: "Resume", One: "session", Keys: "enter open · tab rename, tag, pin, archive, fork, delete, undo · esc back", None: "No sessions yet", Peeks: true, Filter: "type to filter: words, agent:, before:",
		Offers: offers, Clears: true,
		Heads: []string{"", "agent", "model", "branch", "turns", "age"}, Gives: []int{3, 4, 2, 1}} // the age matters most
	if l.Leaves {
		o.Keys = strings.Replace(o.Keys, "esc back", "esc leave", 1)
	}
	if l.Loading {
		o.Wait = "looking for sessions…"
		return o
	}
	agents := map[string]bool{}
	for _, s := range l.All {
		agents[s.Agent] = true
	}
	o.Right = human.Count(l.listed(), "session", "sessions")
	if len(agents) > 1 {
		o.Right += " · " + human.Count(len(agents), "agent", "agents")
	}
	if s := cmp.Or(l.Wait, l.Trouble); s != "" {
		o.Right += " · " + s
	}
	return o
}

// Rows returns the sessions of the directory, the pinned ones first and the others by day, then those of others by directory, the newest
// first. Copies stand below what they are copies of, where the newest of them is.
func (l Sessions) Rows() []list.Row {
	if l.rows != nil {
		return l.rows
	}
	var pinned, here []list.Row
	var elsewhere [][]list.Row // by directory
	dirs := map[string]int{}
	day, models := dayOf(l.At), map[string]string{}
	for i := range l.All {
		s := &l.All[i]
		dir := style.VisibleLine(style.Place(s.Dir, l.Home))
		model, known := models[s.Model]
		if !known {
			model = style.VisibleLine(style.ShortModel(s.Model))
			models[s.Model] = model
		}
		turns := ""
		if s.Turns > 0 {
			turns = human.Number(s.Turns)
		}
		r := list.Row{ID: keyOf(*s), Group: cmp.Or(dir, "elsewhere"), Also: dir, Mark: s.ID == l.Now && s.Deleted.IsZero(), Cells: []string{style.VisibleLine(s.Headline()),
			core.AgentAndState(*s), model, style.VisibleLine(s.Branch), turns, age(l.At, s.Updated)}}
		if s.ID != l.Now {
			r.Note = l.Open[s.ID]
		}
		switch {
		case r.Note != "":
		case s.Archived:
			r.Note = "archived"
		case s.Pinned && s.Dir != l.Dir: // where no heading says so
			r.Note = "pinned"
		}
		if !s.Deleted.IsZero() {
			r.Note = l.deletedAgo(*s)
		}
		for _, tag := range s.Tags {
			r.Cells[0] += " #" + style.VisibleLine(tag)
		}
		if s.Title != "" {
			r.Also = style.VisibleLine(s.First) + " " + dir
		}
		if s.Remote != nil {
			r.Also += " " + core.RemoteName(*s.Remote)
			if s.Dir == "" {
				r.Group = cmp.Or(style.VisibleLine(s.Remote.Repository), r.Group)
			}
		}
		if s.Pinned && s.Dir == l.Dir {
			r.Group += " · pinned"
			pinned = append(pinned, r)
			continue
		}
		if s.Dir == l.Dir {
			r.Group += " · " + day(s.Updated)
			here = append(here, r)
			continue
		}
		at, known := dirs[r.Group]
		if !known {
			at = len(elsewhere)
			dirs[r.Group], elsewhere = at, append(elsewhere, nil)
		}
		elsewhere[at] = append(elsewhere[at], r)
	}
	tree := parentsOf(l.All)
	here = tree.order(here)
	for i := range elsewhere {
		elsewhere[i] = tree.order(elsewhere[i])
	}
	rows := slices.Concat(append([][]list.Row{pinned, here}, elsewhere...)...)
	shorten(rows)
	return rows
}

// shorten takes the columns between the name and the turns that say the same in every row into the headings, so that names have their
// room. The filter finds them still.
func shorten(rows []list.Row) {
	const first, last = 1, 3
	if len(rows) < 2 {
		return
	}
	var same []string
	for c := first; c <= last; c++ {
		value := rows[0].Cells[c]
		if value == "" || slices.ContainsFunc(rows, func(r list.Row) bool { return r.Cells[c] != value }) {
			continue
		}
		same = append(same, value)
		for i := range rows {
			rows[i].Cells[c] = ""
		}
	}
	if len(same) == 0 {
		return
	}
	for i := range rows {
		rows[i].Group += " · " + strings.Join(same, ", ")
		rows[i].Also += " " + strings.Join(same, " ")
	}
}

// age returns how long ago a time was, "" for no time.
func age(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return human.Age(now.Sub(t))
}

// dayOf returns what tells when a time was, in the calendar of now: "today", "yesterday", "this week", "this month" or "older".
func dayOf(now time.Time) func(time.Time) string {
	y, m, d := now.Date()
	thisYear, thisWeek := now.ISOWeek()
	today, yesterday := time.Date(y, m, d, 0, 0, 0, 0, now.Location()), time.Date(y, m, d-1, 0, 0, 0, 0, now.Location())
	return func(t time.Time) string {
		t = t.In(now.Location())
		year, week := t.ISOWeek()
		switch {
		case !t.Before(today):
			return "today"
		case !t.Before(yesterday):
			return "yesterday"
		case year == thisYear && week == thisWeek:
			return "this week"
		case t.Year() == y && t.Month() == m:
			return "this month"
		}
		return "older"
	}
}

// keyOf returns the id of the row of a session: that of the session, and of one in the bin also when it was deleted.
func keyOf(s session.Meta) string {
	key := string(s.ID)
	if !s.Deleted.IsZero() {
		key += "\x00" + strconv.FormatInt(s.Deleted.UnixNano(), 36)
	}
	return key
}

// More reports whether more is looked for, here or at services.
func (l Sessions) More() bool { return l.Partial || l.Wait != "" }

// Choose opens a session, one in the bin once it is back.
func (l Sessions) Choose(id string) panel.Effect {
	s, known := l.find(id)
	switch {
	case !known:
		return panel.Resume{ID: session.ID(id)}
	case !s.Deleted.IsZero():
		return l.restore(s, panel.Resume{ID: s.ID})
	}
	return panel.Resume{ID: s.ID}
}

// Leave leaves the program if the list is what it was started for.
func (l Sessions) Leave() panel.Effect {
	if l.Leaves {
		return panel.Leave{}
	}
	return nil
}
