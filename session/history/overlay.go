package history

import (
	"slices"
	"time"

	"parley/session"
)

// Merge returns the events of a session: those of the agent's transcript, truth, with what the journal adds.
func Merge(truth, journal []session.Event) []session.Event {
	truth = withoutGuesses(truth, journal)
	o := newOverlay(truth, journal)
	var out []session.Event
	for _, e := range truth {
		out = append(out, o.takeBefore(e.Header().At)...)
		out = append(out, o.decorate(e)...)
	}
	return slices.Concat(o.undated, o.context, out, o.between, o.queue)
}

// overlay holds the content that a journal adds to a transcript.
type overlay struct {
	turns   map[session.TurnID]*sharedTurn
	calls   callNotes
	thought map[session.PartID]time.Duration // of reasoning whose time the transcript lacks

	undated []session.Event // choices without a time
	between []session.Event // events between those of the transcript, in order
	queue   []session.Event // waiting prompts
	context []session.Event // the newest report on the context window, whose size a transcript lacks

	behind openWork
	open   session.TurnID // the newest turn, if the journal lacks its end: resuming the session ends it
	last   time.Time      // of the newest event in the journal; later events of the transcript happened outside of parley

	hasModel, hasMode, hasTitle bool
	hasTodos                    bool // the transcript has task lists, which then count
}

// sharedTurn holds the content that a journal adds to a turn of the transcript.
type sharedTurn struct {
	started *session.TurnStarted
	ended   *session.TurnEnded
	usage   []session.Event
	missing []session.Event // events that the transcript lacks
}

func newOverlay(truth, journal []session.Event) *overlay {
	o := &overlay{turns: map[session.TurnID]*sharedTurn{}, calls: newCallNotes()}
	compacted := false
	for _, e := range truth {
		if id := e.Header().Turn; id != "" && o.turns[id] == nil {
			o.turns[id] = &sharedTurn{}
		}
		_, is := e.(session.Compacted)
		compacted = compacted || is
		if _, is := e.(session.TodosChanged); is {
			o.hasTodos = true
		}
	}
	o.behind, o.open = leftRunning(truth), leftOpen(truth, journal)
	o.collect(journal, autonomous(journal), compacted)
	o.findQueue(truth, journal)
	o.findMissing(truth, journal)
	return o
}

// collect takes the events from the journal that the transcript lacks. own are the autonomous turns.
func (o *overlay) collect(journal []session.Event, own map[session.TurnID]bool, compacted bool) {
	calls := map[session.AskID]session.CallID{}
	for _, e := range journal {
		h := e.Header()
		if h.At.After(o.last) {
			o.last = h.At
		}
		t := o.turns[h.Turn]
		switch e := e.(type) {
		case session.ModelChanged:
			o.hasModel = true
			e.Turn = o.turn(e.Turn, own)
			o.choice(e)
		case session.ModeChanged:
			o.hasMode = true
			e.Turn = o.turn(e.Turn, own)
			o.choice(e)
		case session.CustomChanged:
			e.Turn = o.turn(e.Turn, own)
			o.choice(e)
		case session.DirsChanged:
			e.Turn = o.turn(e.Turn, own)
			o.choice(e)
		case session.TitleChanged:
			o.hasTitle = true
			e.Turn = o.turn(e.Turn, own)
			o.choice(e)
		case session.RuleRevoked:
			e.Turn = ""
			o.choice(e)
		case session.Asked:
			if t != nil && e.Call != "" {
				calls[e.Ask] = e.Call
				o.calls.asks[e.Call] = append(o.calls.asks[e.Call], e)
				continue
			}
			o.add(e, t, own)
		case session.Settled:
			call, about := calls[e.Ask]
			if !about {
				o.add(e, t, own)
				continue
			}
			o.calls.asks[call] = append(o.calls.asks[call], e)
			o.calls.denied[call] = e.Answer.Decision == session.Deny
		case session.Compacted:
			if !compacted {
				o.add(e, t, own)
			}
		case session.CreditsReported:
			e.Turn = o.turn(e.Turn, own)
			o.between = append(o.between, e)
		case session.TodosChanged:
			if e.Turn = o.turn(e.Turn, own); !o.hasTodos {
				o.between = append(o.between, e)
			}
		case session.SessionIDChanged:
			e.Turn = o.turn(e.Turn, own)
			o.between = append(o.between, e)
		case session.ContextReported:
			if len(o.context) > 0 && e.Window == 0 { // an earlier report has the size
				e.Window = o.context[0].(session.ContextReported).Window
			}
			e.Gen = 0 // it comes first, and must not make the events after it an older generation
			o.context = []session.Event{e}
		case session.FilesChanged:
			o.calls.changed[e.Call] = e // the newest counts
			o.add(e, t, own)
		case session.Queued, session.Unqueued, session.Requeued:
		case session.ToolEnded:
			if o.behind.endsCall(e) {
				o.between = append(o.between, session.Detach(e))
			}
			o.addToTurn(e, t, own)
		case session.ChildEnded:
			o.childEnded(e, t, own)
		default:
			o.addToTurn(e, t, own)
		}
	}
}

