package claude

import (
	"context"
	"slices"

	"parley/session"
)

// Wake starts a process if there is none, as after an idle time, and reads in what was said in Claude Code itself.
func (c *conversation) Wake(ctx context.Context) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.work.Add(1)
	c.mu.Unlock()
	defer c.work.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	err := c.current(ctx, waking)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sending {
		c.startIdle()
	}
	return err
}

// meetRivals tells the user, once, of processes of Claude Code itself that have the session open.
func (c *conversation) meetRivals() {
	c.mu.Lock()
	id := c.id
	c.mu.Unlock()
	pids := c.a.rivals(string(id))
	c.mu.Lock()
	fresh := slices.ContainsFunc(pids, func(pid int) bool { return !slices.Contains(c.rivals, pid) })
	c.rivals = pids
	if fresh {
		c.out.Put(c.notice(session.Warning, rivalsText(pids)))
	}
	c.mu.Unlock()
	c.out.Deliver()
}

// notice is one of the conversation's own. The lock is held.
func (c *conversation) notice(severity session.Severity, text string) session.Event {
	return session.Notice{Head: session.Head{Session: c.o.Session, Gen: c.gen, At: c.a.o.Now()}, Severity: severity, Text: text}
}

// catchUp reports whether others have added to the transcript what the process does not know: a new one has to read it.
// The user is told, and, if no prompt of theirs stands there already and nobody is still at it, shown what it was.
func (c *conversation) catchUp(ctx context.Context, e *engine, o occasion) bool {
	c.mu.Lock()
	id, busy := c.id, len(c.rivals) > 0
	c.mu.Unlock()
	if o == waking && busy {
		return false // it is read in with the prompt, when it may be complete
	}
	prompts, any := e.grown.others()
	if !any {
		return false
	}
	var said []session.Event
	text := "Claude Code itself has gone on with this session meanwhile. The agent knows of it; to see it here, open the session again."
	if events := c.saidElsewhere(ctx, id, prompts); o == waking && len(events) > 0 {
		said, text = events, "Claude Code itself has gone on with this session meanwhile, as shown above."
	}
	c.mu.Lock()
	c.out.Put(said...)
	c.out.Put(c.notice(session.Info, text))
	c.mu.Unlock()
	c.out.Deliver()
	return true
}

// saidElsewhere returns the turns that began with one of the messages, as the transcript has them.
func (c *conversation) saidElsewhere(ctx context.Context, id session.ID, messages map[session.TurnID]bool) []session.Event {
	events, err := c.a.archive.Replay(ctx, id)
	if err != nil {
		c.a.o.Log.Warn("read what was said elsewhere", "session", c.o.Session, "error", err)
		return nil
	}
	return slices.DeleteFunc(slices.Clone(events), func(e session.Event) bool { return !messages[e.Header().Turn] })
}
