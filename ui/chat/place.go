package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
)

// places stores where the user reads in a session, so that a window that was killed or closed is found again as it was. One that the
// user quits begins at the end.
type places struct {
	*parts

	current *current
	keeper  *core.DraftKeeper

	of    *live.Session // whose place is kept
	known bool          // the stored one was read
	place string        // that is stored
	due   bool          // a placeDueMsg is to come

	stored map[session.ID]bool // the sessions that have one
}

// placeMsg carries the stored place of a session.
type placeMsg struct {
	of    *live.Session
	place string
}

// placeDueMsg is due a moment after the user scrolled.
type placeDueMsg struct{}

// keep follows the session that is shown. It reads its stored place in the background, and stores a new one a moment after the user
// scrolled, since more is likely to follow.
func (p *places) keep() tea.Cmd {
	s := p.current.session
	if p.opts.Drafts == nil || s == nil || p.current.opening != nil || p.opts.Appearance.Inline || s.Draft() {
		return nil
	}
	if p.of != s {
		p.of, p.known, p.place = s, false, ""
		drafts := p.opts.Drafts
		return func() tea.Msg { return placeMsg{s, core.LoadDraft(drafts, core.PlaceKey(s.ID()))} }
	}
	if !p.known || p.due || p.conv.Session().Place() == p.place {
		return nil
	}
	p.due = true
	return p.work.after(core.DraftDelay, placeDueMsg{})
}

// got goes to the place that was stored, unless the user has scrolled meanwhile.
func (p *places) got(msg placeMsg) {
	if msg.of != p.of || p.known {
		return
	}
	p.known = true
	p.set(msg.place)
	if msg.place != "" && p.conv.Session().Place() == "" {
		p.conv.Session().Return(msg.place)
		p.screen.touch()
	}
}

// save stores where the user reads.
func (p *places) save() {
	p.due = false
	if p.of == nil || p.of != p.current.session || !p.known {
		return
	}
	if now := p.conv.Session().Place(); now != p.place {
		p.set(now)
		p.keeper.Put(core.PlaceKey(p.of.ID()), now)
	}
}

// set notes the place that is stored.
func (p *places) set(place string) { p.place, p.stored[p.of.ID()] = place, place != "" }

// end stores the place at the end of the program. Where the user left, none stays of the sessions that were shown.
func (p *places) end(left bool) {
	p.save()
	for id, is := range p.stored {
		if left && is {
			p.keeper.Put(core.PlaceKey(id), "")
		}
	}
}
