package live

import (
	"slices"
	"strings"
	"time"

	"parley/session"
)

// mergeTruth puts together what the agent's own transcript says of a session and what the journal has. The transcript
// decides what happened. The journal adds what is not in it: turns that never arrived, what was streaming when everything
// died, what was asked and answered, what the user chose, what it cost, how turns ended, and the prompts that wait.
func mergeTruth(truth, journal []session.Event) []session.Event {
	o := newOverlay(truth, journal)
	var out []session.Event
	for _, e := range truth {
		out = append(out, o.until(e.Header().At)...)
		out = append(out, o.decorate(e)...)
	}
	return slices.Concat(o.early, o.context, out, o.kept, o.queue)
}

// overlay is what a journal adds to a transcript.
type overlay struct {
	turns map[session.TurnID]*overlaid
	asks  map[session.CallID][]session.Event // what was asked about a call, and the answers
	deny  map[session.CallID]bool
	// hooked are the results of calls that hooks have blocked, which transcripts do not tell from failures.
	hooked map[session.CallID]session.ToolResult
	// behind are calls that went on in the background, with what they wrote, which no transcript has.
	behind map[session.CallID]*session.ToolResult
	early  []session.Event // choices nobody knows the time of
	kept   []session.Event // what belongs between the events of the truth, in order
	queue  []session.Event // the prompts that wait
	// context is the newest word of the journal on the context window, whose size no transcript tells.
	context []session.Event
	// open is the newest turn of the journal if it has no end there: whoever resumes the session ends it and says so.
	open session.TurnID

	last     time.Time // of the newest event in the journal; what the transcript has since then happened outside of parley
	hasModel bool
	hasMode  bool
	hasTitle bool
}

// overlaid is a turn that both know.
type overlaid struct {
	started  *session.TurnStarted
	ended    *session.TurnEnded
	usage    []session.Event
	inFlight []session.Event // what nothing in the truth stands for
}

func newOverlay(truth, journal []session.Event) *overlay {
	o := &overlay{turns: map[session.TurnID]*overlaid{}, asks: map[session.CallID][]session.Event{}, deny: map[session.CallID]bool{}, hooked: map[session.CallID]session.ToolResult{},
		behind: map[session.CallID]*session.ToolResult{}}
	compacted := false
	for _, e := range truth {
		if id := e.Header().Turn; id != "" && o.turns[id] == nil {
			o.turns[id] = &overlaid{}
		}
		_, is := e.(session.Compacted)
		compacted = compacted || is
	}
	o.open = leftOpen(truth, journal)
	o.sort(journal, autonomous(journal), compacted)
	o.wait(truth, journal)
	o.restless(truth, journal)
	return o
}

// sort takes from the journal what the truth does not say.
func (o *overlay) sort(journal []session.Event, own map[session.TurnID]bool, compacted bool) {
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
		case session.TitleChanged:
			o.hasTitle = true
			e.Turn = o.turn(e.Turn, own)
			o.choice(e)
		case session.Asked:
			if t != nil && e.Call != "" {
				calls[e.Ask] = e.Call
				o.asks[e.Call] = append(o.asks[e.Call], e)
				continue
			}
			o.keep(e, t, own)
		case session.Settled:
			call, about := calls[e.Ask]
			if !about {
				o.keep(e, t, own)
				continue
			}
			o.asks[call] = append(o.asks[call], e)
			o.deny[call] = e.Answer.Decision == session.Deny
		case session.Compacted:
			if !compacted {
				o.keep(e, t, own)
			}
		case session.CreditsReported:
			e.Turn = o.turn(e.Turn, own)
			o.kept = append(o.kept, e)
		case session.SessionIDChanged:
			e.Turn = o.turn(e.Turn, own)
			o.kept = append(o.kept, e)
		case session.ContextReported:
			if len(o.context) > 0 && e.Window == 0 { // the size was told before
				e.Window = o.context[0].(session.ContextReported).Window
			}
			e.Gen = 0 // it comes first, and a newer generation would make everything after it late output
			o.context = []session.Event{e}
		case session.Queued, session.Unqueued, session.Requeued:
		default:
			o.keepTurn(e, t, own)
		}
	}
}

// choice keeps what the user chose, at its place if that is known.
func (o *overlay) choice(e session.Event) {
	if e.Header().At.IsZero() {
		o.early = append(o.early, e)
		return
	}
	o.kept = append(o.kept, e)
}

// keep keeps an event of a turn that the truth does not have.
func (o *overlay) keep(e session.Event, t *overlaid, own map[session.TurnID]bool) {
	if id := e.Header().Turn; t == nil && id != "" && !own[id] {
		o.kept = append(o.kept, e)
	}
}

// keepTurn takes an event as part of a turn that both know, or keeps it.
func (o *overlay) keepTurn(e session.Event, t *overlaid, own map[session.TurnID]bool) {
	if t == nil {
		o.keep(e, t, own)
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
		if e.Outcome == session.ToolDenied && e.Result.Summary == session.BlockedByHook {
			o.hooked[e.Call] = e.Result
		}
		if _, was := o.behind[e.Call]; was {
			o.behind[e.Call] = &e.Result
		} else if e.Result.Background {
			o.behind[e.Call] = nil
		}
	}
}

