package install

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/notice"
	"parley/ui/panel"
	"parley/ui/status"
	"parley/ui/style"
)

// Options configure the installation.
type Options struct {
	Context context.Context
	// After returns a command that delivers a message later, unless the program ends before.
	After   func(d time.Duration, msg tea.Msg) tea.Cmd
	Look    *style.Look
	Notices *notice.Model
	// Touch asks for a frame.
	Touch func()
}

// Model is the command /install. The event loop owns it.
type Model struct {
	o       Options
	install core.Installer
}

// New returns the command for the runtime that can be installed.
func New(o Options, install core.Installer) *Model { return &Model{o: o, install: install} }

// Msg is the result of a command of the model. The root passes it to [Model.Update].
type Msg interface{ install() }

type (
	// EndedMsg reports the end of an installation, after which there may be other agents.
	EndedMsg struct{ err error }
	// tickMsg asks to show the progress of an installation.
	tickMsg struct{}
)

func (EndedMsg) install() {}
func (tickMsg) install()  {}

// Update handles the result of a command.
func (m *Model) Update(msg Msg) tea.Cmd {
	switch msg := msg.(type) {
	case EndedMsg:
		m.installed(msg.err)
	case tickMsg:
		return m.fetching()
	}
	return nil
}

// Running reports whether a runtime is being installed.
func (m *Model) Running() bool { return m.install.Running() }

// Stop stops the installation, and reports whether there was one.
func (m *Model) Stop() bool { return m.install.Stop() }

// fetchEvery is the interval at which the progress of an installation is shown.
const fetchEvery = 250 * time.Millisecond

// Run asks whether to install the offered runtime, or stops the installation.
func (m *Model) Run(arg string) panel.Effect {
	o := m.install.Offer()
	switch {
	case arg == "stop" && m.install.Stop():
		return nil
	case arg == "stop":
		return panel.Notice{Text: "Nothing is being installed"}
	case m.install.Running():
		return panel.Notice{Text: "Installing. /install stop cancels"}
	case o == nil:
		return panel.Notice{Text: "Nothing to install"}
	}
	return panel.Push{Panel: list.Open(m.o.Look, Offer{Runtime: *o}, "")}
}

// Start installs the runtime in the background.
func (m *Model) Start() tea.Cmd {
	if m.install.Running() || m.install.Offer() == nil {
		return nil
	}
	install := m.install.Start(m.o.Context)
	return tea.Batch(m.o.After(fetchEvery, tickMsg{}), func() tea.Msg { return EndedMsg{install()} })
}

// fetching shows the progress of an installation until it ends.
func (m *Model) fetching() tea.Cmd {
	if !m.install.Running() {
		return nil
	}
	m.o.Touch()
	return m.o.After(fetchEvery, tickMsg{})
}

// installed reports the end of an installation.
func (m *Model) installed(err error) {
	o := m.install.Ended(err)
	title := style.Visible(style.OneLine(o.Title))
	switch {
	case err == nil:
		m.o.Notices.AddFor(notice.WarnTime, "/agent "+o.Name+" starts a session: "+title+" is installed", false)
	case errors.Is(err, context.Canceled):
		m.o.Notices.Info("Installation stopped. /install starts it again")
	default:
		p := session.ProblemOf(err, m.o.Look.Now())
		m.o.Notices.Warn("Couldn't install it: " + p.What + " " + p.Next)
	}
}

// Progress returns the progress of what is being installed, nil for nothing.
func (m *Model) Progress() *status.Install {
	if !m.install.Running() {
		return nil
	}
	return &status.Install{Title: m.install.Offer().Title, InstallProgress: m.install.Progress()}
}

// Offered reports whether a runtime is offered.
func (m *Model) Offered() bool { return m.install.Offer() != nil }
