package plain

import (
	"strings"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/compose"
	"parley/ui/style"
)

// This file sends a prompt: the files it names behind @, the images whose paths are in it and the output of the user's shell
// are attached. Files are read in the background, and prompts keep their order.

// post sends a line with all that goes along.
func (p *console) post(text string) {
	text = strings.TrimSpace(text)
	out := &chat.Outgoing{Prompt: session.Prompt{Text: text, Attachments: p.along}}
	p.along = nil
	named, tree := chat.Files{Mentions: compose.Mentions(text), Words: chat.ImagePaths(text)}, p.opts.Tree(p.a.dir)
	if !p.outbox.Add(out, named) {
		p.deliver()
		return
	}
	p.background(func() func() {
		with := named.Read(p.ctx, tree)
		return func() {
			p.outbox.Complete(out, with)
			for _, why := range with.Notes {
				p.say("note", style.OneLine(why))
			}
			p.deliver()
		}
	})
}

// deliver hands over the prompts that are complete, and says what goes along.
func (p *console) deliver() {
	for out := p.outbox.Next(); out != nil; out = p.outbox.Next() {
		if out.Err != nil {
			p.along = append(chat.KeptAttachments(out.Prompt.Attachments), p.along...)
			p.say("error", "not sent: "+style.OneLine(out.Err.Error()))
			continue
		}
		var names []string
		for _, a := range out.Prompt.Attachments {
			names = append(names, chat.AttachmentName(p.look.Dir, p.look.Home, a))
		}
		if names != nil {
			p.say("note", "goes along: "+strings.Join(names, "; "))
		}
		id, err := p.session.Send(out.Prompt)
		if err != nil {
			p.problem(err)
			continue
		}
		p.sent[id] = true
	}
}
