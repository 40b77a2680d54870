package copilot

import (
	"context"
	"maps"
	"slices"
	"time"

	"parley/session"
	"parley/session/copilot/driver"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
)

// foreignPrompts tracks the prompts that other programs add to the file of a session while it is open here: the user may
// continue it in the Copilot CLI.
type foreignPrompts struct {
	next  int64     // the position in the file after what was read, negative before; used while the session is opened
	since time.Time // when the last turn of the history began
	// known are the turns that are shown, and those that the runtime announced. The conversation's lock guards it.
	known map[session.TurnID]bool
}

// newForeignPrompts begins with what the conversation shows.
func newForeignPrompts(h *session.Transcript) *foreignPrompts {
	f := &foreignPrompts{next: -1, known: map[session.TurnID]bool{}}
	if h != nil {
		for _, t := range h.Turns {
			f.known[t.ID] = true
			if t.Started.After(f.since) {
				f.since = t.Started
			}
		}
	}
	return f
}

// hear notes a prompt that our runtime announced. The conversation's lock is held.
func (f *foreignPrompts) hear(e protocol.Event) {
	if t, ok := mapper.ForeignPrompt("", e); ok {
		f.known[t.Turn] = true
	}
}

// foreignChange reports whether another program continued the session, so that the runtime has to read it again, and notifies the
// user. While waking it shows the added turns, unless the other program still has it open: the next prompt then reads them complete.
func foreignChange(ctx context.Context, c *conversation, l *link, o occasion) bool {
	f := c.foreign
	turns, next := c.a.Archive.PromptsSince(ctx, c.o.Session, f.next)
	c.Mu.Lock()
	turns = slices.DeleteFunc(turns, func(t session.TurnStarted) bool { return f.known[t.Turn] || t.At.Before(f.since) })
	c.Mu.Unlock()
	if len(turns) > 0 && o == waking && len(c.a.Users(c.o.Session)) > 0 {
		return false
	}
	f.next = next
	if len(turns) == 0 {
		return false
	}
	added := map[session.TurnID]bool{}
	for _, t := range turns {
		added[t.Turn] = true
	}
	text := "Copilot itself has gone on with this session meanwhile. The agent knows of it; to see it here, open the session again."
	var shown []session.Event
	if o == waking {
		if shown = eventsOfTurns(ctx, c, added); len(shown) > 0 {
			text = "Copilot itself has gone on with this session meanwhile, as shown above."
		}
	}
	c.Mu.Lock()
	maps.Copy(f.known, added)
	c.Out.Put(shown...)
	c.Out.Put(c.Notice(session.Info, text))
	c.Mu.Unlock()
	c.Out.Deliver()
	return l != nil
}

// eventsOfTurns returns the events of turns in the runtime's file.
func eventsOfTurns(ctx context.Context, c *conversation, turns map[session.TurnID]bool) []session.Event {
	events, err := c.a.Archive.Replay(ctx, c.o.Session)
	if err != nil {
		c.a.o.Log.Warn("read the turns of another program", "session", c.o.Session, "error", err)
		return nil
	}
	return slices.DeleteFunc(slices.Clone(events), func(e session.Event) bool { return !turns[e.Header().Turn] })
}

// Users returns the processes of Copilot besides ours that have a session open; see [session.Remover].
func (a *Agent) Users(id session.ID) []int {
	return slices.DeleteFunc(a.Archive.Users(id), func(pid int) bool {
		return slices.ContainsFunc(a.runs.running(), func(ours *driver.Client) bool { return pid == ours.Pid() })
	})
}
