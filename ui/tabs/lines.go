package tabs

import (
	"parley/internal/human"
	"parley/session"
	"parley/session/live"
	"parley/ui/core"
)

// InLines returns the set of the chat in lines, where a person types. It offers what was open here before, unless the person came for
// something else, and stores what is open at once: a line waits for the disk.
func InLines(f *core.Lines) *Set {
	drafts := f.Options.Drafts
	if !f.Typed {
		drafts = nil
	}
	s := New(f.Look, core.NewDraftKeeper(drafts), f.Options.Dir)
	s.prompt = true
	if o := f.Options; drafts != nil && o.Resume == nil && o.First == "" && o.Session != nil && o.Session.Draft() {
		read := s.Seek(f.Context, drafts, o.Manager)
		f.Background(func() func() {
			left := read()
			return func() {
				s.Offer(left)
				s.say(f)
			}
		})
	}
	return s
}

// say prints what is offered.
func (s *Set) say(f *core.Lines) {
	if n := s.Left(); n > 0 {
		f.Print("note", human.Count(n, "session was open here. Open it with /tabs", "sessions were open here. Open them with /tabs"))
	}
}

// ReopenInLines opens the first session of an offer, and offers the others again: the chat in lines shows one at a time.
func (s *Set) ReopenInLines(f *core.Lines, all []session.ID, open func(get func() (*live.Session, error))) {
	open(func() (*live.Session, error) { return f.Options.Manager.Resume(f.Context, all[0]) })
	s.Offer(all[1:])
	s.say(f)
}
