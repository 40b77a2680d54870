package builtin

import (
	"context"
	"net/http"
	"strconv"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"parley/session"
	"parley/session/builtin/apierror"
	"parley/session/builtin/mapper"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
)

// client returns the SDK's client for the endpoint. It does not retry, because our retries are shown to the user, and
// reads nothing from the environment, where variables for other programs may point elsewhere.
func (c *conversation) client() anthropic.Client {
	return anthropic.NewClient(
		option.WithoutEnvironmentDefaults(),
		option.WithBaseURL(c.open.Endpoint.BaseURL),
		option.WithAuthToken(c.open.Endpoint.Bearer),
		option.WithHTTPClient(&http.Client{Transport: c.http}),
		option.WithMaxRetries(0),
		option.WithHeader("User-Agent", "parley-builtin/"+c.o.Version),
		option.WithoutOpenTelemetry(),
	)
}

// askModel makes the n-th request of the turn and emits its answer. It retries a request that failed or whose answer broke off;
// what came of that is withdrawn once another answer comes. One that broke off after complete calls is returned with the reason,
// after the wait. Open parts and calls are closed when it returns, also with an error. If ctx ends, the error is that of ctx.
func askModel(ctx context.Context, l *loop, r wire.Request, window int64, n int) (mapper.Answer, error) {
	body, err := wire.EncodeJSON(r)
	if err != nil {
		return mapper.Answer{}, &session.Error{Op: "make request", Kind: session.KindInternal, Err: err}
	}
	var before []session.Event
	resumes := l.goesOn
	l.goesOn = nil
	for attempt := 1; ; attempt++ {
		m := &mapper.Mapper{Before: before, Head: l.head, ID: partID(l, n, attempt), N: n, Model: r.Model, Fresh: l.c.calls.take, Repair: l.part.Load().repair}
		m.Resume(resumes)
		err := attemptOnce(ctx, l, body, r.Betas, initiator(l, n), m, l.emitAll)
		accountFor(l, m.Answer, r.Model, window, true)
		if err == nil {
			l.emitAll(append(m.Cut(session.ToolFailed, cutCall), m.Leave()...))
			return m.Answer, nil
		}
		if ctx.Err() != nil {
			l.emitAll(append(m.Cut(session.ToolCancelled, tool.Interrupted), m.Leave()...))
			return m.Answer, ctx.Err()
		}
		delay, again := apierror.RetryDelay(err, attempt)
		if !again || attempt >= l.c.o.MaxAttempts {
			l.emitAll(append(m.Cut(session.ToolFailed, brokenOff), m.Leave()...))
			return m.Answer, err
		}
		l.emitAll(m.Cut(session.ToolFailed, brokenOff))
		if len(m.Answer.Calls) > 0 || m.WentOn() { // what went on cannot be withdrawn
			m.Answer.Broken = err
		} else {
			before = m.Retracted()
		}
		delay += l.c.o.Jitter(delay/4 + 1)
		l.c.out.emit(session.RetryScheduled{Head: l.head(), Attempt: attempt + 1, Of: l.c.o.MaxAttempts, Delay: delay, Why: apierror.Reason(err)})
		if err := l.c.sleep(ctx, delay); err != nil || m.Answer.Broken != nil {
			return m.Answer, err
		}
	}
}

// partID returns the beginning of the ids of an answer's parts, which no other attempt has.
func partID(l *loop, n, attempt int) string {
	id := l.name + "." + strconv.Itoa(n)
	if attempt > 1 {
		id += "r" + strconv.Itoa(attempt)
	}
	return id
}

// brokenOff is the result of a call in an answer that broke off.
const brokenOff = "Not run: the answer broke off."

// The initiators of a request. Without one, what the request contains decides: a prompt may have come into the turn.
const byUser, byAgent = "user", "agent"

// initiator returns by whom the n-th request of a turn counts: plans that are billed by request charge the user's.
func initiator(l *loop, n int) string {
	switch {
	case l.child != "" || l.c.began():
		return byAgent
	case n == 1:
		return byUser
	}
	return ""
}

// attemptOnce sends one request, which counts as one of by, and passes the mapped response to take. An answer without its end is an error.
func attemptOnce(ctx context.Context, l *loop, body []byte, betas []string, by string, m *mapper.Mapper, take func([]session.Event)) error {
	var response *http.Response
	// The body must be ours byte for byte: thinking and its signature must be sent back unchanged.
	options := []option.RequestOption{option.WithResponseInto(&response), option.WithRequestBody("application/json", body)}
	for _, beta := range betas {
		options = append(options, option.WithHeaderAdd("anthropic-beta", beta))
	}
	if by != "" {
		options = append(options, option.WithHeader("X-Initiator", by))
	}
	client := l.c.client()
	stream := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{}, options...)
	if err := stream.Err(); err != nil {
		l.c.limits(l, response)
		return apierror.Failed(err, l.c.o.Now())
	}
	defer stream.Close()
	l.c.limits(l, response)
	for stream.Next() {
		take(m.Add(stream.Current()))
		if m.Answer.Stopped {
			return nil
		}
	}
	if err := stream.Err(); err != nil {
		return apierror.Failed(err, l.c.o.Now())
	}
	return &session.Error{Op: apierror.OpAsk, Kind: session.KindNetwork, Err: apierror.ErrCutOff}
}

func (l *loop) emitAll(events []session.Event) {
	for _, e := range events {
		l.c.out.emit(e)
	}
}

// accountFor reports the cost of an answer and, if it is part of the conversation, how full the window is.
func accountFor(l *loop, a mapper.Answer, model string, window int64, part bool) {
	l.spent.Add(a.Usage, a.NanoAIU)
	l.c.charge(l.head(), a, model)
	if u := a.Usage; part && l.child == "" && u != (session.Usage{}) {
		l.c.out.emit(session.ContextReported{Head: l.head(), Used: u.Input + u.CacheRead + u.CacheWrite + u.Output, Window: window})
	}
}

// charge reports the tokens and the price of an answer.
func (c *conversation) charge(head session.Head, a mapper.Answer, model string) {
	if a.Usage != (session.Usage{}) {
		c.out.emit(session.UsageReported{Head: head, Usage: a.Usage, Model: model})
	}
	if a.NanoAIU > 0 {
		c.out.emit(session.CreditsReported{Head: head, NanoAIU: a.NanoAIU})
	}
}

// limits reports the changed quotas in a response.
func (c *conversation) limits(l *loop, r *http.Response) {
	if r == nil {
		return
	}
	for _, q := range apierror.Quotas(r.Header) {
		c.mu.Lock()
		known := c.quotas[q.Name] == q
		c.quotas[q.Name] = q
		c.mu.Unlock()
		if !known {
			c.out.emit(session.LimitReported{Head: l.head(), Quota: q})
		}
	}
}
