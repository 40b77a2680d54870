package chat

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/queue"
)

// refreshQueue updates the open list of the prompts that wait.
func (ps *prompts) refreshQueue() {
	ps.tell(list.Fresh{Source: queue.List{Prompts: ps.conv.Transcript().Queue, Steered: ps.current.steered()}})
}

// reclaim puts a prompt that was taken out of the queue back into the field.
func (ps *prompts) reclaim(p session.Prompt) tea.Cmd {
	return ps.input.Reclaim(p.Text, core.ImageChips(p), core.KeptAttachments(p.Attachments))
}

// takeBack moves a waiting prompt into the field, before what is written there.
func (ps *prompts) takeBack(id session.PromptID) tea.Cmd {
	p, ok := ps.current.session.Unqueue(id)
	if !ok {
		ps.notices.Warn("Already sent")
		return nil
	}
	return ps.reclaim(p)
}

// dropQueued removes a waiting prompt; the history of the field still has its text.
func (ps *prompts) dropQueued(id session.PromptID) {
	if _, ok := ps.current.session.Unqueue(id); !ok {
		ps.notices.Warn("Already sent")
	}
}

// storedMsg reports that a prompt is on disk, or cannot be.
type storedMsg struct {
	out *core.Outgoing
	err error
}

// awaitStored returns a command that waits until a prompt is on disk; until then its draft stays.
func (ps *prompts) awaitStored(out *core.Outgoing) tea.Cmd {
	if ps.opts.Drafts == nil {
		return nil
	}
	ps.unstored.Add(out)
	ctx := ps.work.ctx
	return func() tea.Msg { return storedMsg{out, out.Session.Stored(ctx)} }
}

// stored removes the draft of a prompt that is on disk, and of those sent before it. A prompt that could not be stored keeps
// its draft; the session writes it with the next event.
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
	if key := core.DraftKey(ps.current.session); ps.current.opening == nil && ps.current.session == msg.out.Session && key != ps.drafts.key {
		old := ps.drafts.key
		ps.drafts.key = key
		ps.drafts.save()
		ps.drafts.keeper.Put(old, "")
	}
}

// storePatience is the time for which the end of the program waits for prompts to be on disk.
const storePatience = time.Second

// settle saves the drafts at the end of the program.
func (ps *prompts) settle() {
	ps.drafts.save()
	ps.drafts.keeper.Flush() // before the disk of the sessions is waited for
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
