package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"parley/copilot"
	"parley/proxy/translate"
)

// OpenAIUpstream is an [Upstream] that also reaches models with OpenAI's protocols, for which requests are translated.
// [*copilot.Client] implements it.
type OpenAIUpstream interface {
	StreamResponses(ctx context.Context, r copilot.Request) (*copilot.Stream, error)
	Responses(ctx context.Context, r copilot.Request) (*copilot.Response, error)
	StreamChat(ctx context.Context, r copilot.Request) (*copilot.Stream, error)
	Chat(ctx context.Context, r copilot.Request) (*copilot.Response, error)
}

// openAI returns the upstream for other protocols, nil if there is none.
func (s *Server) openAI() OpenAIUpstream {
	if b, ok := s.back.(clientBackend); ok {
		if up, ok := b.up.(OpenAIUpstream); ok {
			return up
		}
	}
	return nil
}

// foreignEndpoint returns the protocol to translate to for a model, "" if none is needed or known. The Responses API
// comes first because it preserves reasoning between turns.
func foreignEndpoint(m copilot.Model) string {
	if m.Serves(copilot.EndpointMessages) || strings.EqualFold(m.Vendor, "anthropic") {
		return ""
	}
	for _, endpoint := range []string{copilot.EndpointResponses, copilot.EndpointChat} {
		if m.Serves(endpoint) {
			return endpoint
		}
	}
	return ""
}

// translating is a backend that translates one request and its answer.
type translating struct {
	backend
	up       OpenAIUpstream
	endpoint string
	req      *translate.Request
}

// translate prepares a request for a model with another protocol.
func (c *call) translate(m copilot.Model, body []byte, stream bool) (backend, copilot.Request, *failure) {
	t := &translating{backend: c.s.back, up: c.s.openAI(), endpoint: foreignEndpoint(m)}
	do := translate.RequestToChat
	if t.endpoint == copilot.EndpointResponses {
		do = translate.RequestToResponses
	}
	var err error
	able := abilities(m, stream)
	able.CacheKey = interactionID(c.x.Session, c.r.Header)
	if t.req, err = do(body, able); err != nil {
		return nil, copilot.Request{}, refuse(http.StatusBadRequest, typeInvalid, err.Error())
	}
	if len(t.req.Dropped) > 0 {
		c.s.log.Debug("proxy translation left something out", "session", c.x.Session, "model", m.ID, "what", t.req.Dropped)
	}
	h := requestHeader(c.r.Header, c.s.product)
	h.Del("Anthropic-Version") // unknown to the other APIs
	return t, copilot.Request{Body: t.req.Body, Ready: true, Header: h}, nil
}

// abilities returns the properties of a model that the translation needs.
func abilities(m copilot.Model, stream bool) translate.Model {
	longest := m.Limits.Output
	if whole := m.Limits.NonStreamingOutput; !stream && whole > 0 && (longest == 0 || whole < longest) {
		longest = whole
	}
	return translate.Model{
		ID: m.ID, Vendor: m.Vendor, Efforts: m.Supports.Efforts, MaxOutput: int64(longest),
		MinBudget: int64(m.Supports.MinThinkingBudget), MaxBudget: int64(m.Supports.MaxThinkingBudget),
		Vision: m.Supports.Vision, PDF: slices.Contains(m.Limits.MediaTypes, "application/pdf"),
		Parallel: m.Supports.ParallelToolCalls,
	}
}

func (t *translating) stream(ctx context.Context, r copilot.Request) (frames, http.Header, error) {
	do := t.up.StreamChat
	if t.endpoint == copilot.EndpointResponses {
		do = t.up.StreamResponses
	}
	s, err := do(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return &translatedFrames{from: s, to: t.req.NewStream(messageID())}, s.Header, nil
}

func (t *translating) message(ctx context.Context, r copilot.Request) (*copilot.Response, error) {
	do := t.up.Chat
	if t.endpoint == copilot.EndpointResponses {
		do = t.up.Responses
	}
	resp, err := do(ctx, r)
	if err != nil {
		return nil, err
	}
	body, err := t.req.Message(messageID(), resp.Body)
	if err != nil {
		return nil, untranslatable("send message", resp.Header, err)
	}
	return &copilot.Response{Header: resp.Header, Body: body}, nil
}

// messageID returns an id for a message: ids of the other APIs do not have the form that Anthropic's clients know.
func messageID() string { return "msg_" + strings.ReplaceAll(uuid.NewString(), "-", "") }

// untranslatable returns the error for an answer that cannot be translated.
func untranslatable(op string, h http.Header, err error) error {
	e := &copilot.Error{Op: op, Kind: copilot.KindProtocol, Status: http.StatusBadGateway, Header: h, Err: err}
	if f := (*translate.Failure)(nil); errors.As(err, &f) {
		e.Kind, e.Status, e.Envelope = copilot.KindServer, copilot.StatusStreamError, f.Envelope()
	}
	return e
}

// translatedFrames is a stream in another protocol, as events of the Messages API.
type translatedFrames struct {
	from    *copilot.Stream
	to      *translate.Stream
	pending []translate.Frame
	end     error
}

// Next returns the next frame. It is valid until the next call of Next.
func (t *translatedFrames) Next() (copilot.Frame, error) {
	for len(t.pending) == 0 {
		if t.end != nil {
			return copilot.Frame{}, t.end
		}
		t.read()
	}
	f := t.pending[0]
	t.pending = t.pending[1:]
	if f.Event == "error" {
		t.pending, t.end = nil, &copilot.Error{Op: "stream message", Kind: copilot.KindServer,
			Status: copilot.StatusStreamError, Header: t.from.Header, Envelope: slices.Clone(f.Data)}
		return copilot.Frame{}, t.end
	}
	return copilot.Frame{Event: f.Event, Data: f.Data}, nil
}

// read reads one event of the service, which may produce no frame.
func (t *translatedFrames) read() {
	f, err := t.from.Next()
	switch {
	case errors.Is(err, io.EOF):
		t.pending, err = t.to.Close()
		if t.end = io.EOF; err != nil {
			t.end = untranslatable("stream message", t.from.Header, err)
		}
	case err != nil:
		t.end = err
	default:
		if t.pending, err = t.to.Feed(f.Event, f.Data); err != nil {
			t.end = untranslatable("stream message", t.from.Header, err)
		}
	}
}

// Ready reports whether Next will return without waiting for the service. It reads what has arrived until that produces
// a frame; the last frame that Next returned stays valid.
func (t *translatedFrames) Ready() bool {
	for len(t.pending) == 0 && t.end == nil {
		if !t.from.Ready() {
			return false
		}
		t.read()
	}
	return true
}

// Close releases the connection. It may be called from any goroutine.
func (t *translatedFrames) Close() error { return t.from.Close() }
