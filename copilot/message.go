package copilot

import (
	"context"
	"errors"
	"net/http"
)

// Request is one call of the Messages API or of one of OpenAI's APIs.
type Request struct {
	// Body is the request, which is read but not changed. It is sent unchanged except that "stream" is set according to
	// the method and a string "system" becomes a list of one text block.
	Body []byte
	// Ready reports that the caller has checked the body: it is one JSON object, its "stream" matches the method, and its
	// "system" is not a string. It is then sent without reading it again.
	Ready bool
	// Model is the model in the body if the caller knows it; otherwise the client looks for it.
	Model string
	// Done reports that the client has read Body for the last time, so the caller may reuse the buffer. The client calls
	// it once, from any goroutine, before or after the request returns. It may be nil.
	Done func()
	// Header contains caller headers; those of the service or this client are replaced. User-Agent, anthropic-version,
	// anthropic-beta, X-Interaction-Id (which preserves the service's prompt cache) and others pass.
	Header http.Header
}

// Response is a whole answer.
type Response struct {
	Header http.Header
	Body   []byte
}

// errBody reports that a request has the wrong form.
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
