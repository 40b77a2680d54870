package copilot

import (
	"bytes"
	"net/http"

	"github.com/google/uuid"
)

// notForwarded are caller headers that never go upstream: what belongs to the caller's own connection, what could carry
// the caller's own secret, and Accept-Encoding, because the answer is read here.
var notForwarded = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Host", "Content-Length", "Accept-Encoding", "Expect", "Cookie", "Origin",
	"Referer", "X-Api-Key", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
}

// callerHeader copies what a caller may send.
func callerHeader(h http.Header) http.Header {
	out := make(http.Header, len(h)+12)
	for name, values := range h {
		name = http.CanonicalHeaderKey(name)
		out[name] = append(out[name], values...)
	}
	for _, name := range notForwarded {
		delete(out, name)
	}
	return out
}

// identify sets what every request to the Copilot API carries. It comes after the caller's headers, so that these
// cannot replace it. A caller's User-Agent stays; Go's own is refused by the service and is never sent.
func (c *Client) identify(h http.Header, g grant) {
	h.Set("Authorization", g.scheme+" "+g.token.Reveal())
	h.Set("X-GitHub-Api-Version", c.apiVersion)
	c.introduce(h)
	h.Del("Copilot-Session-Token")
	if !g.session.IsZero() {
		h.Set("Copilot-Session-Token", g.session.Reveal())
	}
	if h.Get("User-Agent") == "" {
		h.Set("User-Agent", c.userAgent)
	}
}

// introduce says which program this is.
func (c *Client) introduce(h http.Header) {
	h.Del("Copilot-Integration-Id")
	if c.integrationID != "" {
		h.Set("Copilot-Integration-Id", c.integrationID)
	}
	h.Set("Editor-Version", c.editorVersion)
}

// inferenceHeader makes the header of one attempt at an inference API. X-Initiator is the caller's: where it is absent,
// whether a request is counted as the user's own is left to the service.
func (c *Client) inferenceHeader(a *api, caller http.Header, g grant, body []byte, stream bool) http.Header {
	h := callerHeader(caller)
	c.identify(h, g)
	h.Set("Content-Type", "application/json")
	h.Set("X-Request-Id", uuid.NewString())
	h.Set("OpenAI-Intent", a.intent)
	h.Del("X-Interaction-Type")
	if a.interaction != "" {
		h.Set("X-Interaction-Type", a.interaction)
	}
	if hasType(body, a.image) {
		h.Set("Copilot-Vision-Request", "true")
	}
	if stream {
		h.Set("Accept", "text/event-stream")
		h.Set("Accept-Encoding", "identity") // a compressed stream may be held back until a block is full
	} else {
		h.Set("Accept", "application/json")
	}
	return h
}

// hasType reports whether a request has a block of a type anywhere, also within a tool result: a member "type" with that
// value. Inside a JSON string the quotes are escaped, so that text cannot look like one.
func hasType(body []byte, typ string) bool {
	value := []byte(`"` + typ + `"`)
	for rest := body; ; {
		i := bytes.Index(rest, value)
		if i < 0 {
			return false
		}
		before := bytes.TrimRight(rest[:i], " \t\r\n")
		if b, ok := bytes.CutSuffix(before, []byte(":")); ok {
			if bytes.HasSuffix(bytes.TrimRight(b, " \t\r\n"), []byte(`"type"`)) {
				return true
			}
		}
		rest = rest[i+len(value):]
	}
}
