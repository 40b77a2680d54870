package copilot

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/copilot/login"
	"parley/copilot/sim"
)

const modelInUse = "claude-sonnet-5"

// The older scheme is tried once, only after the one refusal that it can mend, and remembered for the endpoint.
func TestSchemeIsFoundAndRemembered(t *testing.T) {
	s, n := newSim(t, sim.Account{Scheme: "token"}), 0
	ask := func() {
		t.Helper()
		if err := s.ask(t.Context(), modelInUse); err != nil {
			t.Error(err)
		}
	}
	ask()
	s.expect(t, &n, "/user Bearer 200", "/v1/messages Bearer 400", "/v1/messages token 200")
	ask()
	if _, err := s.client.Models(t.Context()); err != nil {
		t.Error(err)
	}
	s.expect(t, &n, "/v1/messages token 200", "/models token 200")
	s.SetAccount(sim.Account{})
	ask()
	ask()
	s.expect(t, &n, "/v1/messages token 400", "/v1/messages Bearer 200", "/v1/messages Bearer 200")
	s.SetAccount(sim.Account{Scheme: "token"})
	s.client.Forget()
	ask()
	s.expect(t, &n, "/user Bearer 200", "/v1/messages Bearer 400", "/v1/messages token 200")
}

// What an endpoint reads says nothing of another.
func TestSchemeIsOfOneEndpoint(t *testing.T) {
	old, moved := newFake(t), newFake(t)
	read := func(want string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " "); scheme != want {
				answer(400, "text/plain", "bad request: Authorization header is badly formatted\n")(w, r)
				return
			}
			good(w, r)
		}
	}
	old.on(pathMessages, inTurn(read("token"), read("token"), answer(421, "", "Misdirected Request")))
	moved.on(pathMessages, read("Bearer"))
	old.on(pathUser, inTurn(
		answer(200, "", fmt.Sprintf(`{"endpoints":{"api":%q}}`, old.URL)),
		answer(200, "", fmt.Sprintf(`{"endpoints":{"api":%q}}`, moved.URL))))
	c := old.client(t)
	for range 2 {
		if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
			t.Error(err)
		}
	}
	if a, b := len(old.got(pathMessages)), len(moved.got(pathMessages)); a != 3 || b != 1 {
		t.Errorf("%d requests at the old endpoint, %d at the new one", a, b)
	}
}

func TestOtherRefusalsKeepTheScheme(t *testing.T) {
	for name, tt := range map[string]struct {
		route http.HandlerFunc
		want  int
	}{
		"another 400":             {answer(400, "", "bad request: no"), 1},
		"the text with a 401":     {answer(401, "", "Authorization header is badly formatted"), 2}, // rediscovered
		"neither scheme is read":  {answer(400, "", "Authorization header is badly formatted"), 2},
		"the other scheme is no":  {inTurn(answer(400, "", "Authorization header is badly formatted"), answer(400, "", "no")), 2},
		"the other one is a 401":  {inTurn(answer(400, "", "Authorization header is badly formatted"), answer(401, "", "no")), 3},
		"a JSON form of the text": {answer(400, "", `{"error":{"message":"Authorization header is badly formatted","code":"x"}}`), 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(pathMessages, tt.route)
			if err := calls["Messages"].call(t.Context(), f.client(t), nil); err == nil {
				t.Error("no error")
			}
			if n := len(f.got(pathMessages)); n != tt.want {
				t.Errorf("%d requests, want %d", n, tt.want)
			}
		})
	}
}

func TestIntegrationIDCanBeLeftOut(t *testing.T) {
	for id, want := range map[string]string{"": "copilot-developer-cli", "mine": "mine", NoIntegrationID: ""} {
		f := newFake(t)
		f.on(pathModels, good)
		f.on(pathMessages, good)
		c := f.client(t, func(o *Options) { o.IntegrationID, o.EditorVersion, o.APIVersion = id, "ed/1", "2026-01-01" })
		for name, call := range calls {
			if err := call.call(t.Context(), c, http.Header{"Copilot-Integration-Id": {"evil"}}); err != nil {
				t.Fatal(err)
			}
			all := f.got(call.path)
			h := all[len(all)-1].header
			if got, there := h.Get("Copilot-Integration-Id"), len(h.Values("Copilot-Integration-Id")) > 0; got != want || there != (want != "") {
				t.Errorf("%q, %s: got %q", id, name, got)
			}
			if h.Get("Editor-Version") != "ed/1" || h.Get("X-Github-Api-Version") != "2026-01-01" {
				t.Errorf("%s: the header is %v", name, h)
			}
		}
	}
	f := newFake(t)
	f.on(pathMessages, answer(400, "text/plain", "bad request: missing required Copilot-Integration-Id header"))
	err := calls["Messages"].call(t.Context(), f.client(t, func(o *Options) { o.IntegrationID = NoIntegrationID }), nil)
	if err == nil || !strings.Contains(err.Error(), "leave api.integration_id unset") {
		t.Errorf("got %v", err)
	}
}

