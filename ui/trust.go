package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/style"
)

// This file asks whether what a directory brings along may be loaded: settings, hooks, servers, plugins. Until the user
// has said yes nothing of it is, and the chat goes on either way. The question takes the keyboard only when it is called:
// somebody who begins to write at once must not answer it.

// trusting is what is known about the directory of the session shown.
type trusting struct {
	agent, dir string
	items      []session.RepositoryItem // not decided about
	// later says that the user has seen the question and put it off.
	later bool
}

// untrustedMsg brings what a directory would bring along.
type untrustedMsg struct {
	agent, dir string
	items      []session.RepositoryItem
	err        error
}

// trustedMsg says whether a decision could be kept.
type trustedMsg struct {
	yes bool
	err error
}

// truster is what asks for the trust of the session's agent, nil if nothing does.
func (m *Model) truster() session.RepositoryTruster {
	return m.opts.Manager.Truster(m.agent())
}

// askTrust looks what the session's directory would bring along.
func (m *Model) askTrust() tea.Cmd {
	agent, dir := m.agent(), m.dir()
	if m.session == nil || m.trusting.agent == agent && m.trusting.dir == dir {
		return nil
	}
	m.trusting = trusting{agent: agent, dir: dir}
	cmd := m.dropTrust()
	t := m.truster()
	if t == nil {
		return cmd
	}
	ctx := m.ctx
	return tea.Batch(cmd, m.command(func() tea.Msg {
		items, err := t.Untrusted(ctx, dir)
		return untrustedMsg{agent, dir, items, err}
	}))
}

// dropTrust takes the question away: it is about another directory, or another list.
func (m *Model) dropTrust() tea.Cmd {
	if m.prompt == nil || !m.prompt.summoned {
		return nil
	}
	return tea.Batch(m.setPrompt(nil), m.syncPrompt())
}

// gotUntrusted shows the question if there is something to decide about.
func (m *Model) gotUntrusted(msg untrustedMsg) tea.Cmd {
	if msg.agent != m.trusting.agent || msg.dir != m.trusting.dir {
		return nil
	}
	if msg.err != nil {
		m.say("what this directory brings along cannot be read, and is not loaded: "+style.Visible(style.OneLine(msg.err.Error())), true)
		return nil
	}
	m.trusting.items = msg.items
	return tea.Batch(m.dropTrust(), m.syncPrompt())
}

// trustPrompt is the question about what the directory brings along. Its answers are about the list it shows, whatever is
// looked at meanwhile.
func (m *Model) trustPrompt() *prompt {
	t, who := m.trusting, m.truster()
	p := &prompt{summoned: true, title: "Load what this directory brings along?",
		detail: "Nothing of it is loaded until you say yes. What runs by itself is shown with its command line."}
	p.body = trustRows(t.items, t.dir, m.look.Home)
	later := choice{key: "l", label: "later", short: "later", act: (*Model).trustLater}
	p.choices = []choice{
		{key: "y", label: "yes, load all of it", short: "yes", act: func(m *Model) tea.Cmd { return m.decideTrust(who, t, true) }},
		{key: "n", label: "no, never this list", short: "no", act: func(m *Model) tea.Cmd { return m.decideTrust(who, t, false) }}, later}
	p.at, p.escapes = 2, &later
	return p
}

// trustRows lists what a directory brings along by its kind, with the command lines that would run.
func trustRows(items []session.RepositoryItem, dir, home string) []string {
	var rows []string
	done := map[string]bool{}
	for _, it := range items {
		if done[it.Kind] {
			continue
		}
		done[it.Kind] = true
		rows = append(rows, style.Visible(style.OneLine(it.Kind)))
		for _, same := range items {
			if same.Kind != it.Kind {
				continue
			}
			row := "  " + style.Visible(style.OneLine(same.Name))
			if path := style.Visible(style.OneLine(shortened(same.Path, dir, home))); path != "" {
				row += "  (" + path + ")"
			}
			rows = append(rows, row)
			if same.Runs != "" {
				rows = append(rows, "    runs: "+style.Visible(style.OneLine(same.Runs)))
			}
		}
	}
	return rows
}

// shortened is a path as seen from the session's directory, else from the home directory.
func shortened(path, dir, home string) string {
	if rest := style.ShortPath(path, dir); rest != path && len(rest) > 2 {
		return rest[2:]
	}
	return style.ShortPath(path, home)
}

// summonTrust gives the question the keyboard, once it is on the screen.
func (m *Model) summonTrust() tea.Cmd {
	if len(m.trusting.items) == 0 {
		m.say("there is nothing to decide about in this directory", false)
		return nil
	}
	m.trusting.later = false
	cmd := m.syncPrompt()
	if p := m.prompt; p != nil && p.summoned {
		p.called = true
		p.focus.give() // otherwise once it is on the screen
		return cmd
	}
	m.say("what is asked above comes first", false)
	return cmd
}

// trustLater puts the question off: nothing is loaded, and the next start asks again.
func (m *Model) trustLater() tea.Cmd {
	m.trusting.later = true
	m.say("nothing of it is loaded · /trust decides", false)
	return m.syncPrompt()
}

// decideTrust keeps what the user said.
func (m *Model) decideTrust(who session.RepositoryTruster, t trusting, yes bool) tea.Cmd {
	m.trusting.items = nil
	cmd, ctx := tea.Batch(m.setPrompt(nil), m.syncPrompt()), m.ctx
	if who == nil {
		return cmd
	}
	return tea.Batch(cmd, m.command(func() tea.Msg { return trustedMsg{yes, keepTrust(ctx, who, t.dir, t.items, yes)} }))
}

// keepTrust remembers a decision even if the screen is being left.
func keepTrust(ctx context.Context, t session.RepositoryTruster, dir string, items []session.RepositoryItem, yes bool) error {
	return t.Trust(context.WithoutCancel(ctx), dir, items, yes)
}

// trusted says what became of a decision.
func (m *Model) trusted(msg trustedMsg) {
	m.say(style.Visible(trustKept(msg.err, msg.yes, m.session != nil && m.session.Draft())), msg.err != nil)
}

// trustKept says what became of a decision; draft says that nothing was sent in the session yet.
func trustKept(err error, yes, draft bool) string {
	switch {
	case err != nil:
		return "your decision could not be kept, and nothing is loaded: " + style.OneLine(err.Error())
	case !yes:
		return "nothing of this directory is loaded; you will not be asked again about this list"
	case draft:
		return "this directory is trusted: it is loaded with the first prompt"
	}
	return "this directory is trusted: it is loaded at the agent's next start, such as after /new"
}
