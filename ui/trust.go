package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/question"
)

// The session's directory may bring settings, hooks, servers and plugins. None of them is loaded before the user agrees, and
// the chat continues either way.

// trust is what is known of the directory of the session that is shown.
type trust struct {
	directory question.Directory // its Items are those not decided about
	later     bool               // the user decides about them later
}

// untrustedMsg carries what a directory would load into a session.
type untrustedMsg struct {
	question.Directory
	err error
}

// trustedMsg reports whether a decision was stored.
type trustedMsg struct {
	yes bool
	err error
}

// askTrust loads what the session's directory would add to it, once for each directory.
func (as *asks) askTrust() tea.Cmd {
	agent, dir := as.current.agent(), as.current.dir()
	if as.current.session == nil || as.trust.directory.Agent == agent && as.trust.directory.Dir == dir {
		return nil
	}
	as.trust.directory, as.trust.later = question.Directory{Agent: agent, Dir: dir}, false
	cmd := as.dropTrust()
	t := as.current.truster(agent)
	if t == nil {
		return cmd
	}
	ctx := as.work.ctx
	return tea.Batch(cmd, func() tea.Msg {
		items, err := t.Untrusted(ctx, dir)
		return untrustedMsg{question.Directory{Agent: agent, Dir: dir, Items: items}, err}
	})
}

// dropTrust removes the question: it is about another directory, or another list.
func (as *asks) dropTrust() tea.Cmd {
	if q := as.ask.Question(); q == nil || !q.Summoned {
		return nil
	}
	return tea.Batch(as.set(nil), as.sync())
}

// gotUntrusted shows the question if there is something to decide about.
func (as *asks) gotUntrusted(msg untrustedMsg) tea.Cmd {
	if msg.Agent != as.trust.directory.Agent || msg.Dir != as.trust.directory.Dir {
		return nil
	}
	if msg.err != nil {
		as.notices.Warn("This project's hooks and settings cannot be read and are not loaded: " + msg.err.Error())
		return nil
	}
	as.trust.directory.Items = msg.Items
	return tea.Batch(as.dropTrust(), as.sync())
}

// summonTrust gives the question the keyboard, as soon as the terminal has drawn it.
func (as *asks) summonTrust() tea.Cmd {
	if len(as.trust.directory.Items) == 0 {
		as.notices.Info("there is nothing to decide about in this directory")
		return nil
	}
	as.trust.later = false
	cmd := as.sync()
	if q := as.ask.Question(); q != nil && q.Summoned {
		as.ask.Call()
		return cmd
	}
	as.notices.Info("what is asked above comes first")
	return cmd
}

// trustLater puts the decision off: nothing is loaded, and the next start asks again.
func (as *asks) trustLater() tea.Cmd {
	as.trust.later = true
	as.notices.Info("nothing of it is loaded · /trust decides")
	return as.sync()
}

// decideTrust stores the user's decision about the list that was shown.
func (as *asks) decideTrust(d question.Directory, yes bool) tea.Cmd {
	as.trust.directory.Items = nil
	cmd, ctx, who := tea.Batch(as.set(nil), as.sync()), as.work.ctx, as.current.truster(d.Agent)
	if who == nil {
		return cmd
	}
	return tea.Batch(cmd, func() tea.Msg { return trustedMsg{yes, chat.DecideTrust(ctx, who, d.Dir, d.Items, yes)} })
}

// trusted reports the result of a decision.
func (as *asks) trusted(msg trustedMsg) {
	as.notices.Add(question.TrustOutcome(msg.err, msg.yes, as.current.session != nil && as.current.session.Draft()), msg.err != nil)
}
