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
func (m *Model) runShell(line string) tea.Cmd {
	switch {
	case !m.shell.Available():
		m.notices.Warn("there is no shell here; !! sends an exclamation mark")
		return nil
	case m.shell.Running():
		m.notices.Warn("a command is running: esc stops it")
		return nil
	}
	m.input.Remember("! " + line)
	m.input.Reset()
	run := m.shell.Start(m.work.ctx, m.dir(), line, m.look.Now())
	return tea.Batch(m.input.SetValue(""), m.work.after(shellEvery, shellTickMsg{}), func() tea.Msg { return shellMsg{run()} })
}

// shellTick shows the output of the running command, until it ends.
func (m *Model) shellTick() tea.Cmd {
	if !m.shell.Running() {
		return nil
	}
	m.shell.shown = m.shell.Output()
	m.touch()
	return m.work.after(shellEvery, shellTickMsg{})
}

// shellEnded attaches the output of a command to the next prompt.
func (m *Model) shellEnded(msg shellMsg) tea.Cmd {
	a, ok := m.shell.Ended(msg.result)
	if !ok {
		return nil
	}
	m.shell.shown = ""
	return m.input.Attach(a)
}
