package proxy

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"parley/copilot"
)

// Fallback reports that another model answers a request than the one it was for.
type Fallback struct {
	Session      string
	Wanted, Used string // as the service spells them
	// Gone is whether the service does not have the model; otherwise it has no capacity for it.
	Gone bool
}

// substitute is a model that answers for the one a request is for. The zero value is none.
type substitute struct {
	wanted string // the model of the request, in the client's spelling
	news   *Fallback
}

// substitutes remembers which models answer for others until the user's next prompt. The zero value is empty. It is safe for
// concurrent use.
type substitutes struct {
	mu sync.Mutex
	by map[string]string
}

// standing returns the model that answers for another in this turn, "" for none. A prompt of the user begins a turn.
func (s *substitutes) standing(wanted, initiator string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if initiator == byUser {
		delete(s.by, wanted)
	}
	return s.by[wanted]
}

// set makes a model answer for another until the turn ends.
func (s *substitutes) set(wanted, model string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = map[string]string{}
	}
	s.by[wanted] = model
}

// askInTurn asks the model of the request, and the fallback models in their order while it is overloaded or gone. The answer
// names the model of the request, so that clients do not take it for their user's choice; [Options.FellBack] has the truth.
// If no model answers, it returns the failure of the first.
func (c *call) askInTurn(m messageBody, body []byte) *failure {
	wanted, whole, span := m.model, slices.Clone(body), m.modelSpan
	c.x.Initiator = c.chooseInitiator(m, body)
	standing := c.session.substitutes.standing(wanted, c.x.Initiator)
	var first *failure
	tried := map[string]bool{"": true}
	for _, model := range append([]string{standing, wanted}, c.s.fallback...) {
		id := serviceModelID(model)
		if tried[id] {
			continue
		}
		tried[id] = true
		c.instead = substitute{}
		if model != wanted || first != nil {
			var err error
			body = putString(slices.Clone(whole), span, model)
			if m, err = readMessageBody(body); err != nil { // it was read before
				return cmp.Or(first, refuse(http.StatusBadRequest, typeInvalid, err.Error()))
			}
		}
		if model != wanted {
			c.instead.wanted = wanted
			if model != standing {
				c.instead.news = &Fallback{Session: c.session.id, Wanted: serviceModelID(wanted), Used: id,
					Gone: first != nil && !first.overloaded()}
			}
		}
		f := c.ask(m, body)
		if f == nil || f == errGone || c.w.status != 0 || !f.replaceable() {
			return f
		}
		first = cmp.Or(first, f)
	}
	return first
}

// overloaded reports whether the service had no capacity.
func (f *failure) overloaded() bool {
	return f.kind == string(copilot.KindOverloaded) || f.kind == typeOverloaded
}

// replaceable reports whether another model may answer instead.
func (f *failure) replaceable() bool {
	return f.overloaded() || f.kind == string(copilot.KindModel) || f.kind == typeNotFound
}

// answerBegins reports a new fallback, before any of its answer is passed on.
func (c *call) answerBegins() {
	if n := c.instead.news; n != nil {
		c.instead.news = nil
		c.session.substitutes.set(c.instead.wanted, n.Used)
		c.s.log.Info("proxy used a fallback model", "session", n.Session, "wanted", n.Wanted, "used", n.Used, "gone", n.Gone)
		if c.s.fellBack != nil {
			c.s.fellBack(*n)
		}
	}
}

// named spells the model id at path in an answer as the client expects it.
func (c *call) named(text []byte, path ...string) []byte {
	if c.instead.wanted == "" {
		return withSDKModel(text, path...)
	}
	if at, _, ok := stringAt(text, path...); ok {
		return replaceString(text, at, sdkModelID(c.instead.wanted))
	}
	return text
}

// serviceModelID returns an id as the service spells it.
func serviceModelID(id string) string {
	if parsed, ok := parseModelID(id); ok && parsed.major != "" {
		return parsed.endpoint()
	}
	return id
}
