package chat

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/input"
	"parley/ui/style"
	"parley/ui/textarea"
)

// prompts moves a prompt from the field to the session: its files and images are read first, in the background, and prompts
// keep their order.
type prompts struct {
	*parts

	current *current
	choices *choices
	drafts  *drafts

	outbox   core.Outbox   // prompts whose files are being read
	unstored core.Unstored // prompts sent that may not be on disk yet
}

// readyMsg carries the files that a prompt names. late reports that they were not read in time.
type readyMsg struct {
	out   *core.Outgoing
	files core.Attached
	late  bool
	named bool // there was something to read
}

// prepared returns what was written as a prompt with everything attached.
func prepared(p input.Prompt, steer bool) core.Prepared {
	return core.Prepared{Prompt: session.Prompt{Text: p.Text, Attachments: p.Attachments}, Images: p.Images, Draft: p.Draft, Steer: steer}
}

// hold stores the draft of a prompt that is shown once more before it is sent, until send or putBack.
func (ps *prompts) hold(p core.Prepared) core.Prepared {
	p.Ticket = ps.drafts.keeper.Hold(ps.drafts.key, core.WithAttachments(p.Draft, core.KeptAttachments(p.Prompt.Attachments)))
	ps.drafts.save()
	return p
}

// putBack puts a prompt that was held into the field.
func (ps *prompts) putBack(p core.Prepared) {
	ps.input.PutBack(p.Draft, core.KeptAttachments(p.Prompt.Attachments))
	ps.drafts.save()
	ps.drafts.keeper.Release(p.Ticket)
}

// submit sends a prompt, into the running turn if the user steers and the agent can do that.
func (ps *prompts) submit(p core.Prepared) tea.Cmd {
	if p.Ticket != 0 {
		defer ps.drafts.keeper.Release(p.Ticket)
	}
	p.Steer = p.Steer && ps.conv.Running() != nil
	if p.Steer && !ps.current.steers() {
		p.Steer = false
		cmd := ps.post(p)
		ps.notices.Info("Queued: this agent can't take messages while it works")
		return cmd
	}
	return ps.post(p)
}

// post sends a prompt.
func (ps *prompts) post(p core.Prepared) tea.Cmd {
	out := &core.Outgoing{Prompt: p.Prompt, Steer: p.Steer, Draft: core.WithAttachments(p.Draft, core.KeptAttachments(p.Prompt.Attachments))}
	return ps.dispatch(out, core.Files{Mentions: textarea.Mentions(p.Prompt.Text), Images: p.Images})
}

// postFirst sends the prompt that the program was started with, and does not touch the composer.
func (ps *prompts) postFirst(text string) tea.Cmd {
	p := session.Prompt{Text: strings.TrimRight(text, " \n\t")}
	return ps.dispatch(&core.Outgoing{Prompt: p, Draft: core.DraftOf(p)}, core.Files{Mentions: textarea.Mentions(p.Text)})
}

// retry sends the last prompt again, if its turn failed and that may help.
func (ps *prompts) retry() tea.Cmd {
	p := core.FailedPrompt(ps.conv.Transcript())
	if p == nil {
		return nil
	}
	q := *p
	q.ID = ""
	ps.input.Reset()
	return ps.dispatch(&core.Outgoing{Prompt: q, Draft: core.DraftOf(q)}, core.Files{})
}

// dispatch sends a prompt once its files are read. Its draft stays until the prompt is on disk.
func (ps *prompts) dispatch(out *core.Outgoing, named core.Files) tea.Cmd {
	out.Ticket = ps.drafts.keeper.Hold(ps.drafts.key, out.Draft)
	ps.drafts.save()
	if !ps.choices.answered || ps.choices.refused {
		named.Login = core.LoginCheck(ps.opts.Catalog)
	}
	if !ps.outbox.Add(out, named) {
		return ps.sendReady()
	}
	if mod := ps.choices.model(ps.current.settings().Model); mod != nil && !mod.Vision {
		named.Blind = style.ShortModel(mod.ID)
	}
	tree, ctx := ps.opts.Tree(ps.current.dir()), ps.work.ctx
	return tea.Batch(ps.work.after(core.ReadTimeout, readyMsg{out: out, late: true, named: named.Named()}), func() tea.Msg {
		return readyMsg{out: out, files: named.Read(ctx, tree)}
	})
}

