package mcp

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/extensions"
	"parley/session/mcp/mcptest"
	"parley/session/mcp/signin"
)

// gated is a service that wants a sign-in.
type gated struct {
	*mcptest.Gated
	t *testing.T
}

func newGated(t *testing.T) *gated {
	g := &gated{mcptest.NewGated(), t}
	t.Cleanup(g.Close)
	return g
}

// enter starts a pool with the service and waits until it is settled.
func (g *gated) enter(store *signin.Store) (*Pool, session.Server) {
	return g.enterAs(store, extensions.Server{Name: "gated", Transport: extensions.HTTP, URL: g.URL + "/mcp"})
}

// enterAs is enter with the service as a file describes it.
func (g *gated) enterAs(store *signin.Store, one extensions.Server) (*Pool, session.Server) {
	p := New(Options{Servers: func(context.Context) []extensions.Server { return []extensions.Server{one} }, SignIns: store})
	g.t.Cleanup(p.Close)
	p.Await(g.t.Context())
	return p, g.settled(p)
}

func (g *gated) settled(p *Pool) session.Server {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), 30*time.Second)
	defer cancel()
	return p.Servers(ctx, true)[0]
}

// visits opens a page as a browser does, and returns what it says in the end.
func (g *gated) visits(page string) string {
	g.t.Helper()
	resp, err := http.Get(page)
	if err != nil {
		g.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

func newStore(t *testing.T) *signin.Store {
	return &signin.Store{File: filepath.Join(t.TempDir(), "data", "mcp-tokens.json"), NoKeyring: true}
}

// TestSignIn signs in when the user wishes it, keeps that for other sessions, renews what runs out, and signs out.
func TestSignIn(t *testing.T) {
	g, store := newGated(t), newStore(t)
	p, s := g.enter(store)
	if s.State != session.ServerSignIn || s.Page != "" {
		t.Fatalf("%+v", s)
	}
	if err := p.SwitchServer(t.Context(), "gated", true); err != nil {
		t.Fatal(err)
	}
	s = g.settled(p)
	if s.State != session.ServerSignIn || !strings.HasPrefix(s.Page, g.URL+"/authorize?") {
		t.Fatalf("%+v", s)
	}
	page, _ := url.Parse(s.Page)
	stranger, err := http.Get(page.Query().Get("redirect_uri") + "?code=x&state=wrong")
	if err != nil || stranger.StatusCode != http.StatusBadRequest {
		t.Fatalf("an answer of another sign-in: %v %v", stranger, err)
	}
	_ = stranger.Body.Close()
	if said := g.visits(s.Page); !strings.Contains(said, "Signed in.") {
		t.Errorf("the browser shows %q", said)
	}
	if s = g.settled(p); s.State != Connected || s.Tools == 0 || s.Page != "" {
		t.Fatalf("%+v", s)
	}
	if info, err := os.Stat(store.File); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	g.Mu.Lock()
	g.Good, g.Lasts = map[string]bool{}, 1 // a token is renewed before each request
	g.Mu.Unlock()
	if _, s = g.enter(store); s.State != session.ServerSignIn {
		t.Errorf("with a token that does not hold any more: %+v", s)
	}
	_ = p.SwitchServer(t.Context(), "gated", true)
	g.visits(g.settled(p).Page)
	if s = g.settled(p); s.State != Connected {
		t.Fatalf("%+v", s)
	}
	before, _ := os.ReadFile(store.File)
	if _, s = g.enter(store); s.State != Connected {
		t.Errorf("with a token that is renewed: %+v", s)
	}
	if after, _ := os.ReadFile(store.File); string(after) == string(before) {
		t.Error("a new token is not kept")
	}
	if had, err := p.SignOut(t.Context(), "gated"); !had || err != nil {
		t.Errorf("%t %v", had, err)
	}
	if had, err := p.SignOut(t.Context(), "gated"); had || err != nil {
		t.Errorf("twice: %t %v", had, err)
	}
	if _, s = g.enter(store); s.State != session.ServerSignIn {
		t.Errorf("after the user signed out: %+v", s)
	}
}

// TestSignInTheOldWay signs in to a service whose answers come on one stream, and renews what runs out.
func TestSignInTheOldWay(t *testing.T) {
	g, store := newGated(t), newStore(t)
	old := extensions.Server{Name: "gated", Transport: extensions.SSE, URL: g.URL + "/sse"}
	p, s := g.enterAs(store, old)
	if s.State != session.ServerSignIn || s.Page != "" {
		t.Fatalf("%+v", s)
	}
	if err := p.SwitchServer(t.Context(), "gated", true); err != nil {
		t.Fatal(err)
	}
	g.visits(g.settled(p).Page)
	if s = g.settled(p); s.State != Connected || s.Tools == 0 {
		t.Fatalf("%+v", s)
	}
	if r, err := p.Call(t.Context(), &Tool{Server: "gated", Own: "echo"}, []byte(`{"a":1}`), Caller{}); err != nil || r.Text != `echo {"a":1}` {
		t.Errorf("%+v %v", r, err)
	}
	if _, s = g.enterAs(store, old); s.State != Connected {
		t.Errorf("with what is kept: %+v", s)
	}
	g.Mu.Lock()
	g.Good = map[string]bool{}
	g.Mu.Unlock()
	if _, s = g.enterAs(store, old); s.State != session.ServerSignIn {
		t.Errorf("with a token that does not hold any more: %+v", s)
	}
}

// TestSignInThatFails ends a sign-in that the user gives up, and one that the service refuses.
func TestSignInThatFails(t *testing.T) {
	g := newGated(t)
	p, _ := g.enter(newStore(t))
	_ = p.SwitchServer(t.Context(), "gated", true)
	if s := g.settled(p); s.Page == "" {
		t.Fatalf("%+v", s)
	}
	_ = p.SwitchServer(t.Context(), "gated", false)
	if s := g.settled(p); s.State != Off || s.Page != "" {
		t.Errorf("%+v", s)
	}
	g.Deny = true
	_ = p.SwitchServer(t.Context(), "gated", true)
	said := g.visits(g.settled(p).Page)
	if s := g.settled(p); s.State != Failed || !strings.Contains(s.Why, "access_denied: not you") || !strings.Contains(said, "refused") {
		t.Errorf("%+v, the browser shows %q", s, said)
	}
}

// TestNoSignIn leaves a service alone whose file has a sign-in of its own, and programs.
func TestNoSignIn(t *testing.T) {
	for name, c := range map[string]struct {
		spec extensions.Server
		want bool
	}{
		"own":     {extensions.Server{URL: "https://mcp.example/x", Headers: map[string]string{"authorization": "Bearer x"}}, false},
		"program": {extensions.Server{Command: []string{"x"}}, false},
		"web":     {extensions.Server{URL: "https://mcp.example/x", Headers: map[string]string{"X-Team": "x"}}, true},
		"here":    {extensions.Server{URL: "http://127.0.0.1:1/x"}, true},
	} {
		s := newServer(New(Options{SignIns: newStore(t)}), c.spec)
		if got := s.signsIn(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
