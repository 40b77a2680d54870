package sim

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"parley/copilot/sim/script"
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
	reply := x.s.script.Answer(b.situation())
	if reply.Rule != "" {
		x.note(func(r *Request) { r.Rule = reply.Rule })
	}
	if done, err := x.openingFault(reply.Steps); done {
		return err
	}
	x.s.quota.spend(model.Multiplier)
	u := x.s.measure(model, len(x.data), b)
	return x.player(b, model, u).play(reply.Steps, reply.Stop)
}

// undecodable returns the service's error for an unreadable body.
func undecodable(err error) *problem {
	if d := (*decodeError)(nil); errors.As(err, &d) {
		p := badRequest(d.Error())
		p.check = "shape"
		return p
	}
	return &problem{check: "json", status: 400, shape: script.ShapeCode, code: "invalid_request_body",
		message: "failed to parse request: the body is not valid JSON"}
}

// openingFault performs a fault at the very beginning of a reply, before the response header.
func (x *exchange) openingFault(steps []script.Play) (done bool, err error) {
	if len(steps) == 0 || steps[0].Kind != script.StepFault || steps[0].Fault.After != 0 {
		return false, nil
	}
	switch f := steps[0].Fault; f.Kind {
	case script.FaultStatus:
		return true, x.send(problemOf(f).answer())
	case script.FaultCut, script.FaultEnd:
		return true, errCut
	case script.FaultStall:
		if err := x.stall(f.For); err != nil {
			return true, err
		}
	case script.FaultContentType:
		x.faults = append(x.faults, *f)
	}
	return false, nil
}

// player returns the player of a reply in the form that the request requires.
func (x *exchange) player(b *Body, model Model, u usage) *player {
	p := &player{ctx: x.r.Context(), clock: x.s.clock, holds: &x.s.holds, paced: b.Stream,
		counted: func(n int) { x.note(func(r *Request) { r.Deltas = n }) }}
	contentType := typeSSE
	for _, f := range x.faults {
		switch {
		case f.Kind == script.FaultContentType:
			contentType = claimedType(&f)
		case f.Kind == script.FaultJunk:
			p.finishes = append(p.finishes, f)
		case f.After == 0:
			f.After = -1
			p.cues = append(p.cues, f)
		default:
			p.cues = append(p.cues, f)
		}
	}
	slices.SortStableFunc(p.cues, func(a, b script.Fault) int { return cmp.Compare(a.After, b.After) })
	header := x.s.quota.headers(x.s.clock.Now())
	t := telling{model: model, usage: u, hidden: b.Thinking != nil && b.Thinking.Display == "omitted"}
	if f := b.foreign; f != nil {
		t.sealed, t.counted, t.searches = f.encrypt, f.usage, f.searches
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
func (x *exchange) wholeMessage(a answer, junk []script.Fault) error {
	for range junk {
		a.body = flawed(a.body, script.FaultJunk)
	}
	return x.send(a)
}