// filesRead adds the files of a prompt and sends what is complete.
func (ps *prompts) filesRead(msg readyMsg) tea.Cmd {
	if ps.outbox.Complete(msg.out, msg.files) {
		if msg.late && msg.named {
			ps.notices.Warn("Sent without attachments: reading them timed out")
		}
		for _, why := range msg.files.Notes {
			ps.notices.Warn(why)
		}
	}
	ps.screen.touch()
	return ps.sendReady()
}

// sendReady sends the prompts that are complete, in order.
func (ps *prompts) sendReady() tea.Cmd {
	var cmds []tea.Cmd
	for out := ps.outbox.Next(); out != nil; out = ps.outbox.Next() {
		if core.BadLogin(out.Err) {
			ps.notices.Warn("Not sent, /login signs in: " + session.ProblemOf(out.Err, ps.look.Now()).What) // the end may be cut
		} else if out.Err != nil {
			ps.notices.Warn("Not sent: " + out.Err.Error())
		}
		if out.Err == nil && ps.send(out) {
			cmds = append(cmds, ps.awaitStored(out))
			continue
		}
		ps.restore(out)
	}
	return tea.Batch(cmds...)
}

// send sends a prompt to the session, into the running turn if it steers, and reports whether the session accepted it.
func (ps *prompts) send(out *core.Outgoing) bool {
	send := ps.current.session.Send
	if out.Steer && ps.conv.Running() != nil {
		send = ps.current.session.Steer
	}
	id, err := send(out.Prompt)
	if err != nil {
		ps.notices.Problem(err)
		return false
	}
	if out.Steer {
		ps.current.steering[id] = true
	}
	out.Session = ps.current.session
	ps.input.Remember(out.Prompt.Text)
	if ps.conv.Running() == nil { // what is queued is shown above the field, wherever the reader is
		ps.conv.Follow()
	}
	return true
}

// recall puts the prompts whose files are still being read back into the field: the user who interrupts sends them again or not.
func (ps *prompts) recall() {
	for _, out := range slices.Backward(ps.outbox.TakeBack()) {
		ps.restore(out)
	}
}

// restore puts a prompt that could not be sent back into the field, before what was written since.
func (ps *prompts) restore(out *core.Outgoing) {
	ps.input.PutBack(out.Draft, core.KeptAttachments(out.Prompt.Attachments))
	ps.drafts.save()
	ps.drafts.keeper.Release(out.Ticket)
}

// history gives the field the prompts of the conversation.
func (ps *prompts) history() {
	var prompts []string
	for _, t := range ps.conv.Transcript().Turns {
		if n := len(prompts); t.Prompt.Text != "" && (n == 0 || prompts[n-1] != t.Prompt.Text) {
			prompts = append(prompts, t.Prompt.Text)
		}
	}
	ps.input.SetHistory(prompts)
}

// commandsMsg reports that the agent's commands are known, or never will be, while a command waited for that.
type commandsMsg struct {
	text string // what was written
	err  error
}

// awaitCommands leaves a command that may be the agent's in the field until the agent's commands are known.
func (ps *prompts) awaitCommands(text string, wait func(context.Context) error) tea.Cmd {
	ps.current.warm()
	ps.notices.AddFor(core.CommandsTimeout, "Starting the agent to look up its commands", false)
	ctx := ps.work.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, core.CommandsTimeout)
		defer cancel()
		return commandsMsg{text, wait(ctx)}
	}
}

// gotCommands reports whether the command that waited is to run now: the commands are known, and the field has not changed.
func (ps *prompts) gotCommands(msg commandsMsg) bool {
	ps.notices.Clear() // it does not wait any more
	if ps.input.Value() != msg.text {
		return false
	}
	if msg.err != nil {
		ps.notices.Warn("Couldn't load the agent's commands: " + session.ProblemOf(msg.err, ps.look.Now()).What)
		return false
	}
	return true
}
