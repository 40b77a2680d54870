package claude

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/mapper"
)

// hearing is how one process is heard by its conversation.
type hearing struct {
	c *conversation
	e *engine
}

var _ listener = (*hearing)(nil)

// line maps one line of the runtime.
func (h *hearing) line(data []byte) {
	c, e := h.c, h.e
	now := c.a.o.Now()
	var spent int64
	if !bytes.HasPrefix(data, streamed) { // such a line may end a turn
		spent = c.a.o.Spent(c.o.Session)
	}
	output := shellOutput(data, func(task string) string {
		c.mu.Lock()
		defer c.mu.Unlock()
		return e.m.OutputFile(task)
	})
	c.mu.Lock()
	e.m.SetOutput(output)
	running := e.m.Turn()
	waiting := len(e.waiting)
	heard := c.adjust(e, e.take(data, now))
	events := c.price(heard, e.m.Head(now), spent)
	c.out.Put(events...)
	if e.m.Turn() != running || len(e.waiting) != waiting {
		c.note()
	}
	c.mu.Unlock()
	c.out.Deliver()
}

// price puts behind what is heard of a turn, and before its end, what it has cost meanwhile. The lock is held.
func (c *conversation) price(events []session.Event, running session.Head, spent int64) []session.Event {
	if spent <= c.spent {
		return events
	}
	i := slices.IndexFunc(events, func(e session.Event) bool { _, ends := e.(session.TurnEnded); return ends })
	switch {
	case i >= 0:
		running = events[i].Header()
	case running.Turn != "":
		i = len(events)
	default:
		return events
	}
	cost := session.CreditsReported{Head: running, NanoAIU: spent - c.spent}
	c.spent = spent
	return slices.Insert(events, i, session.Event(cost))
}

// late tells what the newest turn has cost since its end: requests that an interrupt has cut off are settled later, and a
// title is made after the turn. The lock is held.
func (c *conversation) late(spent int64) []session.Event {
	if spent <= c.spent || c.wrote == "" {
		return nil
	}
	cost := session.CreditsReported{Head: session.Head{Session: c.o.Session, Turn: c.wrote, Gen: c.gen, At: c.a.o.Now()}, NanoAIU: spent - c.spent}
	c.spent = spent
	return []session.Event{cost}
}

// quiet tells that a turn has made no sound for long. It ends nothing: whoever waits decides.
func (h *hearing) quiet(silent time.Duration) {
	c, e := h.c, h.e
	c.mu.Lock()
	if c.rt == e && e.m.Turn() != "" && len(e.asks) == 0 && !e.quietTold {
		e.quietTold = true
		c.out.Put(session.Notice{Head: e.m.Head(c.a.o.Now()), Severity: session.Warning,
			Text: fmt.Sprintf("Claude Code has said nothing for %s. It may be busy; press Esc to interrupt it.", inWords(silent))})
	}
	c.mu.Unlock()
	c.out.Deliver()
}

func inWords(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d seconds", int(d.Round(time.Second).Seconds()))
	}
	return fmt.Sprintf("%d minutes", int(d.Round(time.Minute).Minutes()))
}

// adjust fits events of the mapper to what only the conversation knows. The lock is held.
func (c *conversation) adjust(e *engine, events []session.Event) []session.Event {
	out := events[:0]
	for _, event := range events {
		switch v := event.(type) {
		case session.ModelChanged:
			if v, ok := c.hearModel(e, v); ok {
				out = append(out, v)
			}
		case session.ModeChanged:
			if c.hearMode(e, v) {
				out = append(out, v)
			}
		case session.TitleChanged:
			c.titled = v.Title != ""
			out = append(out, v)
		case session.SessionIDChanged:
			c.id = v.ID
			out = append(out, v)
		case session.Settled:
			delete(e.asks, v.Ask) // with its turn, or with the child that asked
			out = append(out, v)
		case session.TurnEnded:
			out = append(out, v)
			c.turnEnded(e, v)
		default:
			out = append(out, event)
		}
	}
	return out
}

// hearModel takes over which model the runtime uses, in the spelling of the login's list. It says so with every turn and
// knows only its own spelling, so only a model that is really another one is told.
func (c *conversation) hearModel(e *engine, v session.ModelChanged) (session.ModelChanged, bool) {
	if mapper.SameModel(v.Model, e.launch.Model) && c.settings.Model != "" || mapper.SameModel(v.Model, c.settings.Model) {
		return v, false
	}
	if mapper.SameModel(v.Model, mapper.RuntimeModel(e.told.Model)) && e.told.Model != "" {
		return v, false // the user has chosen another one since
	}
	v.Effort = c.settings.Effort
	c.settings.Model, e.told.Model = v.Model, v.Model
	return v, true
}

// hearMode takes over a mode that the runtime has changed to, as it does when a plan is begun or approved. One that asks
// about less holds only if an answer of the user named it; a hook may choose one too, and is overruled.
func (c *conversation) hearMode(e *engine, v session.ModeChanged) bool {
	if e.telling || v.Mode == c.settings.Mode || !slices.Contains(session.Modes, v.Mode) {
		return false
	}
	e.told.Mode = v.Mode
	if v.Mode.Loosens(c.settings.Mode) && v.Mode != c.granted {
		c.out.Put(c.notice(session.Warning, fmt.Sprintf("Claude Code changed to %s mode, which nobody here chose. It is set back to %s.",
			v.Mode, c.settings.Mode)))
		if !c.closed {
			c.work.Go(func() { _ = c.tell(c.life) })
		}
		return false
	}
	c.settings.Mode, c.granted = v.Mode, ""
	return true
}

// turnEnded does what is due after a turn. The lock is held.
func (c *conversation) turnEnded(e *engine, v session.TurnEnded) {
	if v.Outcome == session.TurnCompleted && c.a.o.Titles && !c.titled && v.Turn == c.wrote && !c.closed {
		c.titled = true // unless none is found
		about := c.words
		c.work.Go(func() { c.makeTitle(e, about) })
	}
}

// cancel tells that the runtime has taken a request back.
func (h *hearing) cancel(request string) {
	c, e := h.c, h.e
	c.mu.Lock()
	c.out.Put(c.settleAs(e, session.AskID(request), session.Answer{}, session.SettledCancelled)...)
	c.mu.Unlock()
	c.out.Deliver()
}

// ask takes a request of the runtime, or leaves it to the driver to refuse.
func (h *hearing) ask(r driver.Request) bool {
	c, e := h.c, h.e
	switch r.Subtype {
	case "can_use_tool", "elicitation":
	case "hook_callback":
		return e.p.Reply(r.ID, c.guard.BeforeTool(r.Raw)) == nil
	default:
		return false
	}
	// Both before the lock is held: a disk may be slow.
	edit := preview(r.Raw, readFile)
	c.mu.Lock()
	rules := slices.Clone(c.rules)
	c.mu.Unlock()
	j := c.guard.Judge(r.Raw, rules)
	c.mu.Lock()
	if c.rt != e || c.closed {
		c.mu.Unlock()
		return false
	}
	reply, events := c.asked(e, r, j, c.a.o.Now())
	showEdit(events, edit)
	c.out.Put(c.adjust(e, events)...)
	c.mu.Unlock()
	c.out.Deliver()
	if reply != nil {
		return e.p.Reply(r.ID, reply) == nil
	}
	return true
}

// firstWords are the words a title is made of.
func firstWords(text string) string {
	const most = 2000
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
