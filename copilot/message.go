package copilot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
)

// Request is one call of the Messages API.
type Request struct {
	// Body is the Anthropic request, sent as it is but for "stream" and a string "system": "stream" is set to what the
	// method does, a string becomes a list of one text block. It is read, not changed.
	Body []byte
	// Ready says that the caller has looked: the body is one JSON object, its "stream" is there and what the method does,
	// and its "system" is no string. Then it is not read once more, and sent as it is.
	Ready bool
	// Header holds caller headers; those the service or this client owns are replaced. User-Agent, anthropic-version,
	// anthropic-beta, X-Interaction-Id (which keeps the service's prompt cache warm) and others pass.
	Header http.Header
}

// Response is a whole answer.
type Response struct {
	Header http.Header
	Body   []byte
}

// errBody says that a request is not what it must be.
var errBody = errors.New("the request is not a JSON object")

// StreamMessages posts to /v1/messages with stream true. An HTTP status other than 2xx is an [*Error]. The context
// governs the whole stream; the stream must be read to its end or closed.
func (c *Client) StreamMessages(ctx context.Context, r Request) (*Stream, error) {
	x, err := c.post(ctx, opStream, r, true)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(x.resp.Header.Get("Content-Type"))
	if kind == "application/json" || kind == "text/html" {
		return nil, c.noStream(x, kind)
	}
	return c.newStream(x), nil
}

// noStream makes the error of a good status without a stream behind it.
func (c *Client) noStream(x *exchange, kind string) error {
	status, header := x.resp.StatusCode, x.resp.Header
	body, fail := c.readAll(x, opStream, maxErrorBody)
	if fail != nil {
		return fail
	}
	if f := readFault(body); f.envelope != nil {
		return c.streamError(c.maskHeader(header), body)
	}
	return protocolError(opStream, status, c.maskHeader(header),
		"the service answered with %s where a stream was asked for", kind)
}

// Messages posts to /v1/messages with stream false.
func (c *Client) Messages(ctx context.Context, r Request) (*Response, error) {
	x, err := c.post(ctx, opMessage, r, false)
	if err != nil {
		return nil, err
	}
	status, header := x.resp.StatusCode, c.maskHeader(x.resp.Header)
	body, fail := c.readAll(x, opMessage, maxAnswerBody)
	if fail != nil {
		return nil, fail
	}
	if !json.Valid(body) {
		return nil, protocolError(opMessage, status, header, "the answer is not JSON")
	}
	return &Response{Header: header, Body: body}, nil
}

// post sends one request to /v1/messages.
func (c *Client) post(ctx context.Context, op string, r Request, stream bool) (*exchange, error) {
	body, ok := r.Body, true
	if !r.Ready {
		body, ok = prepareBody(r.Body, stream)
	}
	if !ok {
		return nil, &Error{
			Op: op, Kind: KindBadRequest, Err: errBody,
			Envelope: synthesise(http.StatusBadRequest, errBody.Error(), ""),
		}
	}
	limit := c.headerTimeout
	if !stream {
		limit = c.answerTimeout // the header comes with the answer
	}
	return c.infer(ctx, op, body, func(g grant, body []byte) (*exchange, *Error) {
		return c.do(ctx, op, limit, func(ctx context.Context) (*http.Request, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.base+"/v1/messages", bytes.NewReader(body))
			if err != nil {
				return nil, err
			}
			req.Header = c.messagesHeader(r.Header, g, body, stream)
			return req, nil
		})
	})
}
