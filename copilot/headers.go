package copilot

import (
	"bytes"
	"net/http"

	"github.com/google/uuid"
)

// notForwarded are caller headers that never go upstream: those of the caller's own connection, those that may contain
// the caller's secrets, and Accept-Encoding, because the answer is read here.
var notForwarded = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Host", "Content-Length", "Accept-Encoding", "Expect", "Cookie", "Origin",
	"Referer", "X-Api-Key", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
}

// callerHeader copies the headers that a caller may send.
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

// identify sets the headers of every request to the Copilot API. It comes after the caller's headers, so that these
// cannot replace it. A caller's User-Agent stays; the service refuses Go's, which is never sent.
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

// introduce sets the headers that identify this program.
func (c *Client) introduce(h http.Header) {
	h.Del("Copilot-Integration-Id")
	if c.integrationID != "" {
		h.Set("Copilot-Integration-Id", c.integrationID)
	}
	h.Set("Editor-Version", c.editorVersion)
}

// inferenceHeader returns the headers of one attempt at an inference API. X-Initiator is the caller's: without it, the
// service decides whether a request counts as the user's.
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
		h.Set("Accept-Encoding", "identity") // a compressed stream may be delayed until a block is full
	} else {
		h.Set("Accept", "application/json")
	}
	return h
}

// hasType reports whether a request has a block of a type anywhere, also within a tool result: a member "type" with
// that value. Quotes within JSON strings are escaped, so text cannot look like one.
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
