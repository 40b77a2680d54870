package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/compose"
	"parley/ui/input"
	"parley/ui/style"
)

// This file moves a prompt from the composer to the session: its files and images are read first, in the background, and
// prompts keep their order.

// readyMsg brings the files that a prompt names. late reports that they were not read in time.
type readyMsg struct {
	out   *chat.Outgoing
	files chat.Attached
	late  bool
}

// post sends what was written with everything attached.
func (m *Model) post(p input.Prompt, steer bool) tea.Cmd {
	out := &chat.Outgoing{Prompt: session.Prompt{Text: p.Text, Attachments: p.Attachments}, Steer: steer,
		Draft: chat.WithAttachments(p.Draft, chat.KeptAttachments(p.Attachments))}
	return m.dispatch(out, chat.Files{Mentions: compose.Mentions(p.Text), Images: p.Images})
}

// postFirst sends the prompt that the program was started with, and does not touch the composer.
func (m *Model) postFirst(text string) tea.Cmd {
	p := session.Prompt{Text: strings.TrimRight(text, " \n\t")}
	return m.dispatch(&chat.Outgoing{Prompt: p, Draft: chat.DraftOf(p)}, chat.Files{Mentions: compose.Mentions(p.Text)})
}

// dispatch sends a prompt once its files are read. Its draft is held until the prompt itself is on disk.
func (m *Model) dispatch(out *chat.Outgoing, named chat.Files) tea.Cmd {
	out.Ticket = m.drafts.Hold(m.draftKey, out.Draft)
	m.saveDraft()
	if !m.outbox.Add(out, named) {
		return m.sendReady()
	}
	if mod := m.model(m.settings().Model); mod != nil && !mod.Vision {
		named.Blind = style.ShortModel(mod.ID)
	}
	tree, ctx := m.opts.Tree(m.dir()), m.work.ctx
	return tea.Batch(m.work.after(chat.ReadTimeout, readyMsg{out: out, late: true}), func() tea.Msg {
		return readyMsg{out: out, files: named.Read(ctx, tree)}
	})
}

// isReady adds the files of a prompt, which may be sent then.
func (m *Model) isReady(msg readyMsg) tea.Cmd {
	if m.outbox.Complete(msg.out, msg.files) {
		if msg.late {
			m.notices.Warn("sent without the files it names: the disk does not answer")
		}
		for _, why := range msg.files.Notes {
			m.notices.Warn(why)
		}
	}
	m.touch()
	return m.sendReady()
}

// sendReady sends the prompts that are complete, in order.
func (m *Model) sendReady() tea.Cmd {
	var cmds []tea.Cmd
	for out := m.outbox.Next(); out != nil; out = m.outbox.Next() {
		if out.Err != nil {
			m.notices.Warn("not sent: " + out.Err.Error())
		}
		if out.Err == nil && m.hand(out) {
			cmds = append(cmds, m.awaitStored(out))
			continue
		}
		m.putBack(out)
	}
	return tea.Batch(cmds...)
}

// putBack restores a prompt that could not be sent in the field, before what was written since.
func (m *Model) putBack(out *chat.Outgoing) {
	m.input.PutBack(out.Draft, chat.KeptAttachments(out.Prompt.Attachments))
	m.saveDraft()
	m.drafts.Release(out.Ticket)
}

// hand sends a prompt to the session, into the running turn if it steers, and reports whether the session accepted it.
func (m *Model) hand(out *chat.Outgoing) bool {
	send := m.session.Send
	if out.Steer && m.conv.Running() != nil {
		send = m.session.Steer
	}
	id, err := send(out.Prompt)
	if err != nil {
		m.notices.Problem(err)
		return false
	}
	if out.Steer {
		m.steering[id] = true
	}
	out.Session = m.session
	m.input.Remember(out.Prompt.Text)
	if m.conv.Running() == nil { // what is queued is shown above the field, wherever the reader is
		m.conv.Follow()
	}
	return true
}
