package copilottest

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// serveMessages answers a request of an inference API that has passed authentication.
func (x *exchange) serveMessages(decodeErr error) error {
	if decodeErr != nil {
		return x.refuse(undecodable(decodeErr))
	}
	b := x.body
	model, p := x.protocol.check(x.s, x.r, b, len(x.data))
	if p != nil {
		return x.refuse(p)
	}
	st := b.situation()
	rule, captures, pace := x.s.script.choose(b, &st)
	steps, stop := unmatched(&st), ""
	if rule != nil {
		steps, stop = rule.Reply.Steps, rule.Reply.Stop
		pace = pace.over(rule.Reply.Pace)
		x.note(func(r *Request) { r.Rule = rule.Name })
	}
	play := (&filling{body: b, st: &st, captures: captures, pace: pace}).steps(steps)
	if done, err := x.openingFault(play); done {
		return err
	}
	if stop == "" {
		stop = stopReason(play)
	}
	x.s.quota.spend(model.Multiplier)
	u := x.s.cache.measure(model, len(x.data), b)
	return x.player(b, model, u).play(play, stop)
}

// undecodable is what the service says to a body it cannot read.
func undecodable(err error) *problem {
	if d := (*decodeError)(nil); errors.As(err, &d) {
		p := badRequest(d.Error())
		p.check = "shape"
		return p
	}
	return &problem{check: "json", status: 400, shape: ShapeCode, code: "invalid_request_body",
		message: "failed to parse request: the body is not valid JSON"}
}

// unmatched is the answer where no rule of the script matches.
func unmatched(st *situation) []Step {
	return []Step{{Kind: StepText, Text: "I am simulated, and no rule of my script matches turn " + itoa(st.turn) +
		", round " + itoa(st.round) + "."}}
}

// stopReason is the reason that follows from the steps.
func stopReason(steps []playStep) string {
	for _, st := range steps {
		if st.kind == StepTool {
			return "tool_use"
		}
	}
	return "end_turn"
}

// openingFault performs a fault that stands at the very beginning of a reply, before the response header.
func (x *exchange) openingFault(steps []playStep) (done bool, err error) {
	if len(steps) == 0 || steps[0].kind != StepFault || steps[0].fault.After != 0 {
		return false, nil
	}
	switch f := steps[0].fault; f.Kind {
	case FaultStatus:
		return true, x.send(f.problem().answer())
	case FaultCut, FaultEnd:
		return true, errCut
	case FaultStall:
		if err := x.stall(f.For); err != nil {
			return true, err
		}
	case FaultContentType:
		x.faults = append(x.faults, *f)
	}
	return false, nil
}

// player prepares the performance of a reply in the form that the request wants.
func (x *exchange) player(b *Body, model Model, u usage) *player {
	p := &player{ctx: x.r.Context(), clock: x.s.clock, holds: &x.s.holds, paced: b.Stream,
		counted: func(n int) { x.note(func(r *Request) { r.Deltas = n }) }}
	contentType := typeSSE
	for _, f := range x.faults {
		switch {
		case f.Kind == FaultContentType:
			contentType = f.contentType()
		case f.Kind == FaultJunk:
			p.finishes = append(p.finishes, f)
		case f.After == 0:
			f.After = -1
			p.cues = append(p.cues, f)
		default:
			p.cues = append(p.cues, f)
		}
	}
	slices.SortStableFunc(p.cues, func(a, b Fault) int { return cmp.Compare(a.After, b.After) })
	header := x.s.quota.headers(x.s.clock.Now())
	t := telling{model: model, usage: u, hidden: b.Thinking != nil && b.Thinking.Display == "omitted"}
	if f := b.foreign; f != nil {
		t.sealed, t.counted = f.encrypt, f.usage
	}
	if !b.Stream {
		t.drip = func(every time.Duration) { x.drip = max(every, bytePause) }
		t.send = func(a answer) error {
			a.header = header
			if contentType != typeSSE {
				a.contentType = contentType
			}
			return x.wholeMessage(a, p.finishes)
		}
		p.out = x.protocol.whole(t)
		return p
	}
	header["Cache-Control"] = "no-cache"
	t.wire = x.wire()
	t.head = func() { x.head(200, contentType, header) }
	p.out = x.protocol.stream(t)
	return p
}

// wholeMessage sends a reply that is not streamed.
func (x *exchange) wholeMessage(a answer, junk []Fault) error {
	for range junk {
		a.body = flawed(a.body, FaultJunk)
	}
	return x.send(a)
}

// filling fills in the templates of a reply.
type filling struct {
	body     *Body
	st       *situation
	captures []string
	pace     Pace
}

// steps fills in the steps. Reasoning is left out where the request does not ask for it, as the service does.
func (f *filling) steps(steps []Step) []playStep {
	var out []playStep
	for _, st := range steps {
		p := playStep{kind: st.Kind, pause: st.Pause, fault: st.Fault, pace: f.pace.over(st.Pace)}
		switch st.Kind {
		case StepThink:
			if f.body.Thinking == nil || f.body.Thinking.Type == "disabled" {
				continue
			}
			p.text = f.text(st.Text)
		case StepText:
			p.text = f.text(st.Text)
		case StepHold:
			p.text = st.Text
		case StepTool:
			p.tool, p.id = f.text(st.Tool), "toolu_bdrk_"+randomID(24)
			p.text = "{}"
			if st.Input != nil {
				p.text = string(mustJSON(f.value(st.Input)))
			}
		case StepFiller:
			p.kind, p.text = StepText, filler(f.number(st.Tokens, 100), f.text(st.Text))
			p.pace = Pace{Chars: defaultChars, Rate: float64(f.number(st.Rate, 0))}
		case StepSchema:
			p.kind, p.text = StepText, string(mustJSON(f.example(f.body.Format)))
		}
		out = append(out, p)
	}
	return out
}

// value fills in the strings within a tool's input.
func (f *filling) value(v any) any {
	switch v := v.(type) {
	case string:
		return f.text(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = f.value(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = f.value(v[k])
		}
		return out
	}
	return v
}

// example makes a value that satisfies the JSON schema of a structured answer, in a simple way: texts say what the
// user said, numbers are 1, lists are empty.
func (f *filling) example(format json.RawMessage) any {
	var outer struct {
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(format, &outer) != nil {
		return map[string]any{}
	}
	return f.exampleOf(outer.Schema, 0)
}

func (f *filling) exampleOf(schema json.RawMessage, depth int) any {
	var s struct {
		Type       string                     `json:"type"`
		Enum       []any                      `json:"enum"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || depth > 20 {
		return map[string]any{}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "string":
		return shorten(strings.Join(strings.Fields(f.st.prompt), " "), 60)
	case s.Type == "number", s.Type == "integer":
		return 1
	case s.Type == "boolean":
		return true
	case s.Type == "array":
		return []any{}
	}
	out := map[string]any{}
	for name, sub := range s.Properties {
		out[name] = f.exampleOf(sub, depth+1)
	}
	return out
}
