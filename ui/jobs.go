package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
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

// shell is the user's own shell, whose commands begin with an exclamation mark.
type shell struct {
	chat.Shell
	shown string // the running command's output, at the last tick
}

type (
	// installedMsg reports the end of an installation.
	installedMsg struct{ err error }
	// fetchingMsg asks to show the progress of an installation.
	fetchingMsg struct{}
)

type (
	// shellTickMsg asks to show the output of the running command.
	shellTickMsg struct{}
	// shellMsg carries the result of a command.
	shellMsg struct{ result chat.ShellResult }
)

// shellEvery is how often the output of a running command is shown.
const shellEvery = 200 * time.Millisecond

// fetchEvery is how often the progress of an installation is shown.
const fetchEvery = 250 * time.Millisecond

// runShell runs a command line of the user's in the session's directory.
func (j *jobs) runShell(line string) tea.Cmd {
	switch {
	case !j.shell.Available():
		j.notices.Warn("there is no shell here; !! sends an exclamation mark")
		return nil
	case j.shell.Running():
		j.notices.Warn("a command is running: esc stops it")
		return nil
	}
	j.input.Remember("! " + line)
	j.input.Reset()
	run := j.shell.Start(j.work.ctx, j.current.dir(), line, j.look.Now())
	return tea.Batch(j.input.SetValue(""), j.work.after(shellEvery, shellTickMsg{}), func() tea.Msg { return shellMsg{run()} })
}

// shellTick shows the output of the running command, until it ends.
func (j *jobs) shellTick() tea.Cmd {
	if !j.shell.Running() {
		return nil
	}
	j.shell.shown = j.shell.Output()
	j.screen.touch()
	return j.work.after(shellEvery, shellTickMsg{})
}

// shellEnded attaches the output of a command to the next prompt.
func (j *jobs) shellEnded(msg shellMsg) tea.Cmd {
	a, ok := j.shell.Ended(msg.result)
	if !ok {
		return nil
	}
	j.shell.shown = ""
	return j.input.Attach(a)
}

// runningShell returns the command of the user's shell that runs, nil if none does.
func (j *jobs) runningShell() *input.Running {
	if !j.shell.Running() {
		return nil
	}
	line, began := j.shell.Command()
	r := &input.Running{Line: line, Output: j.shell.shown, Right: "esc stops"}
	if took := j.look.Now().Sub(began); took >= style.Noticeable {
		r.Right = human.Seconds(took) + " · " + r.Right
	}
	return r
}

// installCommand asks whether to install the offered runtime, or stops the installation.
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

// canInstall reports whether a runtime is offered.
func (j *jobs) canInstall() bool { return j.install.Offer() != nil }
