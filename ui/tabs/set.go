package tabs

import (
	"slices"
	"strconv"

	"parley/internal/human"
	"parley/session"
	"parley/session/live"
	"parley/ui/attention"
	"parley/ui/core"
	"parley/ui/style"
)

// Set is the tabs of a window. The event loop owns it.
type Set struct {
	look  *style.Look
	all   []*Tab
	shown int // the number of the session that is shown, 0 while there are no others
	said  News

	keeper  *core.DraftKeeper
	key     string
	left    []session.ID // that another window had open, and that are offered
	loads   bool         // what is stored is being read, or what was offered loaded
	changes int          // of all
	at      state        // when stored was looked at last
	stored  string
	prompt  bool // what is stored is on the disk at once
}

// News is what a tab did last that its user should know.
type News struct {
	Number int // grows with each
	Text   string
	Warn   bool
}

// New returns a set without tabs. What is open in the window that began in a directory is stored beside its drafts.
func New(l *style.Look, k *core.DraftKeeper, dir string) *Set {
	return &Set{look: l, keeper: k, key: leftKey(dir)}
}

// Busy reports whether a session is a tab when it is left: a turn runs, it asks something, or something runs in its background.
func Busy(t *session.Transcript) bool { return stateOf(t) < done }

// Keep makes a session that is left a tab, with what was being written. Its events are taken from the inbox from now on.
func (s *Set) Keep(left *live.Session, t *session.Transcript, inbox *core.Inbox, draft string) {
	s.insert(&Tab{number: max(s.shown, 1), session: left, t: t, inbox: inbox, draft: draft, does: stateOf(t)})
	s.shown = 0
	s.shown = s.free()
}

// Dirs returns the directories of the tabs.
func (s *Set) Dirs() (all []string) {
	for _, t := range s.all {
		all = append(all, t.session.Meta().Dir)
	}
	return all
}

// insert adds a tab with a number of its own.
func (s *Set) insert(t *Tab) {
	t.inbox.SetInterval(core.BlurInterval)
	s.all, s.changes = append(s.all, t), s.changes+1
	slices.SortFunc(s.all, func(a, b *Tab) int { return a.number - b.number })
}

// free returns the least number that neither a tab nor the session shown has.
func (s *Set) free() int {
	for n := 1; ; n++ {
		if n != s.shown && !slices.ContainsFunc(s.all, func(t *Tab) bool { return t.number == n }) {
			return n
		}
	}
}

// Show ends that a session is a tab, if it is one: it is shown again.
func (s *Set) Show(now *live.Session) {
	if i := slices.IndexFunc(s.all, func(t *Tab) bool { return t.session == now }); i >= 0 {
		s.shown = s.all[i].number
		s.all[i].inbox.Close()
		s.all, s.changes = slices.Delete(s.all, i, i+1), s.changes+1
	}
	if len(s.all) == 0 {
		s.shown = 0
	}
}

// Has reports whether a session is a tab.
func (s *Set) Has(one *live.Session) bool {
	return slices.ContainsFunc(s.all, func(t *Tab) bool { return t.session == one })
}

// Find returns the session of a tab by its id, with what was being written; nil if there is none.
func (s *Set) Find(id session.ID) (found *live.Session, draft string) {
	for _, t := range s.all {
		if t.session.ID() == id {
			return t.session, t.draft
		}
	}
	return nil, ""
}

// Said returns the last news, the zero value for none.
func (s *Set) Said() News { return s.said }

// Take applies the events in an inbox to their tab, and reports whether that is news: that it asks, or that its work has ended.
func (s *Set) Take(from *core.Inbox) (news bool) {
	i := slices.IndexFunc(s.all, func(t *Tab) bool { return t.inbox == from })
	if i < 0 {
		return false
	}
	t := s.all[i]
	events, anew := from.Next()
	if anew { // the session goes on in another host
		t.t = &session.Transcript{}
	}
	for _, e := range events {
		t.t.Apply(e)
	}
	was, now := t.does, stateOf(t.t)
	t.does = now
	if now == was || now == works || now == behind {
		return false
	}
	s.said = News{s.said.Number + 1, "“" + s.look.Measure.Clip(t.title(), 40) + "” " + now.words() + " · /tabs " + human.Number(t.number) + " shows it", now != done}
	return true
}

// Any reports whether there are tabs.
func (s *Set) Any() bool { return s != nil && len(s.all) > 0 }

// Working returns how many tabs still do something.
func (s *Set) Working() (n int) {
	for _, t := range s.all {
		if t.does < done {
			n++
		}
	}
	return n
}

// title returns what the session is about.
func (t *Tab) title() string {
	meta := t.session.Meta()
	return attention.Subject(style.Measure{}, t.t.Title, meta.First, meta.Dir)
}

// name returns the number and the title of a tab.
func (t *Tab) name() string { return strconv.Itoa(t.number) + " " + t.title() }

// doing is what a session does. What comes first is said first.
type doing int

const (
	asks doing = iota
	works
	behind
	done
	stopped
	failed
)

// stateOf returns what a session does.
func stateOf(t *session.Transcript) doing {
	var last *session.Turn
	for _, turn := range slices.Backward(t.Turns) {
		if turn.ID != "" {
			last = turn
			break
		}
	}
	switch {
	case len(t.Asks) > 0:
		return asks
	case last != nil && last.Running():
		return works
	case len(t.Background()) > 0:
		return behind
	case last != nil && last.Outcome == session.TurnFailed:
		return failed
	case last != nil && last.Outcome == session.TurnCancelled:
		return stopped
	}
	return done
}

// words say what a session does.
func (d doing) words() string {
	return [...]string{asks: "asks you", works: "works", behind: "works in the background", done: "is done", stopped: "was stopped", failed: "failed"}[d]
}
