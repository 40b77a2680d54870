package proxy

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"parley/copilot"
	"parley/proxy/search"
)

const (
	// searchTries bounds the models that one search asks for.
	searchTries = 3
	// searchPause is the time for which a model that refused to search is not asked again.
	searchPause = 10 * time.Minute
)

// searchers remembers the models that refused to search. It is safe for concurrent use.
type searchers struct {
	mu      sync.Mutex
	refused map[string]time.Time
}

func (s *searchers) refuse(model string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused == nil {
		s.refused = map[string]time.Time{}
	}
	s.refused[model] = now
}

// choose returns the models that may search, the cheapest first.
func (s *searchers) choose(models []copilot.Model, now time.Time) []copilot.Model {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []copilot.Model
	for _, m := range models {
		if at, refused := s.refused[m.ID]; m.Searches() && !(refused && now.Sub(at) < searchPause) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b copilot.Model) int { return cmp.Compare(searchPrice(a), searchPrice(b)) })
	return out
}

// searchPrice orders models by what they cost; one of unknown price comes last.
func searchPrice(m copilot.Model) float64 {
	switch {
	case m.Free:
		return 0
	case m.Price == nil:
		return 1e18
	}
	return m.Price.Input + m.Price.Output
}

// searching is a backend that answers one question by a search of another model.
type searching struct {
	backend
	c       *call
	up      OpenAIUpstream
	q       *search.Request
	asModel string          // of the message, as the client spelled it
	choice  []copilot.Model // the models that may search, the cheapest first
}

// search prepares the answer to a question whose only tool is the hosted web search.
func (c *call) search(q *search.Request, model string) (backend, copilot.Request, *failure) {
	up := c.s.openAI()
	if up == nil {
		return nil, copilot.Request{}, refuse(http.StatusBadRequest, typeInvalid, "the web search is not available here")
	}
	models, err := c.s.back.models(c.ctx)
	if err != nil {
		return nil, copilot.Request{}, c.failed(err)
	}
	b := &searching{backend: c.s.back, c: c, up: up, q: q, asModel: model, choice: c.s.searchers.choose(models, c.s.clock.now())}
	c.x.Initiator = byAgent // a search belongs to the turn that wants it
	h := requestHeader(c.r.Header, c.s.product)
	h.Del("Anthropic-Version") // unknown to the other API
	return b, copilot.Request{Ready: true, Header: h}, nil
}

// ask searches with the cheapest model that does. An error is one that may pass; a refusal is a message that says so.
func (b *searching) ask(ctx context.Context, r copilot.Request) (*search.Message, http.Header, error) {
	why := "No model of this login can search."
	var header http.Header
	for _, m := range b.choice[:min(len(b.choice), searchTries)] {
		b.c.x.Upstream = m.ID
		r.Body, r.Model = b.q.For(m.ID, leastEffort(m)), m.ID
		resp, err := b.up.Responses(ctx, r)
		if err == nil {
			answer, err := b.q.Message(messageID(), b.asModel, resp.Body)
			if err != nil {
				err = &copilot.Error{Op: "search the web", Kind: copilot.KindProtocol, Status: http.StatusBadGateway, Header: resp.Header, Err: err}
			}
			return answer, resp.Header, err
		}
		e := (*copilot.Error)(nil)
		if !errors.As(err, &e) || e.Kind != copilot.KindBadRequest && e.Kind != copilot.KindForbidden && e.Kind != copilot.KindModel {
			return nil, nil, err
		}
		b.c.s.searchers.refuse(m.ID, b.c.s.clock.now())
		header, why = e.Header, "The service said: "+cmp.Or(e.Message, e.Code, string(e.Kind))
	}
	return b.q.Refused(messageID(), b.asModel, "The web search is not available with this Copilot plan or its policies. "+why), header, nil
}

// leastEffort returns the least effort with which a model searches: the service refuses "minimal" and "none".
func leastEffort(m copilot.Model) string {
	for _, e := range []string{"low", "medium", "high"} {
		if slices.Contains(m.Supports.Efforts, e) {
			return e
		}
	}
	return ""
}

func (b *searching) message(ctx context.Context, r copilot.Request) (*copilot.Response, error) {
	m, header, err := b.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	return &copilot.Response{Header: header, Body: m.JSON()}, nil
}

func (b *searching) stream(ctx context.Context, r copilot.Request) (frames, http.Header, error) {
	m, header, err := b.ask(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return &searchFrames{m.Events()}, header, nil
}

// searchFrames is a stream that has arrived whole.
type searchFrames struct{ events []search.Event }

// Next returns the next frame, io.EOF after the last.
func (f *searchFrames) Next() (copilot.Frame, error) {
	if len(f.events) == 0 {
		return copilot.Frame{}, io.EOF
	}
	e := f.events[0]
	f.events = f.events[1:]
	return copilot.Frame{Event: e.Name, Data: e.Data}, nil
}

// Ready reports that no frame has to be waited for.
func (f *searchFrames) Ready() bool { return true }

// Close does nothing: no connection is open.
func (f *searchFrames) Close() error { return nil }
