package sim

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestFreePlanNeedsAModelSession(t *testing.T) {
	clock := newFakeClock()
	s := start(t, Options{Account: Account{Plan: "free"}, Clock: clock})
	user := get(t, s, "/copilot_internal/user").object(t)
	if user["access_type_sku"] != "free_limited_copilot" || user["quota_snapshots"] != nil ||
		dig(user, "limited_user_quotas", "chat") != 500.0 {
		t.Errorf("the account is %v", user)
	}
	send := func(model, token string) reply {
		r := request(t, s, http.MethodPost, "/v1/messages", with(m{"model": model}))
		r.Header.Set("Copilot-Session-Token", token)
		return do(t, r)
	}
	open := func(body string) reply { return do(t, request(t, s, http.MethodPost, "/models/session", body)) }
	refused := func(what string, got reply) {
		t.Helper()
		if got.status != 400 || !strings.Contains(got.body, "model_not_supported") {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
	}
	refused("without a session", send("claude-haiku-4.5", ""))
	refused("an invented one", send("claude-haiku-4.5", "sess_x"))
	for _, bad := range []string{`{"auto_mode":true}`, `{}`, `{"auto_mode":{"model_hints":[]}}`, "x"} {
		if got := open(bad); got.status != 400 {
			t.Errorf("%s: %d", bad, got.status)
		}
	}
	got := open(`{"auto_mode":{"model_hints":["auto"]}}`).object(t)
	token, _ := got["session_token"].(string)
	if got["selected_model"] != "claude-haiku-4.5" || token == "" {
		t.Fatalf("got %v", got)
	}
	if got := open(`{"auto_mode":{"model_hints":["gpt-5-mini"]}}`).object(t); got["selected_model"] != "gpt-5-mini" {
		t.Errorf("a hint does not count: %v", got)
	}
	if got := send("claude-haiku-4.5", token); got.status != 200 {
		t.Errorf("with a session: %d %s", got.status, got.body)
	}
	refused("a model the session does not offer", send("claude-opus-4.6", token))
	_ = clock.Sleep(t.Context(), sessionLifetime+time.Second)
	refused("an old session", send("claude-haiku-4.5", token))
	s.SetAccount(Account{Plan: "free", NoSessions: true})
	if got := open(`{"auto_mode":{"model_hints":["auto"]}}`); got.status != 404 {
		t.Errorf("without sessions: %d", got.status)
	}
	s.SetAccount(Account{})
	if got := send("claude-opus-4.6", ""); got.status != 200 {
		t.Errorf("a paid plan: %d", got.status)
	}
}

func TestAccountsDecideWhatIsRead(t *testing.T) {
	s := start(t, Options{})
	authorised := func(path, authorization string) int {
		r := request(t, s, http.MethodGet, path, "")
		r.Header.Set("Authorization", authorization)
		return do(t, r).status
	}
	minted := func() string {
		token, _ := get(t, s, strings.TrimPrefix(s.GitHubURL(), s.CopilotURL())+"/copilot_internal/v2/token").object(t)["token"].(string)
		return token
	}
	expect := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	s.SetAccount(Account{Scheme: "token"})
	expect("the other scheme", authorised("/models", "token "+s.Token()), 200)
	expect("the usual scheme", authorised("/models", "Bearer "+s.Token()), 400)
	expect("a minted token has its own", authorised("/models", "Bearer "+minted()), 200)

	s.SetAccount(Account{OnlyMinted: true, Split: true})
	token := minted()
	if api := dig(get(t, s, "/copilot_internal/user").object(t), "endpoints", "api"); api != s.CopilotURL()+"/direct" {
		t.Errorf("discovery names %v", api)
	}
	expect("a minted token", authorised("/minted/models", "Bearer "+token), 200)
	expect("at the other base", authorised("/direct/models", "Bearer "+token), 421)
	expect("the GitHub token", authorised("/direct/models", "Bearer "+s.Token()), 401)
	expect("the GitHub token at the other base", authorised("/minted/models", "Bearer "+s.Token()), 421)

	s.SetAccount(Account{Server: true, NoEndpoints: true})
	expect("the usual place", authorised("/copilot_internal/user", "Bearer "+s.Token()), 404)
	expect("the place of a server", authorised("/api/v3/copilot_internal/user", "Bearer "+s.Token()), 200)
	expect("a token of an earlier account", authorised("/models", "Bearer "+token), 401)
}

func TestExchangeRefuses(t *testing.T) {
	for how, want := range map[string]struct {
		status int
		text   string
	}{
		"404": {404, "Not Found"}, "500": {500, "Internal"}, "not_signed_up": {403, `"notification_id":"not_signed_up"`},
	} {
		s := start(t, Options{Account: Account{Exchange: how}})
		if got := get(t, s, "/copilot_internal/v2/token"); got.status != want.status || !strings.Contains(got.body, want.text) {
			t.Errorf("%s: %d %s", how, got.status, got.body)
		}
	}
}
