package session

import (
	"context"
	"slices"
)

// Tail is the end of what is stored of a session, read without what comes before it.
type Tail struct {
	// Events are in order, oldest first. They may begin in the middle of anything.
	Events []Event
	// Before is what was chosen before them; its fields are empty where that is not known, or where nothing was.
	Before Settings
	// Todos is the agent's task list at the end, as far as that is known.
	Todos []Todo
	// Size is how many bytes all of it has.
	Size int64
	// Whole says that nothing comes before the events.
	Whole bool
}

// Tailer is a [Replayer] that can tell the end of a long session without reading all of it.
type Tailer interface {
	// Tail returns what is told by about the last n bytes of a stored session, as [Replayer] tells it: from the first turn
	// on that begins within them with a prompt, the events fold as they do at the end of what Replay returns, but for the
	// ids of turns that nobody prompted. An end of which that cannot be said is an error of kind [KindUnsupported]; the
	// others are those of Replay.
	Tail(ctx context.Context, id ID, n int64) (Tail, error)
}

// TailReader are journals whose end can be read by itself.
type TailReader interface {
	// ReadTail returns what about the last n bytes of a journal hold, without locking it; it may return no events if no
	// turn begins within them. What is damaged there, and a
	// journal of which it is not known what was chosen before, is an error of kind [KindCorrupt]; the others are those of
	// Read.
	ReadTail(ctx context.Context, id ID, n int64) (Meta, Tail, error)
}

// LastTurns returns the turns that lie within the ends of a session's own transcript, of its journal, or of both, and
// what held when they began. They fold as at the end of the whole session, put together as [Manager.Resume] does it; what
// was counted over all of it is missing, and prompts that waited since before may be. It is nil where no turn lies within.
// It is pure.
func LastTurns(truth, journal *Tail) []Event {
	prompted := func(e TurnStarted) bool { return e.Origin != OriginAutonomous }
	switch {
	case journal == nil:
		return wholeTurns(truth.Events, nil, prompted)
	case truth == nil:
		return wholeTurns(journal.begun(), nil, prompted)
	}
	said, kept := started(truth.Events), started(journal.Events)
	list, ours := journal.listed(truth.Events), journal.begun()
	if list != nil { // what the journal told of it before counts no longer
		ours = slices.DeleteFunc(ours, isList)
	}
	return wholeTurns(append(list, mergeTruth(truth.Events, ours)...), truth.openings(), func(e TurnStarted) bool {
		return said[e.Turn] && (journal.Whole || kept[e.Turn])
	})
}

// listed is the task list, unless the events tell it.
func (t *Tail) listed(events []Event) []Event {
	if len(t.Todos) == 0 || slices.ContainsFunc(events, isList) {
		return nil
	}
	return []Event{TodosChanged{Todos: t.Todos}}
}

func isList(e Event) bool {
	_, is := e.(TodosChanged)
	return is
}

// begun are the events behind what was chosen before them.
func (t *Tail) begun() []Event {
	out := t.listed(t.Events)
	if t.Before.Model != "" || t.Before.Effort != "" {
		out = append(out, ModelChanged{Model: t.Before.Model, Effort: t.Before.Effort})
	}
	if t.Before.Mode != "" {
		out = append(out, ModeChanged{Mode: t.Before.Mode})
	}
	return append(out, t.Events...)
}

// openings are the first choices that the events tell. They may have held before: only where nothing comes before the
// events, or what was chosen then is known, are they surely changes.
func (t *Tail) openings() map[Event]bool {
	out := map[Event]bool{}
	model, mode := t.Whole || t.Before.Model != "", t.Whole || t.Before.Mode != ""
	for _, e := range t.Events {
		switch e := e.(type) {
		case ModelChanged:
			if !model {
				model, out[e] = true, true
			}
		case ModeChanged:
			if !mode {
				mode, out[e] = true, true
			}
		}
	}
	return out
}

// started are the turns that begin with a prompt.
func started(events []Event) map[TurnID]bool {
	out := map[TurnID]bool{}
	for _, e := range events {
		if s, ok := e.(TurnStarted); ok && s.Origin != OriginAutonomous {
			out[s.Turn] = true
		}
	}
	return out
}

