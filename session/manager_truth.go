package session

import (
	"slices"
	"strings"
	"time"
)

// mergeTruth puts together what the agent's own transcript says of a session and what the journal has. The transcript
// decides what happened. The journal adds what is not in it: turns that never arrived, what was streaming when everything
// died, what was asked and answered, what the user chose, what it cost, how turns ended, and the prompts that wait.
func mergeTruth(truth, journal []Event) []Event {
	o := newOverlay(truth, journal)
	var out []Event
	for _, e := range truth {
		out = append(out, o.until(e.Header().At)...)
		out = append(out, o.decorate(e)...)
	}
	return slices.Concat(o.early, out, o.kept, o.queue)
}

// overlay is what a journal adds to a transcript.
type overlay struct {
	turns map[TurnID]*overlaid
	asks  map[CallID][]Event // what was asked about a call, and the answers
	deny  map[CallID]bool
	early []Event // choices nobody knows the time of
	kept  []Event // what belongs between the events of the truth, in order
	queue []Event // the prompts that wait

	last     time.Time // of the newest event in the journal; what the transcript has since then happened outside of parley
	hasModel bool
	hasMode  bool
	hasTitle bool
}

// overlaid is a turn that both know.
type overlaid struct {
	started  *TurnStarted
	ended    *TurnEnded
	usage    []Event
	inFlight []Event // what nothing in the truth stands for
}

func newOverlay(truth, journal []Event) *overlay {
	o := &overlay{turns: map[TurnID]*overlaid{}, asks: map[CallID][]Event{}, deny: map[CallID]bool{}}
	compacted := false
	for _, e := range truth {
		if id := e.Header().Turn; id != "" && o.turns[id] == nil {
			o.turns[id] = &overlaid{}
		}
		_, is := e.(Compacted)
		compacted = compacted || is
	}
	o.sort(journal, autonomous(journal), compacted)
	o.wait(truth, journal)
	o.restless(truth, journal)
	return o
}

// autonomous are the turns of the journal that the agent began by itself. The transcript has them under other ids.
func autonomous(journal []Event) map[TurnID]bool {
	out := map[TurnID]bool{}
	for _, e := range journal {
		if s, ok := e.(TurnStarted); ok && s.Origin == OriginAutonomous {
			out[s.Turn] = true
		}
	}
	return out
}

// sort takes from the journal what the truth does not say.
func (o *overlay) sort(journal []Event, own map[TurnID]bool, compacted bool) {
	calls := map[AskID]CallID{}
	for _, e := range journal {
		h := e.Header()
		if h.At.After(o.last) {
			o.last = h.At
		}
		t := o.turns[h.Turn]
		switch e := e.(type) {
		case ModelChanged:
			o.hasModel = true
			o.choice(e)
		case ModeChanged:
			o.hasMode = true
			o.choice(e)
		case TitleChanged:
			o.hasTitle = true
			o.choice(e)
		case Asked:
			if t != nil && e.Call != "" {
				calls[e.Ask] = e.Call
				o.asks[e.Call] = append(o.asks[e.Call], e)
				continue
			}
			o.keep(e, t, own)
		case Settled:
			call, about := calls[e.Ask]
			if !about {
				o.keep(e, t, own)
				continue
			}
			o.asks[call] = append(o.asks[call], e)
			o.deny[call] = e.Answer.Decision == Deny
		case Compacted:
			if !compacted {
				o.keep(e, t, own)
			}
		case CreditsReported:
			o.kept = append(o.kept, e)
		case Queued, Unqueued:
		default:
			o.keepTurn(e, t, own)
		}
	}
}

// choice keeps what the user chose, at its place if that is known.
func (o *overlay) choice(e Event) {
	if e.Header().At.IsZero() {
		o.early = append(o.early, e)
		return
	}
	o.kept = append(o.kept, e)
}

// keep keeps an event of a turn that the truth does not have.
func (o *overlay) keep(e Event, t *overlaid, own map[TurnID]bool) {
	if id := e.Header().Turn; t == nil && id != "" && !own[id] {
		o.kept = append(o.kept, e)
	}
}

// keepTurn takes an event as part of a turn that both know, or keeps it.
func (o *overlay) keepTurn(e Event, t *overlaid, own map[TurnID]bool) {
	if t == nil {
		o.keep(e, t, own)
		return
	}
	switch e := e.(type) {
	case TurnStarted:
		t.started = &e
	case TurnEnded:
		t.ended = &e
	case UsageReported:
		t.usage = append(t.usage, e)
	}
}

