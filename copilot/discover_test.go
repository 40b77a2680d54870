package copilot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot/login"
)

const emptyBody = `{"model":"claude-opus-4.6","messages":[]}`

// calls are the authenticated methods that go to the endpoint, each ending what it began.
var calls = map[string]struct {
	path string
	call func(context.Context, *Client, http.Header) error
}{
	"Models": {pathModels, func(ctx context.Context, c *Client, _ http.Header) error {
		_, err := c.Models(ctx)
		return err
	}},
	"Messages": {pathMessages, func(ctx context.Context, c *Client, h http.Header) error {
		_, err := c.Messages(ctx, Request{Body: []byte(emptyBody), Header: h})
		return err
	}},
	"StreamMessages": {pathMessages, func(ctx context.Context, c *Client, h http.Header) error {
		s, err := c.StreamMessages(ctx, Request{Body: []byte(emptyBody), Header: h})
		if err != nil {
			return err
		}
		_, err = drain(s)
		return err
	}},
}

// good answers any of the calls.
func good(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == pathModels:
		answer(200, "application/json", `{"data":[{"id":"m"}]}`)(w, r)
	case strings.Contains(r.Header.Get("Accept"), "event-stream"):
		sse(frameStart, frameStop)(w, r)
	default:
		answer(200, "application/json", `{"type":"message"}`)(w, r)
	}
}

