package ui

import (
	"context"

	"parley/session"
)

// runShell runs a command line of the user's in the session's directory, says what it wrote, and lets that go along with
// the next prompt.
func (p *lineChat) runShell(line string) {
	switch {
	case p.opts.Shell == nil:
		p.say("note", "there is no shell here; !! sends an exclamation mark")
		return
	case p.stopShell != nil:
		p.say("note", "a command is running: /stop or ctrl+c stops it")
		return
	}
	ctx, cancel := context.WithCancel(p.ctx)
	p.stopShell = cancel
	out, dir, run := &shellOutput{}, p.a.dir, p.opts.Shell
	p.background(func() func() {
		defer cancel()
		status, err := run(ctx, dir, line, out.write)
		return func() {
			p.stopShell = nil
			text := out.ended(status, err)
			p.along = append(p.along, session.Attachment{Kind: session.AttachCommand, Path: line, Text: text})
			p.say("shell", text)
			p.say("note", "this goes along with the next prompt; /drop drops it")
		}
	})
}

// drop takes away what would go along with the next prompt.
func (p *lineChat) drop(string) bool {
	if len(p.along) == 0 {
		p.say("note", "nothing goes along with the next prompt")
		return false
	}
	p.along = nil
	p.say("note", "what the command wrote does not go along")
	return false
}

// stop ends what runs: a command of the user's, else the turn.
func (p *lineChat) stop() (any bool) {
	if p.stopShell != nil {
		p.stopShell()
		return true
	}
	if p.a.running() == nil {
		return false
	}
	p.session.Abort()
	return true
}
