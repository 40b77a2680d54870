package copilot

import (
	"bytes"
	"context"
)

// apiChat is OpenAI's Chat Completions API.
var apiChat = &api{
	path: EndpointChat, opStream: opChatStream, opWhole: opChat,
	intent: "conversation-agent", image: "image_url",
	mark:     "[DONE]",
	last:     func(string) bool { return false },
	finished: hasFinishReason,
	fault:    chatFault,
}

// StreamChat posts to /chat/completions with stream true, like [Client.StreamMessages], for models that serve
// [EndpointChat]. Frames have no event name. The stream ends at "[DONE]", which is not a frame, or if the service
// closes it after the chunk with the finish reason. An error chunk is an [*Error] with [StatusStreamError].
func (c *Client) StreamChat(ctx context.Context, r Request) (*Stream, error) {
	return c.stream(ctx, apiChat, r)
}

// Chat posts to /chat/completions with stream false.
func (c *Client) Chat(ctx context.Context, r Request) (*Response, error) {
	return c.whole(ctx, apiChat, r)
}

// chatFault finds an error in place of an answer.
func chatFault(_ string, data []byte) []byte {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return nil
	}
	o := object(data)
	if e := o["error"]; len(e) == 0 || string(e) == "null" || len(o.list("choices")) > 0 {
		return nil
	}
	return data
}

// hasFinishReason reports whether a chunk has the reason for the end of the answer: a member "finish_reason" with a
// string. Quotes within JSON strings are escaped, so text cannot look like one.
func hasFinishReason(data []byte) bool {
	for rest := data; ; {
		_, after, ok := bytes.Cut(rest, []byte(`"finish_reason"`))
		if !ok {
			return false
		}
		rest = after
		if value, ok := bytes.CutPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte(":")); ok {
			if bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte(`"`)) {
				return true
			}
		}
	}
}