// wait finds the prompts that still wait: neither taken back nor delivered, as far as either knows.
func (o *overlay) wait(truth, journal []session.Event) {
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
	var line session.Transcript // all that ever waited, in the order of those that still do
	queued := map[session.PromptID]session.Queued{}
	for _, e := range journal {
		switch e := e.(type) {
		case session.Queued:
			queued[e.Prompt.ID] = e
			e.Gen = 0
			line.Apply(e)
		case session.Requeued:
			e.Gen = 0
			line.Apply(e)
		}
	}
	for _, p := range line.Queue {
		if !gone[p.ID] {
			o.queue = append(o.queue, queued[p.ID])
		}
	}
	// What was steered into a turn that only the journal has needs its words.
	for i := 0; i < len(o.kept); i++ {
		s, ok := o.kept[i].(session.Steered)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(journal, func(e session.Event) bool { q, is := e.(session.Queued); return is && q.Prompt.ID == s.Prompt }); at >= 0 {
			o.kept = slices.Insert(o.kept, i, journal[at])
			i++
		}
	}
}

// restless finds what the journal has of turns that both know and the truth does not: what was streaming when everything
// died, and what the agent had said but not yet written down when its process was killed, as agents write behind. Where
// the truth has other words than the journal, it is not cut short but something else happened, and it decides.
func (o *overlay) restless(truth, journal []session.Event) {
	if !slices.ContainsFunc(journal, o.both) {
		return
	}
	is, was := session.Fold(truth), session.Fold(journal)
	said, calls := content(is)
	short, missing := map[session.TurnID]bool{}, map[session.PartID]bool{}
	for _, turn := range was.Turns {
		t := o.turns[turn.ID]
		if t == nil {
			continue
		}
		ours := parts(turn)
		short[turn.ID] = t.ended == nil || !slices.ContainsFunc(said[turn.ID], func(s string) bool { return !begins(ours, s) })
		for _, p := range ours {
			missing[p.ID] = !slices.ContainsFunc(said[turn.ID], func(s string) bool { return strings.HasPrefix(s, p.Text()) })
		}
	}
	for _, e := range journal {
		if e.Header().Child != "" || !short[e.Header().Turn] || !inFlight(e, missing, calls) {
			continue
		}
		t := o.turns[e.Header().Turn]
		t.inFlight = append(t.inFlight, e)
		if ready, ok := e.(session.ToolReady); ok {
			t.inFlight = append(t.inFlight, o.asks[ready.Call]...)
		}
	}
}

// begins reports whether one of the parts is the text, as far as it goes.
func begins(parts []*session.Part, text string) bool {
	return text == "" || slices.ContainsFunc(parts, func(p *session.Part) bool { return strings.HasPrefix(text, p.Text()) })
}

// both reports whether an event belongs to a turn that the journal and the truth know.
func (o *overlay) both(e session.Event) bool {
	t := o.turns[e.Header().Turn]
	return t != nil && t.started != nil
}

// inFlight reports whether e belongs to a missing part, to a call that the truth does not know, or ends one of which the
// truth knows no end. What a call is known to have done is in calls.
func inFlight(e session.Event, missing map[session.PartID]bool, calls map[session.CallID]session.ToolOutcome) bool {
	unknown := func(call session.CallID) bool {
		_, known := calls[call]
		return !known
	}
	switch e := e.(type) {
	case session.PartStarted:
		return missing[e.Part]
	case session.PartDelta:
		return missing[e.Part]
	case session.PartEnded:
		return missing[e.Part]
	case session.PartReplaced:
		return missing[e.Part]
	case session.ToolStarted:
		return unknown(e.Call)
	case session.ToolInput:
		return unknown(e.Call)
	case session.ToolReady:
		return unknown(e.Call)
	case session.ToolOutput:
		return unknown(e.Call)
	case session.ToolEnded:
		return calls[e.Call] == ""
	}
	return false
}

// parts are the parts of a turn's top level that say something and count.
func parts(turn *session.Turn) []*session.Part {
	var out []*session.Part
	for _, e := range turn.Entries {
		if p, ok := e.(*session.Part); ok && p.Text() != "" && !p.Retracted && p.Child == "" {
			out = append(out, p)
		}
	}
	return out
}

// content is what the truth has: the texts of each turn, and all calls with how they ended, "" for those that did not.
func content(t *session.Transcript) (said map[session.TurnID][]string, calls map[session.CallID]session.ToolOutcome) {
	said, calls = map[session.TurnID][]string{}, t.Outcomes()

	for _, turn := range t.Turns {
		for _, p := range parts(turn) {
			said[turn.ID] = append(said[turn.ID], p.Text())
		}
	}
	return said, calls
}

// until returns what the journal has from before an instant, and forgets it.
func (o *overlay) until(at time.Time) []session.Event {
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
func (o *overlay) decorate(e session.Event) []session.Event {
	h := e.Header()
	t := o.turns[h.Turn]
	if t == nil {
		t = &overlaid{}
	}
	switch e := e.(type) {
	case session.TurnStarted:
		if t.started != nil {
			e.Prompt, e.Origin = t.started.Prompt, t.started.Origin
		}
		return []session.Event{e}
	case session.TurnEnded:
		out := append(slices.Clone(t.inFlight), t.usage...)
		if t.ended != nil {
			e.Outcome, e.Problem, e.Duration = t.ended.Outcome, t.ended.Problem, t.ended.Duration
		} else if h.Turn == o.open && e.Outcome == session.TurnCancelled {
			return out // a transcript only breaks off there
		}
		return append(out, e)
	case session.UsageReported:
		if len(t.usage) > 0 {
			return nil
		}
	case session.ToolReady:
		return append([]session.Event{e}, o.asks[e.Call]...)
	case session.ToolEnded:
		if o.deny[e.Call] && e.Outcome == session.ToolFailed {
			e.Outcome = session.ToolDenied
		}
		if r, ok := o.hooked[e.Call]; ok && e.Outcome == session.ToolFailed {
			e.Outcome, e.Result = session.ToolDenied, r
		}
		if r := o.behind[e.Call]; r != nil && !e.Result.Background && e.Result.Text == "" {
			e.Result = *r
		}
		return []session.Event{e}
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
