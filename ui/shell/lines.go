package shell

import (
	"parley/session"
	"parley/ui/core"
)

// Lines runs commands of the user in the chat in lines, which owns it.
type Lines struct {
	core.Shell

	talk   *core.Lines
	attach func(session.Attachment)
}

// InLines returns what runs commands in the chat in lines. attach attaches their output to the next prompt.
func InLines(t *core.Lines, attach func(session.Attachment)) *Lines {
	return &Lines{Shell: core.NewShell(t.Options.Shell), talk: t, attach: attach}
}

// Run runs a command line of the user's in the session's directory, prints its output and attaches it.
func (l *Lines) Run(line string) {
	switch {
	case !l.Available():
		l.talk.Print("note", "No shell available. !! sends an exclamation mark")
		return
	case l.Running():
		l.talk.Print("note", "A command is running. Stop it with /stop or ctrl+c")
		return
	}
	run := l.Start(l.talk.Context, l.talk.Current().Dir, line, l.talk.Look.Now())
	l.talk.Background(func() func() {
		result := run()
		return func() {
			a, _ := l.Ended(result)
			l.attach(a)
			l.talk.Print("shell", a.Text)
			l.talk.Print("note", "Attached to the next prompt. Remove it with /drop")
		}
	})
}
