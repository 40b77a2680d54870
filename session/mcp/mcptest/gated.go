package mcptest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Gated is a service that wants a sign-in, at /mcp and in the old way at /sse, with the server that gives it. Mu guards the fields below it.
type Gated struct {
	*httptest.Server

	Mu         sync.Mutex
	challenges map[string]string // by code
	// Good are the access tokens that are taken, Tokens counts those that were given, Lasts is their time in seconds.
	Good   map[string]bool
	Tokens int
	Lasts  int
	// Deny means that the user says no.
	Deny bool
}

// NewGated starts a service; its caller closes it.
func NewGated() *Gated {
	g := &Gated{challenges: map[string]string{}, Good: map[string]bool{}, Lasts: 3600}
	mux := http.NewServeMux()
	serve := func(path string, body func() any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body())
		})
	}
	serve("/.well-known/oauth-protected-resource", func() any {
		return map[string]any{"resource": g.URL + "/mcp", "authorization_servers": []string{g.URL}}
	})
	serve("/.well-known/oauth-authorization-server", func() any {
		return map[string]any{"issuer": g.URL, "authorization_endpoint": g.URL + "/authorize", "token_endpoint": g.URL + "/token",
			"registration_endpoint": g.URL + "/register", "response_types_supported": []string{"code"}, "grant_types_supported": []string{"authorization_code", "refresh_token"},
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"}}
	})
	mux.HandleFunc("POST /register", func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		_ = json.NewDecoder(r.Body).Decode(&in)
		in["client_id"] = "client-1"
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(in)
	})
	mux.HandleFunc("GET /authorize", g.authorize)
	mux.HandleFunc("POST /token", g.token)
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return New("plain") }, &sdk.StreamableHTTPOptions{Stateless: true})
	serve("/.well-known/oauth-protected-resource/sse", func() any {
		return map[string]any{"resource": g.URL + "/sse", "authorization_servers": []string{g.URL}}
	})
	old := sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return New("plain") }, nil)
	mux.Handle("/sse", auth.RequireBearerToken(g.verify, &auth.RequireBearerTokenOptions{})(old))
	mux.Handle("/mcp", auth.RequireBearerToken(g.verify, &auth.RequireBearerTokenOptions{})(handler))
	g.Server = httptest.NewServer(mux)
	return g
}

func (g *Gated) authorize(w http.ResponseWriter, r *http.Request) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	q := r.URL.Query()
	back := q.Get("redirect_uri") + "?state=" + url.QueryEscape(q.Get("state"))
	if g.Deny {
		http.Redirect(w, r, back+"&error=access_denied&error_description=not+you", http.StatusFound)
		return
	}
	code := fmt.Sprintf("code-%d", len(g.challenges))
	g.challenges[code] = q.Get("code_challenge")
	http.Redirect(w, r, back+"&code="+code, http.StatusFound)
}

func (g *Gated) token(w http.ResponseWriter, r *http.Request) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	switch challenge, known := g.challenges[r.FormValue("code")]; {
	case r.FormValue("grant_type") == "refresh_token" && r.FormValue("refresh_token") == "again":
	case known && challenge == base64.RawURLEncoding.EncodeToString(sum[:]):
	default:
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	g.Tokens++
	token := fmt.Sprintf("access-%d", g.Tokens)
	g.Good[token] = true
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": g.Lasts, "refresh_token": "again"})
}

func (g *Gated) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	if !g.Good[token] {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: "u", Expiration: time.Now().Add(time.Hour)}, nil
}
