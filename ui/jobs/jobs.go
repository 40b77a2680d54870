package jobs

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/list"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/status"
	"parley/ui/style"
)

// Options are what the jobs work with.
type Options struct {
	Context context.Context
	// After returns a command that delivers a message later, unless the program ends before.
	After   func(d time.Duration, msg tea.Msg) tea.Cmd
	Look    *style.Look
	Input   *input.Model
	Notices *notice.Model
	// Touch asks for a frame, Open covers the screen with a list, Dir returns the session's directory.
	Touch func()
	Open  func(l list.Source) tea.Cmd
	Dir   func() string
}

// Model are the jobs. The event loop owns it.
type Model struct {
	o       Options
	shell   chat.Shell
	shown   string // the running command's output, at the last tick
	install chat.Installer
}

// New returns the jobs of a program with the user's shell and the runtime that can be installed.
func New(o Options, shell chat.Shell, install chat.Installer) *Model {
	return &Model{o: o, shell: shell, install: install}
}

// Msg is the result of a command of the jobs. The root passes it to [Model.Update].
type Msg interface{ job() }

type (
	// InstalledMsg reports the end of an installation, after which there may be other agents.
	InstalledMsg struct{ err error }
	// fetchingMsg asks to show the progress of an installation.
	fetchingMsg struct{}
	// shellTickMsg asks to show the output of the running command.
	shellTickMsg struct{}
	// shellMsg carries the result of a command.
	shellMsg struct{ result chat.ShellResult }
)

func (InstalledMsg) job() {}
func (fetchingMsg) job()  {}
func (shellTickMsg) job() {}
func (shellMsg) job()     {}

// Update handles the result of a command.
func (j *Model) Update(msg Msg) tea.Cmd {
	switch msg := msg.(type) {
	case InstalledMsg:
		j.installed(msg.err)
	case fetchingMsg:
		return j.fetching()
	case shellTickMsg:
		return j.shellTick()
	case shellMsg:
		return j.shellEnded(msg)
	}
	return nil
}

// Shell returns the user's shell.
func (j *Model) Shell() *chat.Shell { return &j.shell }

// Installer returns what installs the offered runtime.
func (j *Model) Installer() *chat.Installer { return &j.install }

// shellEvery is how often the output of a running command is shown.
const shellEvery = 200 * time.Millisecond

// fetchEvery is how often the progress of an installation is shown.
const fetchEvery = 250 * time.Millisecond

// RunShell runs a command line of the user's in the session's directory.
func (j *Model) RunShell(line string) tea.Cmd {
	switch {
	case !j.shell.Available():
		j.o.Notices.Warn("No shell available. !! sends an exclamation mark")
		return nil
	case j.shell.Running():
		j.o.Notices.Warn("A command is running. esc stops it")
		return nil
	}
	j.o.Input.Remember("! " + line)
	j.o.Input.Reset()
	run := j.shell.Start(j.o.Context, j.o.Dir(), line, j.o.Look.Now())
	return tea.Batch(j.o.Input.SetValue(""), j.o.After(shellEvery, shellTickMsg{}), func() tea.Msg { return shellMsg{run()} })
}

// shellTick shows the output of the running command, until it ends.
func (j *Model) shellTick() tea.Cmd {
	if !j.shell.Running() {
		return nil
	}
	j.shown = j.shell.Output()
	j.o.Touch()
	return j.o.After(shellEvery, shellTickMsg{})
}

// shellEnded attaches the output of a command to the next prompt.
func (j *Model) shellEnded(msg shellMsg) tea.Cmd {
	a, ok := j.shell.Ended(msg.result)
	if !ok {
		return nil
	}
	j.shown = ""
	return j.o.Input.Attach(a)
}

// RunningShell returns the command of the user's shell that runs, nil if none does.
func (j *Model) RunningShell() *input.Running {
	if !j.shell.Running() {
		return nil
	}
	line, began := j.shell.Command()
	r := &input.Running{Line: line, Output: j.shown, Right: "esc stops"}
	if took := j.o.Look.Now().Sub(began); took >= style.Noticeable {
		r.Right = human.Seconds(took) + " · " + r.Right
	}
	return r
}

// InstallCommand asks whether to install the offered runtime, or stops the installation.
func (j *Model) InstallCommand(arg string) tea.Cmd {
	o := j.install.Offer()
	switch {
	case arg == "stop" && j.install.Stop():
		return nil
	case arg == "stop":
		j.o.Notices.Info("Nothing is being installed")
		return nil
	case j.install.Running():
		j.o.Notices.Info("Installing. /install stop cancels")
		return nil
	case o == nil:
		j.o.Notices.Info("Nothing to install")
		return nil
	}
	return j.o.Open(lists.Offer{Runtime: *o})
}

// StartInstall installs the runtime in the background.
func (j *Model) StartInstall() tea.Cmd {
	if j.install.Running() || j.install.Offer() == nil {
		return nil
	}
	install := j.install.Start(j.o.Context)
	return tea.Batch(j.o.After(fetchEvery, fetchingMsg{}), func() tea.Msg { return InstalledMsg{install()} })
}

// fetching shows the progress of an installation until it ends.
func (j *Model) fetching() tea.Cmd {
	if !j.install.Running() {
		return nil
	}
	j.o.Touch()
	return j.o.After(fetchEvery, fetchingMsg{})
}

// installed reports the end of an installation.
func (j *Model) installed(err error) {
	o := j.install.Ended(err)
	title := style.Visible(style.OneLine(o.Title))
	switch {
	case err == nil:
		j.o.Notices.AddFor(notice.WarnTime, "/agent "+o.Name+" starts a session: "+title+" is installed", false)
	case errors.Is(err, context.Canceled):
		j.o.Notices.Info("Installation stopped. /install starts it again")
	default:
		p := session.ProblemOf(err, j.o.Look.Now())
		j.o.Notices.Warn("Couldn't install it: " + p.What + " " + p.Next)
	}
}

// Installation returns the progress of what is being installed, nil for nothing.
func (j *Model) Installation() *status.Install {
	if !j.install.Running() {
		return nil
	}
	return &status.Install{Title: j.install.Offer().Title, InstallProgress: j.install.Progress()}
}

// CanInstall reports whether a runtime is offered.
func (j *Model) CanInstall() bool { return j.install.Offer() != nil }