// wholeTurns leaves out what belongs to turns before the first that may begin, and keeps what held then.
func wholeTurns(events []Event, openings map[Event]bool, may func(TurnStarted) bool) []Event {
	first := surelyFrom(events, openings)
	for i, e := range events[first:] {
		if s, ok := e.(TurnStarted); ok && may(s) {
			at := first + i
			return append(standing(events[:at]), belonging(events[at:])...)
		}
	}
	return nil
}

// surelyFrom returns from where on everything that events refer to is among them: a change of model or mode is shown
// where it differs from the one before, and a prompt that is steered in has its words from when it began to wait. Where
// an opening differs from what was chosen, nobody knows which of both holds until the next choice.
func surelyFrom(events []Event, openings map[Event]bool) int {
	from := 0
	var model, mode, unsureModel, unsureMode bool
	var held Settings
	waited := map[PromptID]bool{}
	for i, e := range events {
		switch e := e.(type) {
		case ModelChanged:
			if !model || unsureModel {
				from = i + 1
			}
			unsureModel = model && openings[e] && (e.Model != held.Model || e.Effort != held.Effort)
			model, held.Model, held.Effort = true, e.Model, e.Effort
		case ModeChanged:
			if !mode || unsureMode {
				from = i + 1
			}
			unsureMode = mode && openings[e] && e.Mode != held.Mode
			mode, held.Mode = true, e.Mode
		case Queued:
			waited[e.Prompt.ID] = true
		case Steered:
			if !waited[e.Prompt] {
				from = i + 1
			}
		}
	}
	if unsureModel || unsureMode {
		return len(events)
	}
	return from
}

// standing is what still holds after events, apart from turns: the newest choice of each kind, the newest word on what
// is told anew each time, and the prompts that wait. It belongs to no turn.
func standing(events []Event) []Event {
	type said struct {
		kind string
		e    Event
	}
	var newest []said // in order, since an event of an older generation counts only before those of a newer one
	var queue []Queued
	set := func(kind string, e Event) {
		newest = slices.DeleteFunc(newest, func(s said) bool { return s.kind == kind })
		newest = append(newest, said{kind, e})
	}
	gone := func(id PromptID) {
		queue = slices.DeleteFunc(queue, func(q Queued) bool { return q.Prompt.ID == id })
	}
	for _, e := range events {
		switch e := e.(type) {
		case ModelChanged:
			set("model", between(e))
		case ModeChanged:
			set("mode", between(e))
		case TitleChanged:
			set("title", between(e))
		case TodosChanged:
			set("todos", between(e))
		case ContextReported:
			set("context", between(e))
		case LimitReported:
			set("limit "+e.Quota.Name, between(e))
		case SessionIDChanged:
			set("id", between(e))
		case Queued:
			queue = append(queue, between(e))
		case Unqueued:
			gone(e.Prompt)
		case Steered:
			gone(e.Prompt)
		case TurnStarted:
			gone(e.Prompt.ID)
		}
	}
	var out []Event
	for _, s := range newest {
		out = append(out, s.e)
	}
	for _, q := range queue {
		q.Gen = 0
		out = append(out, q)
	}
	return out
}

// between takes an event out of its turn.
func between[E Event, P headed[E]](e E) E {
	h := e.Header()
	h.Turn, h.Child = "", ""
	P(&e).setHead(h)
	return e
}

// belonging leaves out what comes late to turns, parts and children from before the events: it would open them anew.
func belonging(events []Event) []Event {
	turns, parts, children := map[TurnID]bool{"": true}, map[PartID]bool{}, map[ChildID]bool{"": true}
	out := make([]Event, 0, len(events))
	for _, e := range events {
		h := e.Header()
		known := true
		switch e := e.(type) {
		case TurnStarted:
			turns[h.Turn] = true
		case ChildStarted:
			children[e.ID] = children[e.ID] || turns[h.Turn] && children[h.Child]
		case PartStarted:
			parts[e.Part] = true
		case PartReplaced:
			parts[e.Part] = true
		case PartDelta:
			known = parts[e.Part]
		case PartEnded:
			known = parts[e.Part]
		case PartRetracted:
			known = parts[e.Part]
		case ChildEnded:
			known = children[e.ID]
		}
		if known && turns[h.Turn] && children[h.Child] {
			out = append(out, e)
		}
	}
	return out
}
