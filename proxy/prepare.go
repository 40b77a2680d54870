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

// describeWithin bounds the wait for the service's description of a model, which is requested once in half an hour.
// Without it, only what no model accepts is repaired.
const describeWithin = 5 * time.Second

// newRepairer returns the repairer of a server. It drops reasoning signed by our translation, which the service cannot
// use.
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

// prepare returns the repaired request for the service, with the service's spelling of the model.
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

// describe returns the service's description of a model, the zero value if it does not arrive soon.
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

// knownModel returns the description of a model from an upstream that has it without waiting.
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
