package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/question"
)

// This file asks whether what the session's directory brings may be loaded: settings, hooks, servers, plugins. Nothing of
// it is loaded before the user has said so, and the chat goes on either way.

// untrustedMsg brings what a directory would bring into a session.
type untrustedMsg struct {
	question.Directory
	err error
}

// trustedMsg reports whether a decision was stored.
type trustedMsg struct {
	yes bool
	err error
}

// truster returns what stores the trust of an agent in directories, nil if the agent needs none.
func (m *Model) truster(agent string) session.RepositoryTruster {
	return m.opts.Manager.Truster(agent)
}

// askTrust looks up what the session's directory would bring.
func (m *Model) askTrust() tea.Cmd {
	agent, dir := m.agent(), m.dir()
	if m.session == nil || m.directory.Agent == agent && m.directory.Dir == dir {
		return nil
	}
	m.directory, m.later = question.Directory{Agent: agent, Dir: dir}, false
	cmd := m.dropTrust()
	t := m.truster(agent)
	if t == nil {
		return cmd
	}
	ctx := m.work.ctx
	return tea.Batch(cmd, func() tea.Msg {
		items, err := t.Untrusted(ctx, dir)
		return untrustedMsg{question.Directory{Agent: agent, Dir: dir, Items: items}, err}
	})
}

// dropTrust removes the question: it is about another directory, or another list.
func (m *Model) dropTrust() tea.Cmd {
	if q := m.ask.Question(); q == nil || !q.Summoned {
		return nil
	}
	return tea.Batch(m.setPrompt(nil), m.syncPrompt())
}

// gotUntrusted shows the question if there is something to decide about.
func (m *Model) gotUntrusted(msg untrustedMsg) tea.Cmd {
	if msg.Agent != m.directory.Agent || msg.Dir != m.directory.Dir {
		return nil
	}
	if msg.err != nil {
		m.notices.Warn("what this directory brings along cannot be read, and is not loaded: " + msg.err.Error())
		return nil
	}
	m.directory.Items = msg.Items
	return tea.Batch(m.dropTrust(), m.syncPrompt())
}

// summonTrust gives the question the keyboard, as soon as the terminal has drawn it.
func (m *Model) summonTrust() tea.Cmd {
	if len(m.directory.Items) == 0 {
		m.notices.Info("there is nothing to decide about in this directory")
		return nil
	}
	m.later = false
	cmd := m.syncPrompt()
	if q := m.ask.Question(); q != nil && q.Summoned {
		m.ask.Call()
		return cmd
	}
	m.notices.Info("what is asked above comes first")
	return cmd
}

// trustLater puts the decision off: nothing is loaded, and the next start asks again.
func (m *Model) trustLater() tea.Cmd {
	m.later = true
	m.notices.Info("nothing of it is loaded · /trust decides")
	return m.syncPrompt()
}

// decideTrust stores the user's decision about the list that was shown.
func (m *Model) decideTrust(d question.Directory, yes bool) tea.Cmd {
	m.directory.Items = nil
	cmd, ctx, who := tea.Batch(m.setPrompt(nil), m.syncPrompt()), m.work.ctx, m.truster(d.Agent)
	if who == nil {
		return cmd
	}
	return tea.Batch(cmd, func() tea.Msg { return trustedMsg{yes, chat.DecideTrust(ctx, who, d.Dir, d.Items, yes)} })
}

// trusted reports the result of a decision.
func (m *Model) trusted(msg trustedMsg) {
	m.notices.Add(question.TrustOutcome(msg.err, msg.yes, m.session != nil && m.session.Draft()), msg.err != nil)
}
