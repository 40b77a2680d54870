package view

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/attention"
	"parley/ui/core"
	"parley/ui/question"
)

// The session's directory may bring settings, hooks, servers and plugins. None of them is loaded before the user agrees, and
// the chat continues either way.

// trustState is what decides when the question about the directory is shown.
type trustState struct {
	later    bool               // the user decides later
	follows  context.Context    // for what waits for changes of the directory
	unfollow context.CancelFunc // ends it
	waits    tea.Cmd            // waits for the next change, nil while that runs
	before   time.Time          // counts as the time of the last key before there was one
}

func newTrust(w *attention.Watch) trustState {
	t := trustState{unfollow: func() {}}
	if w != nil {
		t.before = w.LastKey()
	}
	return t
}

// untrustedMsg carries what a directory would load into a session. next waits until that may be something else, nil: nothing does.
type untrustedMsg struct {
	question.Directory
	err  error
	next func(ctx context.Context) bool
}

// trustedMsg reports whether a decision was stored.
type trustedMsg struct {
	yes bool
	err error
}

// AskTrust loads what the session's directory would add to it, once for each directory.
func (m *Asks) AskTrust() tea.Cmd {
	agent, dir := m.o.Current().Agent, m.o.Current().Dir
	if m.o.Current().Session == nil || m.directory.Agent == agent && m.directory.Dir == dir {
		return nil
	}
	m.directory, m.trust.later = question.Directory{Agent: agent, Dir: dir}, false
	cmd := dropTrust(m)
	t := m.o.Manager.Truster(agent)
	if t == nil {
		return cmd
	}
	var next func(ctx context.Context) bool
	if m.o.Follow != nil {
		next = m.o.Follow(dir)
	}
	m.trust.unfollow()
	m.trust.waits = nil
	m.trust.follows, m.trust.unfollow = context.WithCancel(m.o.Context)
	return tea.Batch(cmd, m.lookAt(m.trust.follows, t, m.directory, next, false))
}

// lookAt loads what a directory would add, once something has changed there if changed is set.
func (m *Asks) lookAt(ctx context.Context, t session.RepositoryTruster, d question.Directory, next func(ctx context.Context) bool, changed bool) tea.Cmd {
	return func() tea.Msg {
		if changed && !next(ctx) {
			return nil
		}
		items, err := t.Untrusted(ctx, d.Dir)
		return untrustedMsg{question.Directory{Agent: d.Agent, Dir: d.Dir, Items: items}, err, next}
	}
}

// Undecided reports whether the directory would load something that the user has not decided about.
func (m *Asks) Undecided() bool { return len(m.directory.Items) > 0 }

// dropTrust removes the question: it is about another directory, or another list.
func dropTrust(m *Asks) tea.Cmd {
	if q := m.Ask.Question(); q == nil || !q.Summoned {
		return nil
	}
	return tea.Batch(m.set(nil), m.Sync())
}

// gotUntrusted shows the question if there is something to decide about, again if that is something else than before.
func gotUntrusted(m *Asks, msg untrustedMsg) tea.Cmd {
	if msg.Agent != m.directory.Agent || msg.Dir != m.directory.Dir {
		return nil
	}
	if t := m.o.Manager.Truster(msg.Agent); t != nil && msg.next != nil {
		m.trust.waits = m.lookAt(m.trust.follows, t, question.Directory{Agent: msg.Agent, Dir: msg.Dir}, msg.next, true)
	}
	later := followTrust(m)
	if msg.err != nil {
		m.notices.Warn("This project's hooks and settings cannot be read and are not loaded: " + msg.err.Error())
		return later
	}
	if slices.Equal(m.directory.Items, msg.Items) {
		return later
	}
	m.directory.Items, m.trust.later = msg.Items, false
	return tea.Batch(later, dropTrust(m), m.Sync())
}

// followTrust returns the command that waits for changes of the directory, once the user has pressed a key: nothing of it is read for the
// first frame.
func followTrust(m *Asks) (cmd tea.Cmd) {
	if m.o.Watch != nil && m.o.Watch.LastKey() != m.trust.before {
		cmd, m.trust.waits = m.trust.waits, nil
	}
	return cmd
}

// SummonTrust gives the question the keyboard, as soon as the terminal has drawn it.
func (m *Asks) SummonTrust() tea.Cmd {
	if len(m.directory.Items) == 0 {
		m.notices.Info("Nothing to review in this directory")
		return nil
	}
	m.trust.later = false
	cmd := m.Sync()
	if q := m.Ask.Question(); q != nil && q.Summoned {
		m.Ask.Call()
		return cmd
	}
	m.notices.Info("Answer the question above first")
	return cmd
}

// trustLater puts the decision off: nothing is loaded, and the next start asks again.
func trustLater(m *Asks) tea.Cmd {
	m.trust.later = true
	m.notices.Info("Nothing was loaded. Review with /trust")
	return m.Sync()
}

// decideTrust stores the user's decision about the list that was shown.
func decideTrust(m *Asks, d question.Directory, yes bool) tea.Cmd {
	m.directory.Items = nil
	cmd, ctx, who := tea.Batch(m.set(nil), m.Sync()), m.o.Context, m.o.Manager.Truster(d.Agent)
	if who == nil {
		return cmd
	}
	return tea.Batch(cmd, func() tea.Msg { return trustedMsg{yes, core.DecideTrust(ctx, who, d.Dir, d.Items, yes)} })
}

// trusted reports the result of a decision.
func trusted(m *Asks, msg trustedMsg) {
	m.notices.Add(question.TrustOutcome(msg.err, msg.yes, m.o.Current().Session != nil && m.o.Current().Session.Draft()), msg.err != nil)
}
