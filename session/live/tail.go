package live

import (
	"slices"

	"parley/session"
)

// LastTurns returns the turns that lie within the ends of a session's own transcript, of its journal, or of both, after the
// state in which they began. They fold as at the end of the whole session, merged as [Manager.Resume] does it; totals over
// the whole session are missing, and prompts that waited since before may be. It is nil where no turn lies within. It is
// pure.
func LastTurns(truth, journal *session.Tail) []session.Event {
	prompted := func(e session.TurnStarted) bool { return e.Origin != session.OriginAutonomous }
	switch {
	case journal == nil:
		return wholeTurns(truth.Events, nil, prompted)
	case truth == nil:
		return wholeTurns(withInitialState(journal), nil, prompted)
	}
	said, kept := promptedTurns(truth.Events), promptedTurns(journal.Events)
	list, ours := initialTodos(journal, truth.Events), withInitialState(journal)
	if list != nil { // what the journal has of it is older
		ours = slices.DeleteFunc(ours, isTodos)
	}
	return wholeTurns(append(list, mergeTruth(truth.Events, ours)...), uncertainChoices(truth), func(e session.TurnStarted) bool {
		return said[e.Turn] && (journal.Whole || kept[e.Turn])
	})
}

// initialTodos returns the task list before the events, nil if they have one.
func initialTodos(t *session.Tail, events []session.Event) []session.Event {
	if len(t.Todos) == 0 || slices.ContainsFunc(events, isTodos) {
		return nil
	}
	return []session.Event{session.TodosChanged{Todos: t.Todos}}
}

func isTodos(e session.Event) bool {
	_, is := e.(session.TodosChanged)
	return is
}

// withInitialState returns the events after the choices that held before them.
func withInitialState(t *session.Tail) []session.Event {
	out := initialTodos(t, t.Events)
	if t.Before.Model != "" || t.Before.Effort != "" {
		out = append(out, session.ModelChanged{Model: t.Before.Model, Effort: t.Before.Effort})
	}
	if t.Before.Mode != "" {
		out = append(out, session.ModeChanged{Mode: t.Before.Mode})
	}
	return append(out, t.Events...)
}

// uncertainChoices returns the first choices among the events. They may have held before: only where nothing comes before
// the events, or what was chosen then is known, are they certainly changes.
func uncertainChoices(t *session.Tail) map[session.Event]bool {
	out := map[session.Event]bool{}
	model, mode := t.Whole || t.Before.Model != "", t.Whole || t.Before.Mode != ""
	for _, e := range t.Events {
		switch e := e.(type) {
		case session.ModelChanged:
			if !model {
				model, out[e] = true, true
			}
		case session.ModeChanged:
			if !mode {
				mode, out[e] = true, true
			}
		}
	}
	return out
}

// promptedTurns returns the turns that begin with a prompt.
func promptedTurns(events []session.Event) map[session.TurnID]bool {
	out := map[session.TurnID]bool{}
	for _, e := range events {
		if s, ok := e.(session.TurnStarted); ok && s.Origin != session.OriginAutonomous {
			out[s.Turn] = true
		}
	}
	return out
}

// wholeTurns returns the turns from the first that may begin, after the state in which it began.
func wholeTurns(events []session.Event, uncertain map[session.Event]bool, may func(session.TurnStarted) bool) []session.Event {
	first := safeStart(events, uncertain)
	for i, e := range events[first:] {
		if s, ok := e.(session.TurnStarted); ok && may(s) {
			at := first + i
			return append(stateAfter(events[:at]), dropOrphans(events[at:])...)
		}
	}
	return nil
}

// safeStart returns the first index after which every reference resolves: a change of model or mode is shown where it
// differs from the one before, and a steered prompt takes its words from its Queued event. Where an uncertain choice differs
// from the one before, it is unknown which of both holds until the next choice.
func safeStart(events []session.Event, uncertain map[session.Event]bool) int {
	from := 0
	var model, mode, unsureModel, unsureMode bool
	var held session.Settings
	waited := map[session.PromptID]bool{}
	for i, e := range events {
		switch e := e.(type) {
		case session.ModelChanged:
			if !model || unsureModel {
				from = i + 1
			}
			unsureModel = model && uncertain[e] && (e.Model != held.Model || e.Effort != held.Effort)
			model, held.Model, held.Effort = true, e.Model, e.Effort
		case session.ModeChanged:
			if !mode || unsureMode {
				from = i + 1
			}
			unsureMode = mode && uncertain[e] && e.Mode != held.Mode
			mode, held.Mode = true, e.Mode
		case session.Queued:
			waited[e.Prompt.ID] = true
		case session.Steered:
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

// stateAfter returns the state that events leave behind, apart from turns: the newest choice of each kind, the newest report
// of each kind, and the prompts that wait. It belongs to no turn.
func stateAfter(events []session.Event) []session.Event {
	type said struct {
		kind string
		e    session.Event
	}
	var newest []said // in order, since an event of an older generation counts only before those of a newer one
	var queue []session.Queued
	set := func(kind string, e session.Event) {
		newest = slices.DeleteFunc(newest, func(s said) bool { return s.kind == kind })
		newest = append(newest, said{kind, e})
	}
	gone := func(id session.PromptID) {
		queue = slices.DeleteFunc(queue, func(q session.Queued) bool { return q.Prompt.ID == id })
	}
	for _, e := range events {
		switch e := e.(type) {
		case session.ModelChanged:
			set("model", session.Detach(e))
		case session.ModeChanged:
			set("mode", session.Detach(e))
		case session.TitleChanged:
			set("title", session.Detach(e))
		case session.TodosChanged:
			set("todos", session.Detach(e))
		case session.ContextReported:
			set("context", session.Detach(e))
		case session.LimitReported:
			set("limit "+e.Quota.Name, session.Detach(e))
		case session.SessionIDChanged:
			set("id", session.Detach(e))
		case session.Queued:
			queue = append(queue, session.Detach(e))
		case session.Unqueued:
			gone(e.Prompt)
		case session.Steered:
			gone(e.Prompt)
		case session.TurnStarted:
			gone(e.Prompt.ID)
		}
	}
	var out []session.Event
	for _, s := range newest {
		out = append(out, s.e)
	}
	for _, q := range queue {
		q.Gen = 0
		out = append(out, q)
	}
	return out
}

// dropOrphans returns the events without those of turns, parts and children that began before: they would open them again.
func dropOrphans(events []session.Event) []session.Event {
	turns, parts, children := map[session.TurnID]bool{"": true}, map[session.PartID]bool{}, map[session.ChildID]bool{"": true}
	out := make([]session.Event, 0, len(events))
	for _, e := range events {
		h := e.Header()
		known := true
		switch e := e.(type) {
		case session.TurnStarted:
			turns[h.Turn] = true
		case session.ChildStarted:
			children[e.ID] = children[e.ID] || turns[h.Turn] && children[h.Child]
		case session.PartStarted:
			parts[e.Part] = true
		case session.PartReplaced:
			parts[e.Part] = true
		case session.PartDelta:
			known = parts[e.Part]
		case session.PartEnded:
			known = parts[e.Part]
		case session.PartRetracted:
			known = parts[e.Part]
		case session.ChildEnded:
			known = children[e.ID]
		}
		if known && turns[h.Turn] && children[h.Child] {
			out = append(out, e)
		}
	}
	return out
}
