package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/status"
	"parley/ui/style"
)

type (
	// installedMsg brings the end of an installation.
	installedMsg struct{ err error }
	// fetchingMsg asks to show the progress of an installation.
	fetchingMsg struct{}
)

// fetchEvery is how often the progress of an installation is shown.
const fetchEvery = 250 * time.Millisecond

// offerInstall returns the tip of a new session about a runtime that can be installed.
func (o *Options) offerInstall() string {
	if o.Offer == nil || o.Session == nil || o.Opening != nil || !o.Session.Draft() { // a session keeps its agent
		return ""
	}
	return "/install gets " + style.Visible(style.OneLine(o.Offer.Title)) + o.Offer.Size()
}

// startTip is what a new user may want to know, "" if that is nothing.
func (o *Options) startTip() string {
	switch tip := o.offerInstall(); {
	case tip != "":
		return tip
	case o.Demo && o.Width < 80:
		return "Simulated model: say anything."
	case o.Demo:
		return "The model is simulated, all else is real. Say anything: the tour begins."
	}
	return ""
}

// installCommand asks whether to install the runtime, or stops the installation.
func (m *Model) installCommand(arg string) tea.Cmd {
	o := m.install.Offer()
	switch {
	case arg == "stop" && m.install.Stop():
		return nil
	case arg == "stop":
		m.notices.Info("nothing is being installed")
		return nil
	case m.install.Running():
		m.notices.Info("it is being installed: /install stop stops that")
		return nil
	case o == nil:
		m.notices.Info("there is nothing to install")
		return nil
	}
	m.open(lists.Offer{Runtime: *o}, "")
	return nil
}

// startInstall installs the runtime in the background.
func (m *Model) startInstall() tea.Cmd {
	if m.install.Running() || m.install.Offer() == nil {
		return nil
	}
	install := m.install.Start(m.work.ctx)
	return tea.Batch(m.work.after(fetchEvery, fetchingMsg{}), func() tea.Msg { return installedMsg{install()} })
}

// fetching shows the progress of an installation until it ends.
func (m *Model) fetching() tea.Cmd {
	if !m.install.Running() {
		return nil
	}
	m.touch()
	return m.work.after(fetchEvery, fetchingMsg{})
}

// installed reports the end of an installation.
func (m *Model) installed(err error) tea.Cmd {
	o := m.install.Ended(err)
	title := style.Visible(style.OneLine(o.Title))
	switch {
	case err == nil:
		m.notices.AddFor(notice.WarnTime, "/agent "+o.Name+" begins a session: "+title+" is installed", false)
	case errors.Is(err, context.Canceled):
		m.notices.Info("the installation was stopped; /install begins it again")
	default:
		p := session.ProblemOf(err, m.look.Now())
		m.notices.Warn("not installed: " + p.What + " " + p.Next)
	}
	return m.listAgents()
}

// installation returns the progress of what is being installed, nil for nothing.
func (m *Model) installation() *status.Install {
	if !m.install.Running() {
		return nil
	}
	return &status.Install{Title: m.install.Offer().Title, InstallProgress: m.install.Progress()}
}

func (m *Model) canInstall() bool { return m.install.Offer() != nil }
