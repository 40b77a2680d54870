package copilot

import (
	"context"
	"errors"
	"net/http"
)

// Request is one call of the Messages API, or of one of OpenAI's, whose bodies are treated alike.
type Request struct {
	// Body is the Anthropic request, sent as it is but for "stream" and a string "system": "stream" is set to what the
	// method does, a string becomes a list of one text block. It is read, not changed.
	Body []byte
	// Ready says that the caller has looked: the body is one JSON object, its "stream" is there and what the method does,
	// and its "system" is not a string. Then it is sent unchanged, without being read again.
	Ready bool
	// Model is the model that the body names, if the caller has looked; else it is looked for.
	Model string
	// Done, if not nil, is called once when Body is not read any more and may be changed or used again: sometimes before the
	// call returns, sometimes after, from any goroutine.
	Done func()
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
	return c.stream(ctx, apiMessages, r)
}

// Messages posts to /v1/messages with stream false.
func (c *Client) Messages(ctx context.Context, r Request) (*Response, error) {
	return c.whole(ctx, apiMessages, r)
}
