package shell

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/ui/core"
	"parley/ui/input"
	"parley/ui/notice"
	"parley/ui/style"
)

// Options configure the shell.
type Options struct {
	Context context.Context
	// After returns a command that delivers a message later, unless the program ends before.
	After   func(d time.Duration, msg tea.Msg) tea.Cmd
	Look    *style.Look
	Input   *input.Model
	Notices *notice.Model
	// Touch asks for a frame, Dir returns the session's directory.
	Touch func()
	Dir   func() string
}

// Model runs commands of the user. The event loop owns it.
type Model struct {
	core.Shell

	o     Options
	shown string // the running command's output, at the last tick
}

// New returns a model on the user's shell.
func New(o Options, shell core.Shell) *Model { return &Model{Shell: shell, o: o} }

// Msg is the result of a command of the model. The root passes it to [Model.Update].
type Msg interface{ shell() }

type (
	// tickMsg asks to show the output of the running command.
	tickMsg struct{}
	// endedMsg carries the result of a command.
	endedMsg struct{ result core.ShellResult }
)

func (tickMsg) shell()  {}
func (endedMsg) shell() {}

// Update handles the result of a command.
func (s *Model) Update(msg Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		return s.tick()
	case endedMsg:
		return s.ended(msg)
	}
	return nil
}

// showEvery is the interval at which the output of a running command is shown.
const showEvery = 200 * time.Millisecond

// Run runs a command line of the user's in the session's directory.
func (s *Model) Run(line string) tea.Cmd {
	switch {
	case !s.Available():
		s.o.Notices.Warn("No shell available. !! sends an exclamation mark")
		return nil
	case s.Running():
		s.o.Notices.Warn("A command is running. Stop it with esc")
		return nil
	}
	s.o.Input.Remember("! " + line)
	s.o.Input.Reset()
	run := s.Start(s.o.Context, s.o.Dir(), line, s.o.Look.Now())
	return tea.Batch(s.o.Input.SetValue(""), s.o.After(showEvery, tickMsg{}), func() tea.Msg { return endedMsg{run()} })
}

// tick shows the output of the running command, until it ends.
func (s *Model) tick() tea.Cmd {
	if !s.Running() {
		return nil
	}
	s.shown = s.Output()
	s.o.Touch()
	return s.o.After(showEvery, tickMsg{})
}

// ended attaches the output of a command to the next prompt.
func (s *Model) ended(msg endedMsg) tea.Cmd {
	a, ok := s.Ended(msg.result)
	if !ok {
		return nil
	}
	s.shown = ""
	return s.o.Input.Attach(a)
}

// RunningCommand returns the command of the user's shell that runs, nil if none does.
func (s *Model) RunningCommand() *input.Running {
	if !s.Running() {
		return nil
	}
	line, began := s.Command()
	r := &input.Running{Line: line, Output: s.shown, Right: "esc to stop"}
	if took := s.o.Look.Now().Sub(began); took >= style.Noticeable {
		r.Right = human.Seconds(took) + " · " + r.Right
	}
	return r
}
