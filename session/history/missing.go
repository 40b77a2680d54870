package history

import (
	"slices"
	"strings"

	"parley/session"
)

// findMissing finds events of turns of both that the transcript lacks: text that was streaming at a crash, and text that a
// killed agent had not written yet. A transcript with other text than the journal is not cut short, and decides.
func (o *overlay) findMissing(truth, journal []session.Event) {
	if !slices.ContainsFunc(journal, o.isShared) {
		return
	}
	is, was := session.Fold(truth), session.Fold(journal)
	texts, calls := content(is)
	o.thought = thoughts(is, was)
	cutShort, missing := map[session.TurnID]bool{}, map[session.PartID]bool{}
	for _, turn := range was.Turns {
		t := o.turns[turn.ID]
		if t == nil {
			continue
		}
		ours := parts(turn)
		cutShort[turn.ID] = t.ended == nil || !slices.ContainsFunc(texts[turn.ID], func(s string) bool { return !begins(ours, s) })
		for _, p := range ours {
			missing[p.ID] = !slices.ContainsFunc(texts[turn.ID], func(s string) bool { return strings.HasPrefix(s, p.Text()) })
		}
	}
	for _, e := range journal {
		if e.Header().Child != "" || !cutShort[e.Header().Turn] || !isMissing(e, missing, calls) {
			continue
		}
		if end, ok := e.(session.ToolEnded); ok && o.behind.endsCall(end) {
			continue // it stands between
		}
		t := o.turns[e.Header().Turn]
		t.missing = append(t.missing, e)
		if ready, ok := e.(session.ToolReady); ok {
			t.missing = append(t.missing, o.calls.asks[ready.Call]...)
		}
	}
}

// begins reports whether the text begins with one of the parts.
func begins(parts []*session.Part, text string) bool {
	return text == "" || slices.ContainsFunc(parts, func(p *session.Part) bool { return strings.HasPrefix(text, p.Text()) })
}

// isShared reports whether an event belongs to a turn of both.
func (o *overlay) isShared(e session.Event) bool {
	t := o.turns[e.Header().Turn]
	return t != nil && t.started != nil
}

// isMissing reports whether an event belongs to a missing part or an unknown call, or ends a call without an end. calls are
// the calls of the transcript with their outcome.
func isMissing(e session.Event, missing map[session.PartID]bool, calls map[session.CallID]session.ToolOutcome) bool {
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
	case session.FilesChanged:
		return calls[e.Call] == ""
	}
	return false
}

// parts returns the top-level parts of a turn with text.
func parts(turn *session.Turn) []*session.Part {
	var out []*session.Part
	for _, e := range turn.Entries {
		if p, ok := e.(*session.Part); ok && p.Text() != "" && !p.Retracted && p.Child == "" {
			out = append(out, p)
		}
	}
	return out
}

// content returns the texts of each turn, and all calls with their outcome, "" without an end.
func content(t *session.Transcript) (texts map[session.TurnID][]string, calls map[session.CallID]session.ToolOutcome) {
	texts, calls = map[session.TurnID][]string{}, t.Outcomes()
	for _, turn := range t.Turns {
		for _, p := range parts(turn) {
			texts[turn.ID] = append(texts[turn.ID], p.Text())
		}
	}
	return texts, calls
}
