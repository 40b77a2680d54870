package claude

import (
	"context"
	"slices"

	"parley/session"
)

// Wake starts a process if there is none, or if another program changed the transcript.
func (c *conversation) Wake(ctx context.Context) error {
	return c.WakeUp(ctx, func(ctx context.Context) error { return c.ensureProcess(ctx, waking) })
}

// warnOfOthers warns, once, of other Claude Code processes that have the session open.
func (c *conversation) warnOfOthers() {
	c.Mu.Lock()
	id := c.id
	c.Mu.Unlock()
	pids := c.a.Users(id)
	c.Mu.Lock()
	isNew := slices.ContainsFunc(pids, func(pid int) bool { return !slices.Contains(c.others, pid) })
	c.others = pids
	if isNew {
		c.Out.Put(c.Notice(session.Warning, othersText(pids)))
	}
	c.Mu.Unlock()
	c.Out.Deliver()
}

// foreignChange reports whether another program added to the transcript, which needs a new process, and notifies the user.
// While waking it shows the added turns, unless the other program still runs: the next prompt then reads them complete.
func (c *conversation) foreignChange(ctx context.Context, e *engine, o occasion) bool {
	c.Mu.Lock()
	id, busy := c.id, len(c.others) > 0
	c.Mu.Unlock()
	if o == waking && busy {
		return false
	}
	prompts, found := e.foreign.read()
	if !found {
		return false
	}
	var shown []session.Event
	text := "Claude Code itself has gone on with this session meanwhile. The agent knows of it; to see it here, open the session again."
	if events := c.turnsOf(ctx, id, prompts); o == waking && len(events) > 0 {
		shown, text = events, "Claude Code itself has gone on with this session meanwhile, as shown above."
	}
	c.Mu.Lock()
	c.Out.Put(shown...)
	c.Out.Put(c.Notice(session.Info, text))
	c.Mu.Unlock()
	c.Out.Deliver()
	return true
}

// turnsOf returns the events of the turns that these messages began, from the transcript.
func (c *conversation) turnsOf(ctx context.Context, id session.ID, messages map[session.TurnID]bool) []session.Event {
	events, err := c.a.Archive.Replay(ctx, id)
	if err != nil {
		c.a.o.Log.Warn("read the turns of another program", "session", c.o.Session, "error", err)
		return nil
	}
	events = slices.DeleteFunc(slices.Clone(events), func(e session.Event) bool { return !messages[e.Header().Turn] })
	if c.o.Files != nil && slices.ContainsFunc(events, hasEdits) {
		c.addBefore(ctx, id, events)
	}
	return events
}

func hasEdits(e session.Event) bool {
	ended, ok := e.(session.ToolEnded)
	return ok && len(ended.Edits) > 0
}

// addBefore adds what files contained before to the ends of calls that changed them, for the tracker of files.
func (c *conversation) addBefore(ctx context.Context, id session.ID, events []session.Event) {
	ends, err := c.a.Archive.ReplayEdits(ctx, id)
	if err != nil {
		c.a.o.Log.Warn("read the edits of another program", "session", c.o.Session, "error", err)
		return
	}
	for i, e := range events {
		ended, ok := e.(session.ToolEnded)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(ends, func(o session.ToolEnded) bool { return o.Call == ended.Call }); at >= 0 {
			ended.Edits = ends[at].Edits
			events[i] = ended
		}
	}
}
