package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
)

// shell is the user's own shell, whose commands begin with an exclamation mark.
type shell struct {
	chat.Shell
	shown string // the running command's output, as it was last looked at
}

// shellEvery is how often the output of a running command is shown.
const shellEvery = 200 * time.Millisecond

type (
	// shellTickMsg asks to show the output of the running command.
	shellTickMsg struct{}
	// shellMsg brings the result of a command.
	shellMsg struct{ result chat.ShellResult }
)

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