// wait finds the prompts that still wait: neither taken back nor delivered, as far as either knows.
func (o *overlay) wait(truth, journal []Event) {
	gone := map[PromptID]bool{}
	for _, e := range slices.Concat(truth, journal) {
		switch e := e.(type) {
		case TurnStarted:
			gone[e.Prompt.ID] = true
			gone[PromptID(e.Turn)] = true
		case Steered:
			gone[e.Prompt] = true
		case Unqueued:
			gone[e.Prompt] = true
		}
	}
	for _, e := range journal {
		if q, ok := e.(Queued); ok && !gone[q.Prompt.ID] {
			o.queue = append(o.queue, q)
		}
	}
	// What was steered into a turn that only the journal has needs its words.
	for i := 0; i < len(o.kept); i++ {
		s, ok := o.kept[i].(Steered)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(journal, func(e Event) bool { q, is := e.(Queued); return is && q.Prompt.ID == s.Prompt }); at >= 0 {
			o.kept = slices.Insert(o.kept, i, journal[at])
			i++
		}
	}
}

// restless finds what was streaming in turns that never ended in the journal: parts and calls that the truth has nothing
// of.
func (o *overlay) restless(truth, journal []Event) {
	var open []TurnID
	for id, t := range o.turns {
		if t.started != nil && t.ended == nil {
			open = append(open, id)
		}
	}
	if len(open) == 0 {
		return
	}
	is, was := Fold(truth), Fold(journal)
	for _, id := range open {
		t := o.turns[id]
		said, calls := content(is, id)
		missing := map[PartID]bool{}
		for _, p := range parts(was, id) {
			missing[p.ID] = p.Text() != "" && !p.Retracted && p.Child == "" &&
				!slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, p.Text()) })
		}
		for _, e := range journal {
			if e.Header().Turn == id && e.Header().Child == "" && inFlight(e, missing, calls) {
				t.inFlight = append(t.inFlight, e)
			}
		}
	}
}

// inFlight reports whether e belongs to a missing part, or to a call that the truth does not know.
func inFlight(e Event, missing map[PartID]bool, calls map[CallID]bool) bool {
	switch e := e.(type) {
	case PartStarted:
		return missing[e.Part]
	case PartDelta:
		return missing[e.Part]
	case PartEnded:
		return missing[e.Part]
	case PartReplaced:
		return missing[e.Part]
	case ToolStarted:
		return !calls[e.Call]
	case ToolInput:
		return !calls[e.Call]
	case ToolReady:
		return !calls[e.Call]
	case ToolOutput:
		return !calls[e.Call]
	case ToolEnded:
		return !calls[e.Call]
	}
	return false
}

// parts are the parts of a turn's top level.
func parts(t *Transcript, id TurnID) []*Part {
	var out []*Part
	for _, turn := range t.Turns {
		if turn.ID != id {
			continue
		}
		for _, e := range turn.Entries {
			if p, ok := e.(*Part); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// content is what the truth has of a turn: its texts and its calls.
func content(t *Transcript, id TurnID) (said []string, calls map[CallID]bool) {
	calls = map[CallID]bool{}
	for call := range t.index.tools {
		calls[call] = true
	}
	for _, p := range parts(t, id) {
		said = append(said, p.Text())
	}
	return said, calls
}

// until returns what the journal has from before an instant, and forgets it.
func (o *overlay) until(at time.Time) []Event {
	if at.IsZero() {
		return nil
	}
	n := 0
	for n < len(o.kept) {
		h := o.kept[n].Header()
		if h.At.IsZero() || h.At.After(at) {
			break
		}
		n++
	}
	out := o.kept[:n:n]
	o.kept = o.kept[n:]
	return out
}

// decorate returns an event of the truth with what the journal knows of it.
func (o *overlay) decorate(e Event) []Event {
	h := e.Header()
	t := o.turns[h.Turn]
	if t == nil {
		t = &overlaid{}
	}
	switch e := e.(type) {
	case TurnStarted:
		if t.started != nil {
			e.Prompt, e.Origin = t.started.Prompt, t.started.Origin
		}
		return []Event{e}
	case TurnEnded:
		out := append(slices.Clone(t.inFlight), t.usage...)
		if t.ended != nil {
			e.Outcome, e.Problem, e.Duration = t.ended.Outcome, t.ended.Problem, t.ended.Duration
		}
		return append(out, e)
	case UsageReported:
		if len(t.usage) > 0 {
			return nil
		}
	case ToolReady:
		return append([]Event{e}, o.asks[e.Call]...)
	case ToolEnded:
		if o.deny[e.Call] && e.Outcome == ToolFailed {
			e.Outcome = ToolDenied
		}
		return []Event{e}
	case ModelChanged:
		if o.hasModel && !h.At.After(o.last) {
			return nil
		}
	case ModeChanged:
		if o.hasMode && !h.At.After(o.last) {
			return nil
		}
	case TitleChanged:
		if o.hasTitle {
			return nil
		}
	}
	return []Event{e}
}
