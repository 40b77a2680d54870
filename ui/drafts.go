package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/input"
)

// drafts saves what is being written, a moment after it changed.
type drafts struct {
	opts    *Options
	work    background
	input   *input.Model
	screen  *screen
	current *current

	keeper *chat.DraftKeeper
	key    string // of what is being written
	due    bool   // a draftMsg is to come
}

// draftMsg says that it is time to save what is written.
type draftMsg struct{}

// changed has what is written saved and drawn if it changed. Saving waits a moment, since more changes are likely.
func (d *drafts) changed() tea.Cmd {
	redraw, written := d.input.Changes()
	if redraw {
		d.screen.touch()
	}
	if !written || d.due || d.opts.Drafts == nil {
		return nil
	}
	d.due = true
	return d.work.after(chat.DraftDelay, draftMsg{})
}

// set puts what was being written into the composer.
func (d *drafts) set(text string) {
	d.key = chat.DraftKey(d.current.session)
	d.fill(text)
}

// fill puts a draft into the composer.
func (d *drafts) fill(text string) {
	d.input.SetDraft(text, chat.AttachmentsOf(text))
}

// text is what is being written, with the attachments, as it is stored.
func (d *drafts) text() string { return chat.WithAttachments(d.input.Draft(), d.input.Attached()) }

// save keeps what is written.
func (d *drafts) save() {
	d.due = false
	if d.key == "" {
		return
	}
	d.keeper.Put(d.key, d.text())
}
