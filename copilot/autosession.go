package copilot

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley/copilot/login"
	"parley/internal/jsonedit"
)

const (
	// autoModel is the id in the model list by which the service chooses a model itself. It is not a model: requests
	// with it are refused.
	autoModel = "auto"
	// sessionAPIVersion is the version of the API that describes model sessions.
	sessionAPIVersion = "2025-07-16"
	// sessionRequest lets the service choose. It also takes real ids as hints, but refuses a plain true.
	sessionRequest = `{"auto_mode":{"model_hints":["auto"]}}`

	// usualSession is the lifetime of a model session if the service reports none; minSession and maxSession bound a
	// reported one.
	usualSession = 30 * time.Minute
	minSession   = time.Minute
	maxSession   = 12 * time.Hour
)

// autoSession is the selection of models for an account that may not choose freely. A zero token means that the service
// opens no session for the account; refusal is the reason.
type autoSession struct {
	token     login.Secret
	selected  string   // the model the service would use
	available []string // empty: unknown
	base      string   // the endpoint it is for
	life      time.Duration
	refusal   *Error
}

// keep returns how long a session is used.
func (s autoSession) keep() time.Duration { return s.life }

// openSession requests a session, once for all waiting callers. An answer that the service has no sessions, or none for
// the account, is cached as long as any other.
func (a *account) openSession(ctx context.Context) (autoSession, error) {
	c := a.client
	s := autoSession{life: keepFor}
	x, err := a.send(ctx, opSession, func(g grant) (*exchange, *Error) {
		s.base = g.base
		return c.do(ctx, opSession, c.headerTimeout, func(ctx context.Context) (*http.Request, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.base+"/models/session",
				strings.NewReader(sessionRequest))
			if err != nil {
				return nil, err
			}
			c.identify(req.Header, g)
			req.Header.Set("X-GitHub-Api-Version", sessionAPIVersion)
			req.Header.Set("Accept", "application/json")
			req.Header.Set("Content-Type", "application/json")
			return req, nil
		})
	})
	if e, ok := err.(*Error); ok && noSessions(e) {
		s.refusal = e
		return s, nil
	}
	if err != nil {
		return autoSession{}, err
	}
	header := x.resp.Header
	body, fail := c.readAll(x, opSession, maxListBody)
	if fail != nil {
		return autoSession{}, fail
	}
	o := object(body)
	token := o.str("session_token")
	s.token, s.selected, s.available = login.NewSecret(token), o.str("selected_model"), modelIDs(o.list("available_models"))
	c.secrets.Add(s.token)
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return autoSession{}, protocolError(opSession, http.StatusOK, c.maskHeader(header),
			"the service gave no session token that could be sent")
	}
	s.life = sessionLife(o, header, c.now())
	return s, nil
}

// noSessions reports whether an error means that the service opens no session for the account.
func noSessions(e *Error) bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusNotImplemented:
		return e.Kind != KindRateLimit && e.Kind != KindQuota && !badlyFormatted(e)
	}
	return false
}

// modelIDs parses a list of models, each an id or an object with one.
func modelIDs(list []rawMessage) []string {
	var out []string
	for _, raw := range list {
		id, ok := jsonString(raw)
		if !ok {
			id = object(raw).str("id")
		}
		if id != "" && id != autoModel {
			out = append(out, id)
		}
	}
	return out
}

// sessionLife returns how long a session lasts. The service reports its end, as a time or in seconds since 1970, by its
// own clock; the Date header gives that clock's time, so a wrong local clock does no harm.
func sessionLife(o fields, h http.Header, now time.Time) time.Duration {
	ends := readTime(o.str("expires_at"))
	if n, ok := o.number("expires_at"); ok && n > 0 && n < 1<<40 {
		ends = time.Unix(int64(n), 0)
	}
	if ends.IsZero() {
		return usualSession
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(ends.Sub(now), minSession), maxSession)
}

// sessionAt returns the session for an endpoint with the attempt to invalidate if it is refused. It replaces a session
// of another endpoint, which the account used before it moved.
func (a *account) sessionAt(ctx context.Context, base string) (autoSession, *attempt[autoSession], *Error) {
	s, from, err := a.auto.get(ctx)
	if err == nil && s.base != base {
		a.auto.invalidate(from)
		s, from, err = a.auto.get(ctx)
	}
	if err != nil {
		return autoSession{}, nil, a.client.waitError(opSession, err).(*Error)
	}
	return s, from, nil
}