// childEnded adds the end of a child, which stands between if the transcript leaves the child running.
func (o *overlay) childEnded(e session.ChildEnded, t *sharedTurn, own map[session.TurnID]bool) {
	if t == nil || !o.behind.children[e.ID] {
		o.addToTurn(e, t, own)
		return
	}
	child := e.Child
	e = session.Detach(e)
	e.Child = child
	o.between = append(o.between, e)
}

// choice adds a choice of the user, at its time if that is known.
func (o *overlay) choice(e session.Event) {
	if e.Header().At.IsZero() {
		o.undated = append(o.undated, e)
		return
	}
	o.between = append(o.between, e)
}

// add adds an event of a turn that the transcript lacks.
func (o *overlay) add(e session.Event, t *sharedTurn, own map[session.TurnID]bool) {
	if id := e.Header().Turn; t == nil && id != "" && !own[id] {
		o.between = append(o.between, e)
	}
}

// addToTurn adds an event to a turn of both, or to the events between.
func (o *overlay) addToTurn(e session.Event, t *sharedTurn, own map[session.TurnID]bool) {
	if t == nil {
		o.add(e, t, own)
		return
	}
	switch e := e.(type) {
	case session.TurnStarted:
		t.started = &e
	case session.TurnEnded:
		t.ended = &e
	case session.UsageReported:
		t.usage = append(t.usage, e)
	case session.ToolEnded:
		o.calls.ended(e)
	}
}

// findQueue finds the waiting prompts: neither withdrawn nor delivered by transcript or journal.
func (o *overlay) findQueue(truth, journal []session.Event) {
	gone := map[session.PromptID]bool{}
	for _, e := range slices.Concat(truth, journal) {
		switch e := e.(type) {
		case session.TurnStarted:
			gone[e.Prompt.ID] = true
			gone[session.PromptID(e.Turn)] = true
		case session.Steered:
			gone[e.Prompt] = true
		case session.Unqueued:
			gone[e.Prompt] = true
		}
	}
	var order session.Transcript // its queue has all prompts that ever waited, in their order
	queued := map[session.PromptID]session.Queued{}
	for _, e := range journal {
		switch e := e.(type) {
		case session.Queued:
			queued[e.Prompt.ID] = e
			e.Gen = 0
			order.Apply(e)
		case session.Requeued:
			e.Gen = 0
			order.Apply(e)
		}
	}
	for _, p := range order.Queue {
		if !gone[p.ID] {
			o.queue = append(o.queue, queued[p.ID])
		}
	}
	// A steered prompt of a turn that only the journal has needs its Queued event.
	for i := 0; i < len(o.between); i++ {
		s, ok := o.between[i].(session.Steered)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(journal, func(e session.Event) bool { q, is := e.(session.Queued); return is && q.Prompt.ID == s.Prompt }); at >= 0 {
			o.between = slices.Insert(o.between, i, journal[at])
			i++
		}
	}
}

// takeBefore removes and returns the events of the journal up to a time.
func (o *overlay) takeBefore(at time.Time) []session.Event {
	if at.IsZero() {
		return nil
	}
	n := 0
	for n < len(o.between) {
		h := o.between[n].Header()
		if h.At.IsZero() || h.At.After(at) {
			break
		}
		n++
	}
	out := o.between[:n:n]
	o.between = o.between[n:]
	return out
}

// decorate returns an event of the transcript with what the journal adds.
func (o *overlay) decorate(e session.Event) []session.Event {
	h := e.Header()
	t := o.turns[h.Turn]
	if t == nil {
		t = &sharedTurn{}
	}
	switch e := e.(type) {
	case session.TurnStarted:
		if t.started != nil {
			e.Prompt, e.Origin = t.started.Prompt, t.started.Origin
		}
		return []session.Event{e}
	case session.TurnEnded:
		out := append(slices.Clone(t.missing), t.usage...)
		if t.ended != nil {
			e.Outcome, e.Problem, e.Duration = t.ended.Outcome, t.ended.Problem, t.ended.Duration
		} else if h.Turn == o.open && e.Outcome == session.TurnCancelled {
			return out // the transcript only ends early
		}
		return append(out, e)
	case session.UsageReported:
		if len(t.usage) > 0 {
			return nil
		}
	case session.PartReplaced:
		if took := o.thought[e.Part]; took > 0 {
			return []session.Event{e, session.PartEnded{Head: e.Head, Part: e.Part, Duration: took}}
		}
	case session.ToolReady:
		return append([]session.Event{e}, o.calls.asks[e.Call]...)
	case session.ToolEnded:
		return o.calls.withChanges(o.calls.complete(e))
	case session.ModelChanged:
		if o.hasModel && !h.At.After(o.last) {
			return nil
		}
	case session.ModeChanged:
		if o.hasMode && !h.At.After(o.last) {
			return nil
		}
	case session.TitleChanged:
		if o.hasTitle {
			return nil
		}
	}
	return []session.Event{e}
}
