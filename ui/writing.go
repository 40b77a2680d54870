package ui

import (
	"context"
	"time"

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

// This file ties the composer to the session: drafts, history, completion.

// setDraft puts what was being written into the composer.
func (d *drafts) set(text string) {
	d.key = chat.DraftKey(d.current.session)
	d.fill(text)
}

// fill puts a draft into the composer.
func (d *drafts) fill(text string) {
	d.input.SetDraft(text, chat.AttachmentsOf(text))
}

// draft is what is being written, with the attachments, as it is stored.
func (d *drafts) text() string { return chat.WithAttachments(d.input.Draft(), d.input.Attached()) }

// draftMsg says that it is time to save what is written.
type draftMsg struct{}

// saveDraft keeps what is written.
func (d *drafts) save() {
	d.due = false
	if d.key == "" {
		return
	}
	d.keeper.Put(d.key, d.text())
}

// storedMsg says whether a prompt is on disk.
type storedMsg struct {
	out *chat.Outgoing
	err error
}

// awaitStored keeps the draft of a prompt that was handed over until the prompt is on disk.
func (ps *prompts) awaitStored(out *chat.Outgoing) tea.Cmd {
	if ps.opts.Drafts == nil {
		return nil
	}
	ps.unstored.Add(out)
	ctx := ps.work.ctx
	return func() tea.Msg { return storedMsg{out, out.Session.Stored(ctx)} }
}

// stored forgets the draft of a prompt that is on disk, and of those that were handed over before it. One that could not
// be stored stays a draft; the session writes it with whatever comes next.
func (ps *prompts) stored(msg storedMsg) {
	if msg.err != nil {
		return
	}
	gone := ps.unstored.Stored(msg.out)
	if gone == nil {
		return
	}
	for _, out := range gone {
		ps.drafts.keeper.Release(out.Ticket)
	}
	if key := chat.DraftKey(ps.current.session); ps.current.opening == nil && ps.current.session == msg.out.Session && key != ps.drafts.key {
		old := ps.drafts.key
		ps.drafts.key = key
		ps.drafts.save()
		ps.drafts.keeper.Put(old, "")
	}
}

// storePatience is how long the end of the program waits for prompts to be on disk, for their drafts to be forgotten.
const storePatience = time.Second

// settleDrafts saves what is written, for the last time.
func (ps *prompts) settle() {
	ps.drafts.save()
	ps.drafts.keeper.Flush() // whatever the disk of the sessions does
	ctx, cancel := context.WithTimeout(context.Background(), storePatience)
	defer cancel()
	for last := ps.unstored.Last(); last != nil; last = ps.unstored.Last() {
		err := last.Session.Stored(ctx)
		ps.stored(storedMsg{last, err})
		if err != nil {
			ps.unstored.Drop()
		}
	}
	ps.drafts.keeper.Flush()
}

// history makes the prompts of the conversation available in the composer.
func (ps *prompts) history() {
	var prompts []string
	for _, t := range ps.conv.Transcript().Turns {
		if n := len(prompts); t.Prompt.Text != "" && (n == 0 || prompts[n-1] != t.Prompt.Text) {
			prompts = append(prompts, t.Prompt.Text)
		}
	}
	ps.input.SetHistory(prompts)
}
