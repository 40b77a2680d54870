package lines

import (
	"parley/internal/human"
	"parley/ui/style"
)

// runShell runs a command of the user in the session's directory, prints its output and attaches it to the next prompt.
func (p *prompts) runShell(line string) {
	switch {
	case !p.shell.Available():
		p.talk.print("note", "No shell available. !! sends an exclamation mark")
		return
	case p.shell.Running():
		p.talk.print("note", "A command is running. Stop it with /stop or ctrl+c")
		return
	}
	run := p.shell.Start(p.talk.ctx, p.talk.a.Dir, line, p.talk.opts.Now())
	p.talk.background(func() func() {
		result := run()
		return func() {
			a, _ := p.shell.Ended(result)
			p.attached = append(p.attached, a)
			p.talk.print("shell", a.Text)
			p.talk.print("note", "Attached to the next prompt. Remove it with /drop")
		}
	})
}

// drop removes the attachments of the next prompt.
func (p *prompts) drop() {
	if len(p.attached) == 0 {
		p.talk.print("note", "Nothing is attached to the next prompt")
		return
	}
	p.attached = nil
	p.talk.print("note", "Attachments removed")
}

// stop stops the user's shell command, or else the turn, and reports whether one ran.
func (p *prompts) stop() (any bool) {
	if p.shell.Stop() {
		return true
	}
	if p.talk.a.Running() == nil {
		return false
	}
	p.halt()
	return true
}

// halt interrupts the turn. Prompts that wait are held, and those whose files are still being read are not sent.
func (p *prompts) halt() {
	if n := p.talk.session.Hold(); n > 0 {
		p.talk.print("note", human.Count(n, "queued prompt waits", "queued prompts wait")+": /queue send or /queue drop. A new prompt goes first")
	}
	p.talk.session.Abort()
	for _, out := range p.outbox.TakeBack() {
		p.talk.print("note", "Not sent: "+style.OneLine(out.Prompt.Text))
	}
}
