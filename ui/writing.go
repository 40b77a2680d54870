package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
)

// This file ties the composer to the session: drafts, history, completion.

// setDraft puts what was being written into the composer.
func (m *Model) setDraft(text string) {
	m.draftKey = chat.DraftKey(m.session)
	m.fill(text)
}

// fill puts a draft into the composer.
func (m *Model) fill(text string) {
	m.input.SetDraft(text, chat.AttachmentsOf(text))
}

// draft is what is being written, with the attachments, as it is stored.
func (m *Model) draft() string { return chat.WithAttachments(m.input.Draft(), m.input.Attached()) }

// draftMsg says that it is time to save what is written.
type draftMsg struct{}

// saveDraft keeps what is written.
func (m *Model) saveDraft() {
	m.savingSoon = false
	if m.draftKey == "" {
		return
	}
	m.drafts.Put(m.draftKey, m.draft())
}

// storedMsg says whether a prompt is on disk.
type storedMsg struct {
	out *chat.Outgoing
	err error
}

// awaitStored keeps the draft of a prompt that was handed over until the prompt is on disk.
func (m *Model) awaitStored(out *chat.Outgoing) tea.Cmd {
	if m.opts.Drafts == nil {
		return nil
	}
	m.unstored.Add(out)
	ctx := m.work.ctx
	return func() tea.Msg { return storedMsg{out, out.Session.Stored(ctx)} }
}

// stored forgets the draft of a prompt that is on disk, and of those that were handed over before it. One that could not
// be stored stays a draft; the session writes it with whatever comes next.
func (m *Model) stored(msg storedMsg) {
	if msg.err != nil {
		return
	}
	gone := m.unstored.Stored(msg.out)
	if gone == nil {
		return
	}
	for _, out := range gone {
		m.drafts.Release(out.Ticket)
	}
	if key := chat.DraftKey(m.session); m.opening == nil && m.session == msg.out.Session && key != m.draftKey {
		old := m.draftKey
		m.draftKey = key
		m.saveDraft()
		m.drafts.Put(old, "")
	}
}

// storePatience is how long the end of the program waits for prompts to be on disk, for their drafts to be forgotten.
const storePatience = time.Second

// settleDrafts saves what is written, for the last time.
func (m *Model) settleDrafts() {
	m.saveDraft()
	m.drafts.Flush() // whatever the disk of the sessions does
	ctx, cancel := context.WithTimeout(context.Background(), storePatience)
	defer cancel()
	for last := m.unstored.Last(); last != nil; last = m.unstored.Last() {
		err := last.Session.Stored(ctx)
		m.stored(storedMsg{last, err})
		if err != nil {
			m.unstored.Drop()
		}
	}
	m.drafts.Flush()
}

// history makes the prompts of the conversation available in the composer.
func (m *Model) history() {
	var prompts []string
	for _, t := range m.conv.Transcript().Turns {
		if n := len(prompts); t.Prompt.Text != "" && (n == 0 || prompts[n-1] != t.Prompt.Text) {
			prompts = append(prompts, t.Prompt.Text)
		}
	}
	m.input.SetHistory(prompts)
}
