package copilot

import (
	"context"
)

// apiResponses is OpenAI's Responses API.
var apiResponses = &api{
	path: EndpointResponses, opStream: opResponsesStream, opWhole: opResponses,
	intent: "conversation", image: "input_image",
	last:     func(event string) bool { return event == "response.completed" || event == "response.incomplete" },
	finished: func([]byte) bool { return false },
	fault:    responsesFault,
}

// StreamResponses posts to /responses with stream true, like [Client.StreamMessages], for models that serve
// [EndpointResponses]. The stream ends after response.completed or response.incomplete; response.failed is an [*Error]
// with [StatusStreamError].
func (c *Client) StreamResponses(ctx context.Context, r Request) (*Stream, error) {
	return c.stream(ctx, apiResponses, r)
}

// Responses posts to /responses with stream false. An answer with the status "failed" is an [*Error] with
// [StatusStreamError].
func (c *Client) Responses(ctx context.Context, r Request) (*Response, error) {
	return c.whole(ctx, apiResponses, r)
}

// responsesFault finds the failure in a response.failed event or in a failed answer.
func responsesFault(typ string, data []byte) []byte {
	switch typ {
	case "":
		if o := object(data); o.str("status") == "failed" {
			return data
		}
	case "response.failed":
		if inner := object(data)["response"]; len(inner) > 0 {
			return inner
		}
		return data
	}
	return nil
}
