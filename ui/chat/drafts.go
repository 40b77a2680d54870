package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	questions "parley/ui/question/view"
	"parley/ui/textarea"
)

// drafts saves what is being written, a moment after it changed.
type drafts struct {
	*parts

	current *current
	asks    *questions.Asks

	keeper *core.DraftKeeper
	first  string // of the session shown first
	key    string // of what is being written
	due    bool   // a draftMsg is to come
}

// draftMsg is due a moment after what is written changed.
type draftMsg struct{}

// changed requests a frame if the field changed, and saves what is written a moment later, since more changes are likely.
func (d *drafts) changed() tea.Cmd {
	redraw, written := d.input.Changes()
	if d.asks.Rewritten() {
		written = true
	}
	if redraw {
		d.screen.touch()
	}
	if !written || d.due || d.opts.Drafts == nil {
		return nil
	}
	d.due = true
	return d.work.after(core.DraftDelay, draftMsg{})
}

// set puts the draft of the session that is shown into the field.
func (d *drafts) set(text string) {
	d.key = core.DraftKey(d.current.session)
	d.fill(text)
}

// fill puts a draft into the field and leaves its key.
func (d *drafts) fill(text string) {
	d.input.SetDraft(text, core.AttachmentsOf(text))
}

// text returns what is being written, with the attachments, as it is stored. A plan that the user changed stands before it.
func (d *drafts) text() string {
	draft := d.input.Draft()
	if plan := d.asks.Unsent(); plan != "" {
		draft = textarea.JoinDrafts(core.DraftOf(session.Prompt{Text: plan}), draft)
	}
	return core.WithAttachments(draft, d.input.Attached())
}

// save stores what is written.
func (d *drafts) save() {
	d.due = false
	if d.key == "" {
		return
	}
	d.keeper.Put(d.key, d.text())
}