// The refusals of the token that the service words in its own ways become errors that say what to do.
func TestTokenRefusalsAreExplained(t *testing.T) {
	const pat, oauth, actions = "github_pat_0123456789", testToken, "ghs_0123456789"
	for _, tt := range []struct {
		name, token, id string
		path            string
		status          int
		body            string
		reason, next    string
		kind            Kind
	}{
		{"PAT and another integration id", pat, "mine", pathMessages, 400,
			"bad request: Personal Access Tokens are not supported for this endpoint",
			"integration id copilot-developer-cli", "api.integration_id unset", KindAuth},
		{"PAT refused all the same", pat, "", pathMessages, 400,
			"Personal Access Tokens are not supported for this endpoint", "does not take", "your own account owns", KindAuth},
		{"PAT without the permission", pat, "", pathMessages, 401,
			"the token does not have Copilot Requests permission", "lacks the permission", "personal-access-tokens", KindAuth},
		{"PAT at discovery", pat, "", pathUser, 403, `{"message":"Resource not accessible by personal access token"}`,
			"may not ask about Copilot", "Copilot Requests", KindForbidden},
		{"app at discovery", "ghu_1", "", pathUser, 403, `{"message":"Resource not accessible by integration"}`,
			"the app it was made for", "in GH_TOKEN", KindForbidden},
		{"PAT refused without a word", pat, "", pathMessages, 401, "", "expired", "check that at", KindAuth},
		{"token of Actions", actions, "", pathMessages, 401, "", "needs a separate permission", "copilot-requests: write", KindAuth},
		{"expired login", oauth, "", pathUser, 401, `{"message":"Bad credentials"}`, "another host than github.com",
			"set another token in GH_TOKEN", KindAuth},
		{"refused login", oauth, "", pathMessages, 401, "unauthorized: AuthenticateToken authentication failed",
			"another host than github.com", "unset it", KindAuth},
		{"unreadable", oauth, "", pathMessages, 400, "Authorization header is badly formatted", "neither as Bearer",
			"gh auth login", KindAuth},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(pathMessages, good)
			f.on(tt.path, answer(tt.status, "text/plain", tt.body))
			err := calls["Messages"].call(t.Context(), f.client(t, func(o *Options) {
				o.Credential.Token, o.IntegrationID = login.NewSecret(tt.token), tt.id
			}), nil)
			te, ok := errors.AsType[*login.TokenError](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(te.Reason, tt.reason) || !strings.Contains(te.Next, tt.next) || te.Source != "GH_TOKEN" {
				t.Errorf("got %v", te)
			}
			if e, _ := errors.AsType[*Error](err); !strings.Contains(readFault(e.Envelope).message, te.Next) {
				t.Errorf("the envelope is %s", e.Envelope)
			}
			if KindOf(err) != tt.kind || strings.Contains(err.Error(), tt.token) {
				t.Errorf("%s: %v", KindOf(err), err)
			}
		})
	}
	for status, text := range map[int]string{421: "set github_host", 466: "update parley"} {
		f := newFake(t)
		f.on(pathMessages, answer(status, "", ""))
		if err := calls["Messages"].call(t.Context(), f.client(t), nil); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%d: got %v", status, err)
		}
	}
	for status, body := range map[int]string{403: "the policy says no", 429: "slow", 402: "quota", 500: "oops", 400: "no"} {
		f := newFake(t)
		f.on(pathMessages, answer(status, "", body))
		err := calls["Messages"].call(t.Context(), f.client(t), nil)
		if _, ok := errors.AsType[*login.TokenError](err); ok || err == nil {
			t.Errorf("%d is blamed on the token: %v", status, err)
		}
	}
}
