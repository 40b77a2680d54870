package plain

// runShell runs a command line of the user's in the session's directory, says what it wrote, and lets that go along with
// the next prompt.
func (p *console) runShell(line string) {
	switch {
	case !p.shell.Available():
		p.say("note", "there is no shell here; !! sends an exclamation mark")
		return
	case p.shell.Running():
		p.say("note", "a command is running: /stop or ctrl+c stops it")
		return
	}
	run := p.shell.Start(p.ctx, p.a.dir, line, p.opts.Now())
	p.background(func() func() {
		result := run()
		return func() {
			a, _ := p.shell.Ended(result)
			p.along = append(p.along, a)
			p.say("shell", a.Text)
			p.say("note", "this goes along with the next prompt; /drop drops it")
		}
	})
}

// drop takes away what would go along with the next prompt.
func (p *console) drop(string) bool {
	if len(p.along) == 0 {
		p.say("note", "nothing goes along with the next prompt")
		return false
	}
	p.along = nil
	p.say("note", "what the command wrote does not go along")
	return false
}

// stop ends what runs: a command of the user's, else the turn.
func (p *console) stop() (any bool) {
	if p.shell.Stop() {
		return true
	}
	if p.a.running() == nil {
		return false
	}
	p.session.Abort()
	return true
}
