package claude

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
	"parley/session/claude/mapper"
	"parley/session/process"
)

// processListener passes the output of one process to its conversation.
type processListener struct {
	c *conversation
	e *engine
}

var _ listener = (*processListener)(nil)

// line maps one line of the runtime.
func (l *processListener) line(data []byte) {
	c, e := l.c, l.e
	now := c.a.o.Now()
	var spent int64
	if !bytes.HasPrefix(data, streamed) { // the line may end a turn
		spent = c.a.o.Spent(c.o.Session)
	}
	output := shellOutput(c.a.o.TempDir, data, func(task string) string {
		c.Mu.Lock()
		defer c.Mu.Unlock()
		return e.m.OutputFile(task)
	})
	c.Mu.Lock()
	e.m.SetOutput(output)
	running := e.m.Turn()
	waiting := len(e.waiting)
	events := c.adjust(e, e.take(data, now))
	c.Out.Put(c.Costs.Insert(events, e.m.Head(now), spent)...)
	if e.m.Turn() != running || len(e.waiting) != waiting {
		c.Mu.Notify()
	}
	c.Mu.Unlock()
	c.Out.Deliver()
}

// quiet reports, once, that a turn has printed nothing for long. It ends nothing.
func (l *processListener) quiet(silent time.Duration) {
	c, e := l.c, l.e
	c.Mu.Lock()
	if c.Link == e && e.m.Turn() != "" && !e.asks.Any() && !e.quietReported {
		e.quietReported = true
		c.Out.Put(process.Silence(e.m.Head(c.a.o.Now()), "Claude Code", silent))
	}
	c.Mu.Unlock()
	c.Out.Deliver()
}

// adjust applies events of the mapper to the conversation and leaves out the ones it knows. The lock is held.
func (c *conversation) adjust(e *engine, events []session.Event) []session.Event {
	out := events[:0]
	for _, event := range events {
		switch v := event.(type) {
		case session.ModelChanged:
			if v, ok := c.modelChanged(e, v); ok {
				out = append(out, v)
			}
		case session.ModeChanged:
			if c.modeChanged(e, v) {
				out = append(out, v)
			}
		case session.SessionIDChanged:
			c.id = v.ID
			out = append(out, v)
		case session.TurnEnded:
			e.applied.turnEnded()
			out = append(out, v)
		case session.ToolEnded:
			out = append(out, e.calls.ended(v))
		case session.Settled:
			e.close(v.Ask, process.Verdict{How: v.How, Why: v.Why}) // with its turn, or with the child that asked
			out = append(out, v)
		default:
			out = append(out, event)
		}
	}
	return out
}

// modelChanged records the runtime's model and reports whether it is another one. The runtime names it with every turn, in
// its own spelling.
func (c *conversation) modelChanged(e *engine, v session.ModelChanged) (session.ModelChanged, bool) {
	if session.SameModel(v.Model, e.launch.Model) && c.Settings.Model != "" || session.SameModel(v.Model, c.Settings.Model) {
		return v, false
	}
	if applied, _ := e.applied.get(); applied.Model != "" && session.SameModel(v.Model, mapper.RuntimeModel(applied.Model)) {
		return v, false // the user has chosen another one since
	}
	v.Effort = c.Settings.Effort
	c.Settings.Model = v.Model
	e.applied.update(func(s *session.Settings) { s.Model = v.Model })
	return v, true
}

// modeChanged records a mode that the runtime changed to, as at the beginning and approval of a plan, and reports whether
// it holds. A looser mode needs an answer of the user; one that a hook chose is set back.
func (c *conversation) modeChanged(e *engine, v session.ModeChanged) bool {
	_, setting := e.applied.get()
	late := e.applied.late(v.Mode) && v.Mode != c.granted
	if setting || v.Mode == c.Settings.Mode || !slices.Contains(session.Modes, v.Mode) {
		return false
	}
	e.applied.update(func(s *session.Settings) { s.Mode = v.Mode })
	if late || v.Mode.Loosens(c.Settings.Mode) && v.Mode != c.granted {
		if !late && !e.applied.wasChosen(v.Mode) { // a mode that the user has left again may be reported even later
			c.Out.Put(c.Notice(session.Warning, fmt.Sprintf("Claude Code switched to %s mode, which you did not choose. parley switches it back to %s.",
				v.Mode, c.Settings.Mode)))
		}
		if !c.Closed {
			c.Work.Go(crash.Guarded(func() { _ = c.applySettings(c.Life) }))
		}
		return false
	}
	c.Settings.Mode, c.granted = v.Mode, ""
	return true
}

// cancel settles an ask whose request the runtime took back.
func (l *processListener) cancel(request string) {
	c, e := l.c, l.e
	c.Mu.Lock()
	c.Out.Put(e.withdraw(session.AskID(request), session.WhyWithdrawn, c.a.o.Now())...)
	c.Mu.Unlock()
	c.Out.Deliver()
}

// ask handles a request of the runtime. It reports false if the driver is to refuse it.
func (l *processListener) ask(r driver.Request) bool {
	c, e := l.c, l.e
	var j guard.Judgement
	var q guard.Call
	var edit *session.FileEdit
	switch r.Subtype {
	case "can_use_tool":
		// All of it may wait for a disk, so it comes before the lock.
		edit = preview(r.Raw, readFile)
		q, _ = guard.ReadRequest(r.Raw)
		q, j = judge(c, e, q)
	case "elicitation":
	case "hook_callback":
		return hooked(c, e, r) == nil
	default:
		return false
	}
	c.Mu.Lock()
	if c.Link != e || c.Closed {
		c.Mu.Unlock()
		return false
	}
	var reply any
	var events []session.Event
	if r.Subtype == "elicitation" {
		reply, events = e.elicited(r, c.a.o.Now())
	} else {
		reply, events = e.asked(r, q, j, c.a.o.Now())
	}
	showEdit(events, edit)
	c.Out.Put(c.adjust(e, events)...)
	c.Mu.Unlock()
	c.Out.Deliver()
	if reply != nil {
		if v, ok := reply.(verdict); ok && v.Behavior == "deny" {
			dropImages(c, q.ID)
		}
		return e.p.Reply(r.ID, reply) == nil
	}
	return true
}
