package copilot

import (
	"errors"

	"parley/session"
	"parley/session/copilot/protocol"
)

// event maps one event of the runtime.
func (c *conversation) event(l *link, e protocol.Event) {
	c.asks.observe(e)
	now := c.a.o.Now()
	var spent int64
	if e.Type == "assistant.idle" || e.Type == "session.idle" || e.Type == "assistant.usage" {
		spent = c.a.o.Spent(c.o.Session)
	}
	c.Mu.Lock()
	if c.Last != l {
		c.Mu.Unlock()
		return // late
	}
	was, waited := l.m.Turn(), len(l.steered)
	events := l.m.Map(e, now)
	if len(events) > 0 || was != l.m.Turn() {
		events = c.adjust(l, events)
		c.Out.Put(c.Costs.Insert(events, l.m.Head(now), spent)...)
	}
	switch e.Type {
	case "session.todos_changed":
		c.todosChanged(l)
	case "ui.ephemeral_query":
		c.heard(e)
	case "session.idle":
		if e.Agent == "" && l.m.Turn() == "" {
			clear(l.steered)
		}
	case "session.error":
		l.lost = l.stopping && e.Agent == ""
	case "session.resume":
		c.warnOfOthers(e)
	case "user.message":
		c.foreign.hear(e)
	}
	c.spoke(l)
	if l.m.Turn() != was || len(l.steered) != waited {
		c.Mu.Notify()
	}
	c.Mu.Unlock()
	c.Out.Deliver()
}

// adjust applies events of the mapper to the conversation and leaves out the ones it knows. The lock is held.
func (c *conversation) adjust(l *link, events []session.Event) []session.Event {
	out := events[:0]
	for _, event := range events {
		switch v := event.(type) {
		case session.ModelChanged:
			if !c.modelChanged(l, v) {
				continue
			}
		case session.ModeChanged:
			if v.Mode == c.Settings.Mode || v.Mode.Loosens(c.Settings.Mode) {
				continue // only the user's answer loosens
			}
			c.Settings.Mode, l.applied.Mode = v.Mode, v.Mode
		case session.TurnStarted:
			delete(l.steered, v.Turn)
		case session.Steered:
			delete(l.steered, session.TurnID(v.Prompt))
		case session.TurnEnded:
			event = l.reason(v)
		case session.ChildStarted:
			l.children[v.ID] = !v.Background
		case session.ChildEnded:
			delete(l.children, v.ID)
		case session.TodosChanged:
			c.todos = v.Todos
		case session.ToolReady:
			l.calls[v.Call] = commandOf(v.Input)
		case session.ToolEnded:
			delete(l.calls, v.Call)
		case session.Notice:
			if c.a.o.Token == nil && isTokenCountWarning(v.Text) {
				continue
			}
		}
		out = append(out, event)
	}
	return out
}

// reason returns the end of a turn that was given up because of its silence as a failure, and that of an interrupted turn as
// cancelled: the runtime may read that an ask was withdrawn, and end the turn by itself, before it reads the interrupt.
func (l *link) reason(e session.TurnEnded) session.TurnEnded {
	if l.interrupted && e.Outcome == session.TurnCompleted {
		e.Outcome = session.TurnCancelled
		return e
	}
	if !l.stalled || e.Outcome != session.TurnCancelled {
		return e
	}
	l.stalled = false
	e.Outcome = session.TurnFailed
	e.Problem = session.ProblemOf(&session.Error{Op: "wait for the model", Kind: session.KindStalled,
		Err: errors.New("the model's answer did not go on")}, e.At)
	return e
}

// modelChanged records the runtime's model and reports whether it is another one than the user knows of.
func (c *conversation) modelChanged(l *link, v session.ModelChanged) bool {
	same := session.SameModel(v.Model, c.Settings.Model)
	if same && (v.Effort == c.Settings.Effort || v.Effort == "" || c.Settings.Effort == "") {
		return false
	}
	if session.SameModel(v.Model, l.applied.Model) && !same {
		return false // the user has chosen another one since
	}
	c.Settings.Model, c.Settings.Effort = v.Model, v.Effort
	l.applied.Model, l.applied.Effort = v.Model, v.Effort
	return true
}

// warnOfOthers warns of another program that has the session open. The lock is held.
func (c *conversation) warnOfOthers(e protocol.Event) {
	var d struct {
		InUse bool `json:"alreadyInUse"`
	}
	if decodeData(e, &d) && d.InUse {
		c.Out.Put(c.Notice(session.Warning, "Another Copilot program has this session open. What both write to it may get mixed up: end one of them first."))
	}
}
