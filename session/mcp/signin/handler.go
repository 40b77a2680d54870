package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// ErrNeeded reports that a service wants a sign-in that the user has not begun.
var ErrNeeded = errors.New("it wants you to sign in")

// Handler signs in to one service. It is an OAuthHandler of the go-sdk, safe for concurrent use.
type Handler struct {
	o Options

	mu     sync.Mutex
	loaded bool
	source oauth2.TokenSource
	// problem is why the service lets nobody in: a sign-in that failed, or else [ErrNeeded].
	problem error
}

// Options configures a [Handler].
type Options struct {
	// Address is the URL of the service.
	Address string
	Store   *Store
	// Asked reports whether the user wants to sign in now.
	Asked bool
	// Show gets the page that the browser has to open, and "" once it is not needed any more.
	Show func(page string)
	// Done, if set, is told where the tokens of a new sign-in are kept, or the error of keeping them.
	Done func(where string, err error)
}

var _ auth.OAuthHandler = (*Handler)(nil)

// New returns a handler. It reads nothing before the first request.
func New(o Options) *Handler { return &Handler{o: o} }

// Problem returns why the service lets nobody in, nil if it does: [ErrNeeded], or why the sign-in failed.
func (h *Handler) Problem() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.problem
}

// grant is what is kept of a sign-in.
type grant struct {
	Client   string           `json:"client_id"`
	Secret   string           `json:"client_secret,omitempty"`
	Style    oauth2.AuthStyle `json:"auth_style,omitempty"`
	TokenURL string           `json:"token_url"`
	Scopes   []string         `json:"scopes,omitempty"`
	Token    *oauth2.Token    `json:"token"`
}

// TokenSource returns the source of a sign-in that was kept or has just been made, nil without one.
func (h *Handler) TokenSource(context.Context) (oauth2.TokenSource, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.loaded {
		return h.source, nil
	}
	h.loaded = true
	var g grant
	if data := h.o.Store.load(h.o.Address); json.Unmarshal(data, &g) == nil && g.Token != nil && web(g.TokenURL) {
		c := &oauth2.Config{ClientID: g.Client, ClientSecret: g.Secret, Scopes: g.Scopes, Endpoint: oauth2.Endpoint{TokenURL: g.TokenURL, AuthStyle: g.Style}}
		h.source = h.kept(c, g.Token)
	}
	return h.source, nil
}

// Authorize signs in, if the user wishes it: it shows the page of the service and waits until the browser comes back.
func (h *Handler) Authorize(ctx context.Context, req *http.Request, resp *http.Response) error {
	if !h.begins() {
		_ = resp.Body.Close()
		return ErrNeeded
	}
	err := h.signIn(ctx, req, resp)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.problem = err
	return err
}

// signIn goes through the sign-in with the user.
func (h *Handler) signIn(ctx context.Context, req *http.Request, resp *http.Response) error {
	back, err := listen()
	if err != nil {
		_ = resp.Body.Close()
		return fmt.Errorf("wait for the browser: %w", err)
	}
	defer back.close()
	flow, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "parley", RedirectURIs: []string{back.address}, GrantTypes: []string{"authorization_code", "refresh_token"},
			ResponseTypes: []string{"code"}, TokenEndpointAuthMethod: "none"}},
		RedirectURL: back.address, RequestRefreshToken: true, Client: httpClient(),
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			page, err := url.Parse(args.URL)
			if err != nil || !web(args.URL) {
				return nil, errors.New("the page of the sign-in is not on the web")
			}
			back.state.Store(page.Query().Get("state"))
			h.o.Show(args.URL)
			defer h.o.Show("")
			return back.wait(ctx)
		},
		NewTokenSource: func(_ context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			where, err := h.keep(c, t)
			if h.o.Done != nil {
				h.o.Done(where, err)
			}
			return h.kept(c, t), nil
		},
	})
	if err != nil {
		_ = resp.Body.Close()
		return err
	}
	if err := flow.Authorize(ctx, req, resp); err != nil {
		return err
	}
	source, err := flow.TokenSource(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.source, h.loaded = source, true
	return err
}

// begins reports whether the user has asked for a sign-in, for which one is made. Later ones need another wish.
func (h *Handler) begins() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.o.Asked
	h.o.Asked = false
	if !asked && h.problem == nil {
		h.problem = ErrNeeded
	}
	return asked
}

// keep writes a grant into the store.
func (h *Handler) keep(c *oauth2.Config, t *oauth2.Token) (where string, err error) {
	data, err := json.Marshal(grant{Client: c.ClientID, Secret: c.ClientSecret, Style: c.Endpoint.AuthStyle, TokenURL: c.Endpoint.TokenURL,
		Scopes: c.Scopes, Token: t})
	if err != nil {
		return "", err
	}
	return h.o.Store.save(h.o.Address, data)
}

// kept returns a source of tokens that keeps each new one.
func (h *Handler) kept(c *oauth2.Config, t *oauth2.Token) oauth2.TokenSource {
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, httpClient())
	return &keeping{h: h, config: c, last: t.AccessToken, from: c.TokenSource(ctx, t)}
}

// keeping is a source of tokens that keeps each new one.
type keeping struct {
	h      *Handler
	config *oauth2.Config
	from   oauth2.TokenSource

	mu   sync.Mutex
	last string
}

// Token returns the token, a new one if the last has run out.
func (k *keeping) Token() (*oauth2.Token, error) {
	t, err := k.from.Token()
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	fresh := t.AccessToken != k.last
	k.last = t.AccessToken
	k.mu.Unlock()
	if fresh && k.h.o.Store.load(k.h.o.Address) != nil { // else the user has signed out
		_, _ = k.h.keep(k.config, t) // at worst the user signs in again
	}
	return t, nil
}

// httpClient returns the client of sign-ins: it follows no redirect to another host, and waits half a minute at most.
func httpClient() *http.Client {
	return &http.Client{Timeout: 30 * time.Second, CheckRedirect: Stays}
}

// Stays refuses redirects to another host or another scheme, and more than five, as [http.Client] asks.
func Stays(r *http.Request, via []*http.Request) error {
	if len(via) > 5 || r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme {
		return fmt.Errorf("it redirects to %s", r.URL.Host)
	}
	return nil
}

// web reports whether an address is one of the web that only its service can read: https, or http on this machine.
func web(address string) bool {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" {
		return false
	}
	ip := net.ParseIP(at.Hostname())
	here := strings.EqualFold(at.Hostname(), "localhost") || ip != nil && ip.IsLoopback()
	return at.Scheme == "https" || at.Scheme == "http" && here
}