// infer sends a request that names a model, in a model session if required: on free and student plans, for "auto",
// which becomes the selected model, and after a refusal on an unknown plan. A model not in the session is an [*Error]
// of [KindModel], without sending. A sign-in meanwhile applies to a waiting request.
func (c *Client) infer(
	ctx context.Context, op, model string, body []byte, call func(g grant, body []byte) (*exchange, *Error),
) (*exchange, error) {
	return withAccount(ctx, c, func(a *account) (*exchange, error) { return a.infer(ctx, op, model, body, call) })
}

// infer does the work of [Client.infer] for one account.
func (a *account) infer(
	ctx context.Context, op, model string, body []byte, call func(g grant, body []byte) (*exchange, *Error),
) (*exchange, error) {
	must, may, err := a.wantsSession(ctx)
	if err != nil {
		return nil, err
	}
	// The quick search for the value avoids reading the model of most requests.
	auto := model == autoModel ||
		model == "" && bytes.Contains(body, []byte(`"`+autoModel+`"`)) && modelOf(body) == autoModel
	if must || auto {
		return a.inferWithSession(ctx, op, body, call)
	}
	x, err := a.send(ctx, op, func(g grant) (*exchange, *Error) { return call(g, body) })
	if e, ok := err.(*Error); ok && e.Code == codeModelNotSupported && may {
		if s, _, failed := a.auto.get(ctx); failed == nil && !s.token.IsZero() {
			return a.inferWithSession(ctx, op, body, call)
		}
	}
	return x, a.nameModel(err, body)
}

// wantsSession reports, by the plan, whether requests must use a session, and whether they may have to after a refusal.
// For an unknown account nothing is certain.
func (a *account) wantsSession(ctx context.Context) (must, may bool, err error) {
	if !a.client.discovers() {
		return false, true, nil
	}
	u, _, err := a.user.get(ctx)
	if err != nil {
		return false, false, a.client.waitError(opDiscover, err)
	}
	return u.freePlan(), u.freePlan() || u.Plan == "" && u.SKU == "", nil
}

// inferWithSession sends a request with a model session, or without one if the service opens none.
func (a *account) inferWithSession(
	ctx context.Context, op string, body []byte, call func(g grant, body []byte) (*exchange, *Error),
) (*exchange, error) {
	model := modelOf(body)
	var used *attempt[autoSession]
	x, err := a.send(ctx, op, func(g grant) (*exchange, *Error) {
		s, from, fail := a.sessionAt(ctx, g.base)
		if fail != nil {
			return nil, fail
		}
		used = from
		sent := body
		switch {
		case model == autoModel && s.selected == "":
			return nil, a.modelRefusal(op, model, s)
		case model == autoModel:
			sent = withModel(body, s.selected)
		case !s.offers(model):
			return nil, a.modelRefusal(op, model, s)
		}
		g.session = s.token
		return call(g, sent)
	})
	if e, ok := err.(*Error); ok && (refused(e) || e.Code == codeModelNotSupported) {
		a.auto.invalidate(used)
	}
	return x, a.nameModel(err, body)
}

// offers reports whether a session permits a model.
func (s autoSession) offers(model string) bool {
	return len(s.available) == 0 || model == s.selected || slices.Contains(s.available, model)
}

// modelOf returns the model in a request, "" for none.
func modelOf(body []byte) string {
	s := jsonedit.Scan(body)
	for more := s.TopObject(); more; more = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		value := s.Value()
		if kind == '"' && s.Is(key, "model") {
			return s.String(value)
		}
	}
	return ""
}

// withModel replaces the model in a request, and nothing else.
func withModel(body []byte, model string) []byte {
	s := jsonedit.Scan(body)
	for more := s.TopObject(); more; more = s.NextMember() {
		key := s.Key()
		value := s.Value()
		if s.Is(key, "model") {
			return jsonedit.Apply(body, []jsonedit.Edit{{Span: value, Text: jsonedit.Quote(model)}})
		}
	}
	return body
}
