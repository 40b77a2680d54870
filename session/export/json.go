package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"parley/session"
)

// JSON yields a session as one object with all there is, piece by piece: its version, what is known of it, and its events as in
// stream-json. An error ends it.
func JSON(meta session.Meta, events []session.Event) iter.Seq2[string, error] {
	return asJSON(meta, events, Options{Reasoning: true, Output: true, Secrets: true})
}

func asJSON(meta session.Meta, events []session.Event, o Options) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		out := func(piece string, err error) bool {
			if !o.Secrets {
				piece = mask(piece)
			}
			return yield(piece, err)
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("  ", "  ")
		if err := enc.Encode(meta); err != nil {
			yield("", err)
			return
		}
		begin := fmt.Sprintf("{\n  \"v\": %d,\n  \"meta\": %s,\n  \"events\": [", session.SchemaVersion, strings.TrimSpace(b.String()))
		if !out(begin, nil) {
			return
		}
		some := false
		for e := range o.chosen(events) {
			line, err := session.EncodeEvent(e)
			b.Reset()
			b.WriteString(map[bool]string{false: "\n    ", true: ",\n    "}[some])
			if err == nil {
				err = json.Indent(&b, line, "    ", "  ")
			}
			if !out(b.String(), err) || err != nil {
				return
			}
			some = true
		}
		yield(map[bool]string{false: "]\n}\n", true: "\n  ]\n}\n"}[some], nil)
	}
}

// chosen yields the events that an export contains. Where secrets are masked, what was streamed comes at once: one may have come
// in two pieces.
func (o Options) chosen(events []session.Event) iter.Seq[session.Event] {
	whole := map[string]string{}
	if !o.Secrets {
		texts := map[string]*strings.Builder{}
		for _, e := range events {
			if key, text := streamed(e); key != "" {
				if texts[key] == nil {
					texts[key] = &strings.Builder{}
				}
				texts[key].WriteString(text)
			}
		}
		for key, b := range texts {
			whole[key] = b.String()
		}
	}
	reasoning := map[session.PartID]bool{}
	return func(yield func(session.Event) bool) {
		came := map[string]bool{}
		for _, e := range events {
			key, text := streamed(e)
			if key != "" && !o.Secrets {
				if came[key] {
					continue
				}
				came[key], text = true, whole[key]
			}
			e, shown := o.without(e, text, reasoning)
			if shown && !yield(e) {
				return
			}
		}
	}
}

// streamed returns the text of an event that continues another one, with a key of what it belongs to.
func streamed(e session.Event) (key, text string) {
	switch e := e.(type) {
	case session.PartDelta:
		return "part " + string(e.Part), e.Text
	case session.ToolInput:
		return "input " + string(e.Call), e.Fragment
	case session.ToolOutput:
		return "output " + string(e.Call), e.Text
	}
	return "", ""
}

// without returns an event as it is exported, with its streamed text, false if it is left out. reasoning are the parts of this
// kind so far.
func (o Options) without(e session.Event, text string, reasoning map[session.PartID]bool) (session.Event, bool) {
	part := session.PartID("")
	switch e := e.(type) {
	case session.PartStarted:
		part, reasoning[e.Part] = e.Part, e.Kind == session.PartReasoning
	case session.PartReplaced:
		part, reasoning[e.Part] = e.Part, e.Kind == session.PartReasoning
	case session.PartEnded:
		part = e.Part
	case session.PartRetracted:
		part = e.Part
	case session.PartDelta:
		return session.PartDelta{Head: e.Head, Part: e.Part, Text: text}, o.Reasoning || !reasoning[e.Part]
	case session.ToolInput:
		e.Fragment = text
		return e, true
	case session.ToolOutput:
		e.Text = text
		return e, o.Output
	case session.ToolEnded:
		if !o.Output {
			e.Result.Text, e.Result.Sent, e.Result.Media = "", "", nil
		}
		return e, true
	case session.ChildEnded:
		if !o.Output {
			e.Summary = ""
		}
		return e, true
	}
	return e, o.Reasoning || !reasoning[part]
}
