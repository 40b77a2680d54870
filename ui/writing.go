package ui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// This file ties the composer to the session: drafts, history, completion.

// The draft keys of a directory and of a session begin with these.
const (
	dirDraftPrefix     = "dir:"
	sessionDraftPrefix = "session:"
)

// draftKeyOf is where what is written in a session is kept: by directory until the first prompt was sent.
func draftKeyOf(s *session.Session) string {
	if s == nil {
		return ""
	}
	if s.Draft() {
		return dirDraftPrefix + filepath.Clean(s.Meta().Dir)
	}
	return sessionDraftPrefix + string(s.ID())
}

// loadDraft reads what was being written in a session. One that cannot be read is no reason not to chat.
func (o *Options) loadDraft(s *session.Session) string { return o.draftAt(draftKeyOf(s)) }

// draftAt reads what is kept under a key.
func (o *Options) draftAt(key string) string {
	if o.Drafts == nil {
		return ""
	}
	text, _ := o.Drafts.Load(key)
	return text
}

// setDraft puts what was being written into the composer.
func (m *Model) setDraft(text string) {
	m.draftKey = draftKeyOf(m.session)
	m.fill(text)
}

// fill puts a draft into the composer.
func (m *Model) fill(text string) {
	m.along = alongOf(text)
	if m.composer.SetDraft(text) != nil {
		m.composer.Reset()
		m.composer.SetValue(text)
	}
	m.completing.Update()
}

// draft is what is being written, with what goes along, as it is kept.
func (m *Model) draft() string { return withAlong(m.composer.Draft(), m.along) }

// draftMsg says that it is time to save what is written.
type draftMsg struct{}

// saveDraft keeps what is written.
func (m *Model) saveDraft() {
	m.savingSoon = false
	if m.draftKey == "" {
		return
	}
	text := m.draft()
	if len(m.outbox) > 0 { // what is on its way is not anywhere else yet
		text = m.outbox[0].draft
	}
	m.drafts.put(m.draftKey, text)
}

// changed follows a change in the composer. Saving waits a moment, since more changes are likely.
func (m *Model) changed() tea.Cmd {
	find := m.completing.update()
	m.touch()
	if m.savingSoon || m.opts.Drafts == nil {
		return find
	}
	m.savingSoon = true
	return tea.Batch(find, m.after(draftDelay, draftMsg{}))
}

// setComposer replaces what is written, which can be undone.
func (m *Model) setComposer(text string) tea.Cmd {
	m.composer.SetValue(text)
	return m.changed()
}

// sent forgets the draft of a prompt that is on its way.
func (m *Model) sent() {
	m.emptied()
	m.saveDraft()
	m.draftKey = sessionDraftPrefix + string(m.session.ID()) // it is about to become one
}

// emptied begins a new prompt in the field.
func (m *Model) emptied() {
	m.composer.Reset()
	if m.composer.vim != nil {
		m.composer.vim.Reset()
	}
	m.completing.Update()
	m.touch()
}

// history makes the prompts of the conversation available in the composer.
func (m *Model) history() {
	var prompts []string
	for _, t := range m.feed.t.Turns {
		if n := len(prompts); t.Prompt.Text != "" && (n == 0 || prompts[n-1] != t.Prompt.Text) {
			prompts = append(prompts, t.Prompt.Text)
		}
	}
	m.past = prompts
	m.composer.SetHistory(prompts)
}

// remember adds a prompt to the history.
func (m *Model) remember(text string) {
	if n := len(m.past); n > 0 && m.past[n-1] == text {
		return
	}
	m.past = append(m.past[:len(m.past):len(m.past)], text)
	m.composer.SetHistory(m.past)
}
