package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/status"
	"parley/ui/style"
)

// jobs are what runs beside the agent: a command of the user's shell, the installation of a runtime.
type jobs struct {
	work    background
	look    *style.Look
	input   *input.Model
	notices *notice.Model
	screen  *screen
	covers  *covers
	current *current

	shell   shell
	install chat.Installer
}

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
func (j *jobs) installCommand(arg string) tea.Cmd {
	o := j.install.Offer()
	switch {
	case arg == "stop" && j.install.Stop():
		return nil
	case arg == "stop":
		j.notices.Info("nothing is being installed")
		return nil
	case j.install.Running():
		j.notices.Info("it is being installed: /install stop stops that")
		return nil
	case o == nil:
		j.notices.Info("there is nothing to install")
		return nil
	}
	j.covers.open(lists.Offer{Runtime: *o}, "")
	return nil
}

// startInstall installs the runtime in the background.
func (j *jobs) startInstall() tea.Cmd {
	if j.install.Running() || j.install.Offer() == nil {
		return nil
	}
	install := j.install.Start(j.work.ctx)
	return tea.Batch(j.work.after(fetchEvery, fetchingMsg{}), func() tea.Msg { return installedMsg{install()} })
}

// fetching shows the progress of an installation until it ends.
func (j *jobs) fetching() tea.Cmd {
	if !j.install.Running() {
		return nil
	}
	j.screen.touch()
	return j.work.after(fetchEvery, fetchingMsg{})
}

// installed reports the end of an installation.
func (j *jobs) installed(err error) {
	o := j.install.Ended(err)
	title := style.Visible(style.OneLine(o.Title))
	switch {
	case err == nil:
		j.notices.AddFor(notice.WarnTime, "/agent "+o.Name+" begins a session: "+title+" is installed", false)
	case errors.Is(err, context.Canceled):
		j.notices.Info("the installation was stopped; /install begins it again")
	default:
		p := session.ProblemOf(err, j.look.Now())
		j.notices.Warn("not installed: " + p.What + " " + p.Next)
	}
}

// installation returns the progress of what is being installed, nil for nothing.
func (j *jobs) installation() *status.Install {
	if !j.install.Running() {
		return nil
	}
	return &status.Install{Title: j.install.Offer().Title, InstallProgress: j.install.Progress()}
}

func (j *jobs) canInstall() bool { return j.install.Offer() != nil }