func TestDiscoveryRequestAndAccount(t *testing.T) {
	f := newFake(t)
	f.on(pathUser, answer(200, "application/json", fmt.Sprintf(`{
		"login":"mona","access_type_sku":"plus_monthly","copilot_plan":"individual_pro","chat_enabled":true,
		"can_signup_for_limited":"what","token_based_billing":true,"is_staff":false,"restricted_telemetry":true,
		"organization_list":[{"login":"acme","name":"Acme"},7],
		"endpoints":{"api":%q,"telemetry":"https://t.example"},"quota_reset_date":"2026-12-01",
		"quota_snapshots":{
			"premium_interactions":{"entitlement":1500,"remaining":-3,"quota_remaining":-3.5,"percent_remaining":-0.2,
				"unlimited":false,"has_quota":true,"overage_count":3.5,"overage_permitted":true,"quota_id":"premium_interactions",
				"timestamp_utc":"2026-11-20T10:00:00.123Z"},
			"chat":{"entitlement":-1,"unlimited":true}, "broken":5}}`, f.URL+"/")))
	c := f.client(t, func(o *Options) { o.UserAgent = "parley/1.2.3 (linux)" })
	u, err := c.User(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if u.Login != "mona" || u.SKU != "plus_monthly" || u.Plan != "individual_pro" || !u.ChatEnabled || u.CanSignUp ||
		!u.TokenBilling || u.Staff || !u.TelemetryRestricted || u.Endpoint != f.URL || len(u.Organizations) != 1 ||
		u.freePlan() {
		t.Errorf("got %+v", u)
	}
	if len(u.Quotas) != 2 {
		t.Fatalf("got %+v", u.Quotas)
	}
	q, ok := u.Quota("premium_interactions")
	want := Quota{ID: "premium_interactions", Entitlement: 1500, Remaining: -3.5, Percent: -0.2, HasQuota: true,
		Overage: 3.5, OverageAllowed: true, At: time.Date(2026, 11, 20, 10, 0, 0, 123e6, time.UTC),
		Reset: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	if !ok || q != want {
		t.Errorf("got %+v", q)
	}
	if q, ok := u.Quota("chat"); !ok || !q.Unlimited {
		t.Errorf("got %+v", q)
	}
	if _, ok := u.Quota("completions"); ok {
		t.Error("a quota that is not there was found")
	}
	u.Quotas[0].ID = "changed by a caller"
	if again, _ := c.User(t.Context()); again.Quotas[0].ID != "chat" {
		t.Error("callers share the list of quotas")
	}
	r := f.got(pathUser)
	if len(r) != 1 || r[0].method != http.MethodGet {
		t.Fatalf("got %d requests", len(r))
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer " + testToken, "Accept": "application/json", "X-Github-Api-Version": "2025-04-01",
		"User-Agent": "parley/1.2.3 (linux)",
	} {
		if got := r[0].header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestFreePlan(t *testing.T) {
	f := newFake(t)
	f.on(pathUser, answer(200, "", `{"copilot_plan":"individual","limited_user_quotas":{"chat":20,"completions":"x"},
		"monthly_quotas":{"chat":50},"limited_user_reset_date":"2026-12-05",
		"quota_snapshots":{"chat":{"entitlement":50,"remaining":20}}}`))
	u, err := f.client(t).User(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reset := time.Date(2026, 12, 5, 0, 0, 0, 0, time.UTC)
	want := Quota{ID: "chat", Entitlement: 50, Remaining: 20, Percent: 40, Limited: true, Reset: reset}
	if len(u.Quotas) != 1 || u.Quotas[0] != want || !u.freePlan() || !u.QuotaReset.Equal(reset) {
		t.Errorf("got %+v", u)
	}
	f.on(pathUser, answer(200, "", `{"limited_user_quotas":{"chat":20},"monthly_quotas":{"chat":80}}`))
	u, err = f.client(t).User(t.Context())
	if q, _ := u.Quota("chat"); err != nil || q.Percent != 25 || !q.Limited || !q.HasQuota {
		t.Errorf("got %+v, %v", q, err)
	}
}

func TestWhichPlansAreFree(t *testing.T) {
	for body, want := range map[string]bool{
		`{"copilot_plan":"free"}`: true, `{"copilot_plan":"individual","access_type_sku":"free_educational_quota"}`: true,
		`{"access_type_sku":"no_auth_limited_copilot"}`: true, `{"limited_user_quotas":{"chat":0}}`: true,
		`{"copilot_plan":"individual_pro","access_type_sku":"plus_monthly","limited_user_quotas":null}`: false, `{}`: false,
		`{"access_type_sku":"freelance"}`: false,
	} {
		if got := decodeUser(object([]byte(body))).freePlan(); got != want {
			t.Errorf("%s: got %v", body, got)
		}
	}
}

func TestDiscoveryIsShared(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, good)
	f.on(pathMessages, good)
	c := f.client(t)
	var wg sync.WaitGroup
	for range 20 {
		for _, call := range calls {
			wg.Go(func() {
				if err := call.call(t.Context(), c, nil); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	if n := len(f.got(pathUser)); n != 1 {
		t.Errorf("discovered %d times", n)
	}
	if n := len(f.got(pathModels)); n != 1 {
		t.Errorf("listed %d times", n)
	}
	c.Forget()
	if _, err := c.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.got(pathUser)) != 2 || len(f.got(pathModels)) != 2 {
		t.Error("Forget forgets nothing")
	}
}

func TestDiscoveryExpiresByTheClock(t *testing.T) {
	f, clk := newFake(t), newClock()
	f.on(pathMessages, good)
	c := f.client(t, func(o *Options) { o.Now = clk.now })
	for i, step := range []struct {
		wait time.Duration
		want int
	}{{0, 1}, {24 * time.Minute, 1}, {time.Minute, 2}, {24 * time.Minute, 2}, {7 * time.Minute, 3}} {
		clk.advance(step.wait)
		if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
			t.Fatal(err)
		}
		c.current().user.wait() // a refresh may be running behind the call
		if n := len(f.got(pathUser)); n != step.want {
			t.Errorf("step %d: discovered %d times, want %d", i, n, step.want)
		}
	}
}

func TestTwoTokensTwoBases(t *testing.T) {
	github := newFake(t)
	bases := map[string]*fake{"gho_one": newFake(t), "gho_two": newFake(t)}
	github.on(pathUser, func(w http.ResponseWriter, r *http.Request) {
		_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		fmt.Fprintf(w, `{"endpoints":{"api":%q}}`, bases[token].URL)
	})
	for token, base := range bases {
		base.on(pathMessages, good)
		base.on(pathModels, good)
		c := github.client(t, func(o *Options) { o.Credential.Token = login.NewSecret(token) })
		for _, call := range calls {
			if err := call.call(t.Context(), c, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for token, base := range bases {
		if n := len(base.got(pathMessages)); n != 2 {
			t.Errorf("%s: %d messages", token, n)
		}
		for _, r := range append(base.got(pathMessages), base.got(pathModels)...) {
			if r.header.Get("Authorization") != "Bearer "+token {
				t.Errorf("%s was used at the base of %s", r.header.Get("Authorization"), token)
			}
		}
	}
}

func TestDiscoveryFailures(t *testing.T) {
	for _, tt := range []struct {
		name   string
		route  http.HandlerFunc
		kind   Kind
		status int
		text   string
	}{
		{"401", answer(401, "application/json", `{"message":"Bad credentials","documentation_url":"u"}`), KindAuth, 401,
			"Bad credentials"},
		{"403", answer(403, "application/json", `{"message":"no seat"}`), KindForbidden, 403, "no seat"},
		{"404", answer(404, "application/json", `{"message":"Not Found"}`), KindForbidden, 404, ""},
		{"403 with a limit", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			answer(403, "", `{"message":"API rate limit exceeded"}`)(w, r)
		}, KindRateLimit, 403, ""},
		{"500", answer(500, "text/html", "<!DOCTYPE html><p>oops"), KindServer, 500, ""},
		{"no JSON", answer(200, "text/plain", "hello"), KindProtocol, 200, ""},
		{"array", answer(200, "text/plain", "[]"), KindProtocol, 200, ""},
		{"http endpoint", answer(200, "", `{"endpoints":{"api":"http://api.example"}}`), KindProtocol, 200, "not https"},
		{"user in endpoint", answer(200, "", `{"endpoints":{"api":"https://u:`+testToken+`@api.example"}}`), KindProtocol,
			200, "user"},
		{"garbage endpoint", answer(200, "", `{"endpoints":{"api":"::`+testToken+`"}}`), KindProtocol, 200, ""},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(`{"login":`))
		}, KindNetwork, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(pathUser, tt.route)
			c := f.client(t)
			for name, call := range calls {
				err := call.call(t.Context(), c, nil)
				e, ok := errors.AsType[*Error](err)
				if !ok || e.Kind != tt.kind || e.Status != tt.status || e.Op != opDiscover {
					t.Fatalf("%s: got %v", name, err)
				}
				if !strings.Contains(err.Error(), tt.text) || strings.Contains(err.Error(), testToken) {
					t.Errorf("%s: bad text %q", name, err)
				}
			}
			if n := len(f.got(pathUser)); n != len(calls) {
				t.Errorf("discovered %d times: a failure was kept or tried again", n)
			}
			if len(f.got(pathMessages)) != 0 {
				t.Error("messages were sent")
			}
		})
	}
}

func TestEndpointMissing(t *testing.T) {
	f := newFake(t)
	f.on(pathUser, answer(200, "", `{"login":"mona"}`))
	for host, want := range map[string]string{
		"github.com": "https://api.githubcopilot.com", "acme.ghe.com": "https://copilot-api.acme.ghe.com",
	} {
		u, err := f.client(t, func(o *Options) { o.Credential.Host = host }).User(t.Context())
		if err != nil || u.Endpoint != want {
			t.Errorf("%s: got %q, %v", host, u.Endpoint, err)
		}
	}
}

func TestFixedEndpointIsNotDiscovered(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, good)
	f.on(pathMessages, inTurn(answer(401, "", ""), good))
	c := f.client(t, func(o *Options) { o.GitHubAPIURL, o.CopilotAPIURL = "", f.URL })
	if err := calls["Messages"].call(t.Context(), c, nil); KindOf(err) != KindAuth {
		t.Errorf("got %v", err)
	}
	for _, call := range calls {
		if err := call.call(t.Context(), c, nil); err != nil {
			t.Error(err)
		}
	}
	if u, err := c.User(t.Context()); err != nil || u.Endpoint != f.URL || u.Login != "" {
		t.Errorf("got %+v, %v", u, err)
	}
	if n := len(f.got(pathUser)); n != 0 {
		t.Errorf("discovered %d times", n)
	}
	both := f.client(t, func(o *Options) { o.CopilotAPIURL = f.URL + "/base" })
	if u, err := both.User(t.Context()); err != nil || u.Endpoint != f.URL+"/base" || u.Login != "" || len(f.got(pathUser)) != 0 {
		t.Errorf("with both replaced: got %+v, %v", u, err)
	}
	if u, err := both.AskUser(t.Context()); err != nil || u.Endpoint != f.URL+"/base" || u.Login != "mona" {
		t.Errorf("with both replaced, asked: got %+v, %v", u, err)
	}
}

// TestFixedEndpointNeedsNoGitHub: with both addresses set, requests and a new sign-in ask GitHub nothing. Only who wants to know
// whose account it is does.
func TestFixedEndpointNeedsNoGitHub(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, good)
	f.on(pathMessages, good)
	f.on(pathUser, answer(500, "", ""))
	c := f.client(t, func(o *Options) { o.CopilotAPIURL = f.URL })
	for name, call := range calls {
		if err := call.call(t.Context(), c, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := c.SignIn(t.Context(), login.Credential{Token: login.NewSecret("gho_another"), Source: "gh", Host: "github.com"}); err != nil {
		t.Errorf("sign in: %v", err)
	}
	if n := len(f.got(pathUser)); n != 0 {
		t.Errorf("GitHub was asked %d times", n)
	}
	if _, err := c.AskUser(t.Context()); err == nil || len(f.got(pathUser)) == 0 {
		t.Errorf("the account was not asked for: %v", err)
	}
}
