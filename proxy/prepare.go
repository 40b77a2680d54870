package proxy

import (
	"context"
	"errors"
	"net/http"
	"time"

	"parley/copilot"
	"parley/proxy/repair"
	"parley/proxy/translate"
)

// describeWithin is how long a request waits for the service's description of its model, which is asked for once in half
// an hour. Without it only what no model takes is repaired.
const describeWithin = 5 * time.Second

// newRepairer makes the repairer of a server. Reasoning that our own translation has signed means nothing to the service.
func newRepairer(o Options) (*repair.Repairer, error) {
	r := o.Repair
	if r.Log == nil {
		r.Log = o.Log
	}
	if r.Foreign == nil {
		r.Foreign = func(signature []byte) bool { return translate.IsOwnSignature(string(signature)) }
	}
	return repair.New(r)
}

// prepare makes the request for the service out of the client's: with the model as the service spells it, and repaired.
func (c *call) prepare(m messageBody, body []byte, id string) (copilot.Request, *failure) {
	req := copilot.Request{Ready: m.said, Model: id, Header: requestHeader(c.r.Header, c.s.product)}
	res, err := c.s.repairer.Repair(m.req, c.describe(id), c.r.Header.Values("Anthropic-Beta"))
	for _, fired := range res.Fired {
		c.x.Repairs = append(c.x.Repairs, fired.Rule)
	}
	if refusal := (*repair.Refusal)(nil); errors.As(err, &refusal) {
		c.x.Repairs = append(c.x.Repairs, refusal.Rule)
		return req, refuse(http.StatusBadRequest, typeInvalid, refusal.Message)
	}
	if m.words {
		m.req.ListSystem()
	}
	if m.req.Changed() {
		m.req.SetModel(id)
		req.Body = m.req.Take()
	} else {
		req.Body = putString(body, m.modelSpan, id)
	}
	if res.Betas != "" {
		req.Header.Set("Anthropic-Beta", res.Betas)
	}
	return req, nil
}

// describe is what the service says of a model; what it does not say soon, or not at all, is not known.
func (c *call) describe(id string) repair.Model {
	if m, known := c.s.knownModel(id); known {
		return repair.ModelOf(m)
	}
	ctx, cancel := context.WithTimeout(c.ctx, describeWithin)
	defer cancel()
	models, err := c.s.back.models(ctx)
	if err != nil {
		c.s.log.Debug("proxy knows nothing of the model", "session", c.x.Session, "error", err)
		return repair.Model{}
	}
	for _, m := range models {
		if m.ID == id {
			return repair.ModelOf(m)
		}
	}
	return repair.Model{}
}

// knownModel asks an upstream that can tell without waiting.
func (s *Server) knownModel(id string) (m copilot.Model, known bool) {
	if b, ok := s.back.(clientBackend); ok {
		if k, ok := b.up.(interface {
			KnownModel(id string) (copilot.Model, bool)
		}); ok {
			return k.KnownModel(id)
		}
	}
	return copilot.Model{}, false
}
