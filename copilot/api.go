package copilot

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
)

// EndpointResponses and EndpointChat are the endpoints of models with OpenAI's protocols, as named in model lists.
const (
	EndpointResponses = "/responses"
	EndpointChat      = "/chat/completions"
)

// api describes the differences between the inference APIs of the service. They share headers, endpoint, errors, and
// limits of time and size.
type api struct {
	path string
	// opStream and opWhole name the operations.
	opStream, opWhole string
	// intent and interaction are the categories by which the service counts requests; interaction may be empty.
	intent, interaction string
	// image is the type of an image within a request.
	image string
	// mark is the data that ends a stream, which is not JSON; "" for none.
	mark string
	// last reports whether an event is the last one of a stream.
	last func(event string) bool
	// finished reports whether a stream may, but need not, end after this event.
	finished func(data []byte) bool
	// fault finds an error in an event or in a whole answer with a status of success; nil for none.
	fault func(typ string, data []byte) []byte
}

// apiMessages is the Anthropic Messages API.
var apiMessages = &api{
	path: EndpointMessages, opStream: opStream, opWhole: opMessage,
	intent: "messages-proxy", interaction: "messages-proxy", image: "image",
	last:     func(event string) bool { return event == eventMessageStop },
	finished: func([]byte) bool { return false },
	fault:    func(string, []byte) []byte { return nil },
}

// stream posts a request for a stream.
func (c *Client) stream(ctx context.Context, a *api, r Request) (*Stream, error) {
	x, err := c.post(ctx, a, r, true)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(x.resp.Header.Get("Content-Type"))
	if kind == "application/json" || kind == "text/html" {
		return nil, c.noStream(x, a, kind)
	}
	return c.newStream(x, a), nil
}

// noStream returns the error for a status of success without a stream.
func (c *Client) noStream(x *exchange, a *api, kind string) error {
	status, header := x.resp.StatusCode, x.resp.Header
	body, fail := c.readAll(x, a.opStream, maxErrorBody)
	if fail != nil {
		return fail
	}
	if readFault(body).envelope != nil {
		return c.reportedError(a.opStream, c.maskHeader(header), body)
	}
	if fault := a.fault("", body); fault != nil {
		return c.reportedError(a.opStream, c.maskHeader(header), fault)
	}
	return protocolError(a.opStream, status, c.maskHeader(header),
		"the service answered with %s where a stream was asked for", kind)
}

// whole posts a request for a whole answer.
func (c *Client) whole(ctx context.Context, a *api, r Request) (*Response, error) {
	x, err := c.post(ctx, a, r, false)
	if err != nil {
		return nil, err
	}
	status, header := x.resp.StatusCode, c.maskHeader(x.resp.Header)
	body, fail := c.readAll(x, a.opWhole, maxAnswerBody)
	if fail != nil {
		return nil, fail
	}
	if !json.Valid(body) {
		return nil, protocolError(a.opWhole, status, header, "the answer is not JSON")
	}
	if fault := a.fault("", body); fault != nil {
		return nil, c.reportedError(a.opWhole, header, fault)
	}
	return &Response{Header: header, Body: body}, nil
}

// reportedError returns the error for a failure reported within a successful answer. If the service does not use
// Anthropic's types, its code decides which one applies.
func (c *Client) reportedError(op string, header http.Header, data []byte) *Error {
	e := streamError(c, header, data)
	e.Op = op
	if status := statusByKind[e.Kind]; status != 0 && readFault(data).envelope == nil {
		e.Envelope = synthesise(status, e.Message, e.RequestID)
	}
	return e
}

// statusByKind maps kinds to the status of the same failure before an answer.
var statusByKind = map[Kind]int{
	KindAuth: http.StatusUnauthorized, KindForbidden: http.StatusForbidden, KindQuota: http.StatusPaymentRequired,
	KindRateLimit: http.StatusTooManyRequests, KindOverloaded: 529, KindTooLong: http.StatusBadRequest,
	KindBadRequest: http.StatusBadRequest,
}

// post sends one request.
func (c *Client) post(ctx context.Context, a *api, r Request, stream bool) (*exchange, error) {
	op, limit := a.opStream, c.headerTimeout
	if !stream {
		op, limit = a.opWhole, c.answerTimeout // the header comes with the answer
	}
	body, ok := r.Body, true
	if !r.Ready {
		body, ok = prepareBody(r.Body, stream)
	}
	if !ok {
		if r.Done != nil {
			r.Done()
		}
		return nil, &Error{
			Op: op, Kind: KindBadRequest, Err: errBody,
			Envelope: synthesise(http.StatusBadRequest, errBody.Error(), ""),
		}
	}
	lease := leaseBody(body, r.Done)
	defer lease.release()
	return c.infer(ctx, op, r.Model, body, func(g grant, changed []byte) (*exchange, *Error) {
		return c.do(ctx, op, limit, func(ctx context.Context) (*http.Request, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.base+a.path, nil)
			if err != nil {
				return nil, err
			}
			if sameBytes(changed, body) {
				lease.attach(req)
			} else {
				leaseBody(changed, nil).attach(req)
			}
			req.Header = c.inferenceHeader(a, r.Header, g, changed, stream)
			return req, nil
		})
	})
}
