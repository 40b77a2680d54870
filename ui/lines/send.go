package lines

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/shell"
	"parley/ui/style"
	"parley/ui/textarea"
)

// prompts are the prompts that the user sends, with their attachments.
type prompts struct {
	talk *talk

	sent     map[session.PromptID]bool // those that are in no turn yet
	outbox   core.Outbox               // those whose files are being read
	attached []session.Attachment      // to the next one
	loggedIn bool                      // a login check passed
	shell    *shell.Lines

	show    func(*live.Session) // switches to a session
	copying []string            // prompts for the copy that is being made
}

// post sends a prompt with its attachments: the output of shell commands, the files it mentions and the images whose paths
// it holds. Files are read in the background, and prompts stay in order.
func (p *prompts) post(text string) {
	text = strings.TrimSpace(text)
	if _, elsewhere := p.talk.elsewhere(); elsewhere || p.copying != nil {
		if p.copying = append(p.copying, text); len(p.copying) == 1 {
			p.goOn()
		}
		return
	}
	out := &core.Outgoing{Prompt: session.Prompt{Text: text, Attachments: p.attached}}
	p.attached = nil
	named, tree := core.Files{Mentions: textarea.Mentions(text), Words: core.ImagePaths(text)}, p.talk.opts.Tree(p.talk.a.Dir)
	if !p.loggedIn {
		named.Login = core.LoginCheck(p.talk.opts.Catalog)
	}
	if !p.outbox.Add(out, named) {
		p.deliver()
		return
	}
	p.talk.background(func() func() {
		with := named.Read(p.talk.ctx, tree)
		return func() {
			p.loggedIn = !core.BadLogin(with.Err)
			p.outbox.Complete(out, with)
			for _, why := range with.Notes {
				p.talk.print("note", style.OneLine(why))
			}
			p.deliver()
		}
	})
}

// deliver sends the prompts whose files were read, and prints their attachments.
func (p *prompts) deliver() {
	for out := p.outbox.Next(); out != nil; out = p.outbox.Next() {
		if out.Err != nil {
			p.attached = append(core.KeptAttachments(out.Prompt.Attachments), p.attached...)
			if core.BadLogin(out.Err) {
				p.talk.problem(out.Err)
				p.talk.print("note", "Not sent. /login signs in; then send it again.")
				continue
			}
			p.talk.print("error", "not sent: "+style.OneLine(out.Err.Error()))
			continue
		}
		var names []string
		for _, a := range out.Prompt.Attachments {
			names = append(names, core.AttachmentName(p.talk.look.Dir, p.talk.look.Home, a))
		}
		if names != nil {
			p.talk.print("note", "Attached: "+strings.Join(names, "; "))
		}
		id, err := p.talk.session.Send(out.Prompt)
		if err != nil {
			p.talk.problem(err)
			continue
		}
		p.sent[id] = true
	}
}

// attach adds an attachment to the next prompt.
func (p *prompts) attach(a session.Attachment) { p.attached = append(p.attached, a) }

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
