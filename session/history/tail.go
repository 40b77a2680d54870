package history

import (
	"slices"

	"parley/session"
)

// LastTurns returns the events of the turns within the end of a session's transcript, of its journal, or of both, after the
// state before them. They fold as at the end of [Merge] of the whole session, without its totals, and maybe without prompts
// that waited before. It is nil if no turn lies within. Either argument may be nil.
func LastTurns(truth, journal *session.Tail) []session.Event {
	prompted := func(e session.TurnStarted) bool { return e.Origin != session.OriginAutonomous }
	switch {
	case journal == nil:
		return wholeTurns(truth.Events, nil, prompted)
	case truth == nil:
		return wholeTurns(withInitialState(journal), nil, prompted)
	}
	inTruth, inJournal := promptedTurns(truth.Events), promptedTurns(journal.Events)
	list, ours := initialTodos(journal, truth.Events), withInitialState(journal)
	if list != nil { // that of the journal is older
		ours = slices.DeleteFunc(ours, isTodos)
	}
	return wholeTurns(append(list, Merge(truth.Events, ours)...), uncertainChoices(truth), func(e session.TurnStarted) bool {
		return inTruth[e.Turn] && (journal.Whole || inJournal[e.Turn])
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

// withInitialState returns the events after the choices before them.
func withInitialState(t *session.Tail) []session.Event {
	out := initialTodos(t, t.Events)
	if t.Before.Model != "" || t.Before.Effort != "" {
		out = append(out, session.ModelChanged{Model: t.Before.Model, Effort: t.Before.Effort})
	}
	if t.Before.Mode != "" {
		out = append(out, session.ModeChanged{Mode: t.Before.Mode})
	}
	if t.Before.Custom != "" {
		out = append(out, session.CustomChanged{Custom: t.Before.Custom})
	}
	if t.Before.Dirs != "" {
		out = append(out, session.DirsChanged{Dirs: t.Before.Dirs.Or(nil)})
	}
	return append(out, t.Events...)
}

// uncertainChoices returns the first choices among the events, unless the ones before are known. They may repeat an earlier
// choice.
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

// wholeTurns returns the turns from the first for which may is true, after the state before it.
func wholeTurns(events []session.Event, uncertain map[session.Event]bool, may func(session.TurnStarted) bool) []session.Event {
	first, spans := safeStart(events, uncertain), backgroundSpans(events)
	for i, e := range events[first:] {
		if s, ok := e.(session.TurnStarted); ok && may(s) && !splits(spans, first+i) {
			at := first + i
			return append(stateAfter(events[:at]), dropOrphans(events[at:])...)
		}
	}
	return nil
}

// safeStart returns the first index after which every reference resolves: a change of model or mode needs the one before, a
// steered prompt its Queued event. An uncertain choice that differs from the one before needs the next choice.
func safeStart(events []session.Event, uncertain map[session.Event]bool) int {
	from := 0
	var model, mode, custom, dirs, unsureModel, unsureMode bool
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
		case session.CustomChanged: // only the journal has them
			if !custom {
				from = i + 1
			}
			custom = true
		case session.DirsChanged:
			if !dirs {
				from = i + 1
			}
			dirs = true
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

// stateAfter returns the state after events, outside of turns: the newest choice and report of each kind, and the waiting
// prompts.
func stateAfter(events []session.Event) []session.Event {
	type entry struct {
		kind string
		e    session.Event
	}
	var newest []entry // in order, because a newer generation hides an older one
	var queue []session.Queued
	set := func(kind string, e session.Event) {
		newest = slices.DeleteFunc(newest, func(s entry) bool { return s.kind == kind })
		newest = append(newest, entry{kind, e})
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
		case session.CustomChanged:
			set("custom", session.Detach(e))
		case session.DirsChanged:
			set("dirs", session.Detach(e))
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

// dropOrphans drops the events of turns, parts and children that began before, which they would open again.
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
