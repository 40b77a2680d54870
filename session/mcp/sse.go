package mcp

import (
	"context"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"parley/internal/crash"
	"parley/session/mcp/signin"
)

// sse prepares requests to a service of the old kind, whose answers come on one stream. ctx bounds its start, after which the stream
// lasts until the link is closed.
func (s *server) sse(ctx context.Context) *link {
	client, h, done := s.httpClient()
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	holds := context.AfterFunc(ctx, crash.Guarded(end))
	t := &stream{next: h, host: h.host, life: life}
	refused := h.problem
	if s.signsIn() {
		t.in = s.signIn()
		refused = t.in.Problem
	}
	client.Transport = t
	return &link{transport: &sdk.SSEClientTransport{Endpoint: s.spec.URL, HTTPClient: client, MaxEventSize: maxMessage}, refused: refused,
		holds: func() { holds() },
		close: func() {
			end()
			done()
		}}
}

// stream sends the requests of a service of the old kind: the one whose answer is the stream lives as long as life, and those to the
// service's own host bring the sign-in.
type stream struct {
	next http.RoundTripper
	host string
	life context.Context
	in   *signin.Handler // nil for none
}

// RoundTrip sends a request. Where the service wants a sign-in it is made, if the user has asked for one, and the request sent again.
func (t *stream) RoundTrip(r *http.Request) (*http.Response, error) {
	asked := r
	if r.Method == http.MethodGet {
		r = r.WithContext(t.life)
	}
	if t.in == nil || r.URL.Host != t.host {
		return t.next.RoundTrip(r)
	}
	resp, err := t.send(r)
	if err != nil || resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
		return resp, err
	}
	if err := t.in.Authorize(asked.Context(), asked, resp); err != nil {
		return nil, err
	}
	again := r.Clone(r.Context())
	if r.GetBody != nil {
		if again.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	return t.send(again)
}

// send sends a request with the token of the sign-in, if there is one that holds.
func (t *stream) send(r *http.Request) (*http.Response, error) {
	source, err := t.in.TokenSource(r.Context())
	if err != nil {
		return nil, err
	}
	var token *oauth2.Token
	if source != nil {
		token, _ = source.Token() // one that cannot be renewed is asked for again by the service's refusal
	}
	if token != nil {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+token.AccessToken)
	}
	return t.next.RoundTrip(r)
}
