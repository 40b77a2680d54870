package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/style"
	"parley/ui/transcript"
	"parley/ui/welcome"
)

// greeting is what stands in the place of a conversation in which nothing was said.
type greeting struct {
	opts    *Options
	work    background
	look    *style.Look
	conv    *transcript.Model
	screen  *screen
	current *current

	of    session.ID     // the session it was made for
	model *welcome.Model // nil before it was shown first
}

// greetedMsg carries what a greeting shows of a directory and of the stored sessions.
type greetedMsg struct {
	of        session.ID
	directory *welcome.Directory // nil: not yet known
	sessions  []session.Meta
}

// shown reports whether frames show the greeting.
func (g *greeting) shown() bool {
	if g.current.session == nil || g.current.opening != nil || g.opts.Appearance.Inline || g.conv.Viewing() {
		return false
	}
	t := g.conv.Transcript()
	return len(t.Turns) == 0 && len(t.Queue) == 0
}

// load makes the greeting of a session that was not greeted, and returns the command that reads what it shows.
func (g *greeting) load() tea.Cmd {
	if !g.shown() || g.of == g.current.session.ID() {
		return nil
	}
	id, dir := g.current.session.ID(), g.current.dir()
	branch := g.current.meta().Branch
	if branch == "" {
		branch = g.opts.Branch
	}
	g.of, g.model = id, welcome.New(style.ShortPath(dir, g.look.Home), branch)
	mgr, ctx := g.opts.Manager, g.work.ctx
	look := func() tea.Msg {
		d, err := welcome.Look(ctx, dir)
		if err != nil {
			return nil // there is nothing to try
		}
		return greetedMsg{of: id, directory: &d}
	}
	list := func() tea.Msg {
		found := slices.DeleteFunc(mgr.Listing(ctx).Sessions, func(m session.Meta) bool { return m.Dir != dir || m.Title+m.First == "" || m.ID == id })
		return greetedMsg{of: id, sessions: found}
	}
	return tea.Batch(look, list)
}

// got takes what was read.
func (g *greeting) got(msg greetedMsg) {
	if msg.of != g.of {
		return
	}
	if msg.directory != nil {
		g.model.SetDirectory(*msg.directory)
	} else {
		g.model.SetSessions(msg.sessions)
	}
	if g.model.Changes() && g.shown() {
		g.screen.touch()
	}
}

// rows returns the greeting in at most height rows.
func (g *greeting) rows(width, height int) []string {
	if g.model == nil || g.of != g.current.session.ID() {
		return nil
	}
	return g.model.Rows(g.look, width, height)
}

// chosen returns what a key stands for, false if it stands for nothing.
func (g *greeting) chosen(key string) (welcome.Choice, bool) {
	digit, ok := strings.CutPrefix(key, "alt+")
	if !ok || len(digit) != 1 || g.model == nil || !g.shown() {
		return welcome.Choice{}, false
	}
	return g.model.Chosen(int(digit[0] - '0'))
}

// choose resumes a session, or puts words into the field.
func (m *Model) choose(c welcome.Choice) tea.Cmd {
	if c.Session != "" {
		return m.sessions.resume(c.Session)
	}
	return m.input.SetValue(c.Prompt)
}
