package copilot

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
)

const pathMint = "/copilot_internal/v2/token"

// Where the GitHub token itself is refused, a minted one is used, at the endpoint that belongs to it and nowhere else.
func TestExchangeAfterTheTokenIsRefused(t *testing.T) {
	s, n := newSim(t, sim.Account{OnlyMinted: true, Split: true}), 0
	ask := func() {
		t.Helper()
		if err := s.ask(t.Context(), modelInUse); err != nil {
			t.Error(err)
		}
	}
	ask()
	s.expect(t, &n, "/user Bearer 200", "direct /v1/messages Bearer 401", "/user Bearer 200",
		"direct /v1/messages Bearer 401", "/v2/token token 200", "minted /v1/messages Bearer 200")
	ask()
	if _, err := s.client.Models(t.Context()); err != nil {
		t.Error(err)
	}
	s.expect(t, &n, "/user Bearer 200", "minted /v1/messages Bearer 200", "minted /models Bearer 200")
	if u, err := s.client.User(t.Context()); err != nil || !strings.HasSuffix(u.Endpoint, "/direct") {
		t.Errorf("got %+v, %v", u, err)
	}

	// The service says to refresh after 25 minutes, a fifth of which (five minutes at most) is left for it.
	s.since(&n)
	s.clock.advance(19 * time.Minute)
	ask()
	s.expect(t, &n, "minted /v1/messages Bearer 200")
	s.clock.advance(2 * time.Minute)
	ask()
	s.client.current().minted.wait()
	s.since(&n)
	ask()
	s.expect(t, &n, "minted /v1/messages Bearer 200")
	if minted := times(s.seen(), "/v2/token token 200"); minted != 2 {
		t.Errorf("minted %d times, want twice", minted)
	}

	// All minted tokens become void: one more exchange, then the answer.
	s.SetAccount(sim.Account{OnlyMinted: true, Split: true})
	ask()
	s.expect(t, &n, "minted /v1/messages Bearer 421", "/v2/token token 200", "minted /v1/messages Bearer 200")

	for _, r := range s.Requests() {
		if r.Path == pathMint && (!strings.HasPrefix(r.Header.Get("User-Agent"), "parley/") ||
			r.Header.Get("X-Github-Api-Version") != "2025-04-01" || r.Header.Get("Copilot-Integration-Id") == "" ||
			r.Header.Get("Editor-Version") == "") {
			t.Errorf("the exchange was asked with %v", r.Header)
		}
	}
}

func times(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

func TestExchangeIsShared(t *testing.T) {
	s := newSim(t, sim.Account{OnlyMinted: true})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if err := s.ask(t.Context(), modelInUse); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := times(s.seen(), "/v2/token token 200"); n != 1 {
		t.Errorf("minted %d times", n)
	}
}

// An exchange that says no is not asked again for half an hour, and the refusal of the direct call is the answer.
func TestExchangeRefusedWithoutReason(t *testing.T) {
	for _, how := range []string{"404", "403", "401"} {
		s, n := newSim(t, sim.Account{OnlyMinted: true, Exchange: how}), 0
		ask := func() {
			t.Helper()
			err := s.ask(t.Context(), modelInUse)
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Op != opStream || e.Status != 401 || e.Kind != KindAuth {
				t.Fatalf("%s: got %v", how, err)
			}
			if _, ok := errors.AsType[*login.TokenError](err); !ok {
				t.Errorf("%s: %v does not say what to do", how, err)
			}
		}
		ask()
		s.expect(t, &n, "/user Bearer 200", "/v1/messages Bearer 401", "/user Bearer 200", "/v1/messages Bearer 401",
			"/v2/token token "+how)
		ask()
		s.expect(t, &n, "/user Bearer 200", "/v1/messages Bearer 401", "/user Bearer 200", "/v1/messages Bearer 401")
		s.clock.advance(keepFor)
		ask()
		if got := s.since(&n); got[len(got)-1] != "/v2/token token "+how {
			t.Errorf("%s: after half an hour: %v", how, got)
		}
	}
}

// A failure of the exchange that may pass is neither kept nor does it hide the refusal.
func TestExchangeFails(t *testing.T) {
	s, n := newSim(t, sim.Account{OnlyMinted: true, Exchange: "500"}), 0
	err := s.ask(t.Context(), modelInUse)
	if e, ok := errors.AsType[*Error](err); !ok || e.Status != 401 {
		t.Errorf("got %v", err)
	}
	s.SetAccount(sim.Account{OnlyMinted: true})
	s.since(&n)
	if err := s.ask(t.Context(), modelInUse); err != nil {
		t.Error(err)
	}
	if got := s.since(&n); got[len(got)-1] != "/v1/messages Bearer 200" {
		t.Errorf("got %v", got)
	}
}

// GitHub's reasons come out, whatever the id, with what to do.
func TestNotices(t *testing.T) {
	for _, id := range []NoticeID{NoticeNoAccess, NoticeNotSignedUp, NoticeSubscriptionEnded, NoticeManagedUser,
		NoticeFeatureBlocked, NoticeSpammyUser, NoticeBillingLocked, NoticeTradeRestricted, NoticeMatchingNotSet,
		NoticeAccessRevoked, NoticeServerError, NoticeProgrammaticTokens, NoticeGoHTTPClient, "something_new"} {
		s := newSim(t, sim.Account{OnlyMinted: true, Exchange: string(id)})
		err := s.ask(t.Context(), modelInUse)
		n, ok := errors.AsType[*NoticeError](err)
		if !ok || n.ID != id || n.What == "" || n.Next == "" || n.CanSignUp != (id == NoticeNotSignedUp) {
			t.Errorf("%s: got %v", id, err)
			continue
		}
		want := KindForbidden
		if id == NoticeServerError {
			want = KindServer
		}
		if KindOf(err) != want || !strings.Contains(err.Error(), n.What) || !strings.Contains(err.Error(), n.Next) {
			t.Errorf("%s: %s, %v", id, KindOf(err), err)
		}
		if _, known := notices[id]; known == (id == "something_new") {
			t.Errorf("%s: known is %v", id, known)
		}
	}
}

func TestNoticeAtDiscovery(t *testing.T) {
	f := newFake(t)
	f.on(pathUser, answer(403, "application/json", `{"message":"no","can_signup_for_limited":true,"error_details":{
		"title":"T","message":"M\u001b","url":"https://github.com/x","notification_id":"billing_locked"}}`))
	_, err := f.client(t).User(t.Context())
	n, ok := errors.AsType[*NoticeError](err)
	if !ok || n.URL != "https://github.com/x" || n.Message != "M" || !n.CanSignUp || KindOf(err) != KindForbidden {
		t.Fatalf("got %+v, %v", n, err)
	}
	for _, bad := range []string{"javascript:alert(1)", "http://a.example", "https://u:p@a.example", "::"} {
		f.on(pathUser, answer(403, "", fmt.Sprintf(`{"error_details":{"url":%q,"notification_id":"x"}}`, bad)))
		_, err := f.client(t).User(t.Context())
		if n, ok := errors.AsType[*NoticeError](err); !ok || n.URL != "" {
			t.Errorf("%s: got %+v", bad, n)
		}
	}
}

// The exchange is for refused tokens of kinds that it takes, and for nothing else.
func TestExchangeOnlyWhereItHelps(t *testing.T) {
	for name, tt := range map[string]struct {
		token  string
		route  http.HandlerFunc
		change func(*Options)
		want   bool
	}{
		"an OAuth token refused":  {"gho_1234567", answer(401, "", ""), nil, true},
		"an app's token refused":  {"ghu_1234567", answer(401, "", ""), nil, true},
		"a token of unknown kind": {"0123456789", answer(401, "", ""), nil, true},
		"neither scheme is read":  {"gho_1234567", answer(400, "", "Authorization header is badly formatted"), nil, true},
		"a personal token":        {"github_pat_1", answer(401, "", ""), nil, false},
		"a workflow's token":      {"ghs_1234567", answer(401, "", ""), nil, false},
		"a seat or policy":        {"gho_1234567", answer(403, "", ""), nil, false},
		"another host":            {"gho_1234567", answer(421, "", ""), nil, false},
		"a bad request":           {"gho_1234567", answer(400, "", "no"), nil, false},
		"no quota":                {"gho_1234567", answer(402, "", ""), nil, false},
		"a fixed endpoint":        {"gho_1234567", answer(401, "", ""), func(o *Options) { o.CopilotAPIURL = o.GitHubAPIURL }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(pathMessages, tt.route)
			c := f.client(t, func(o *Options) {
				o.Credential.Token = login.NewSecret(tt.token)
				if tt.change != nil {
					tt.change(o)
				}
			})
			if err := calls["Messages"].call(t.Context(), c, nil); err == nil {
				t.Error("no error")
			}
			if asked := len(f.got(pathMint)) > 0; asked != tt.want {
				t.Errorf("asked the exchange: %v", asked)
			}
		})
	}
}

func TestMintedTokensAreChecked(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		ok   bool
	}{
		"as it should be":     {`{"token":"tid=1;exp=2:mac","refresh_in":1500,"endpoints":{"api":"URL"}}`, true},
		"no time":             {`{"token":"tid=1;exp=2:mac","endpoints":{"api":"URL"}}`, true},
		"an odd time":         {`{"token":"tid=1;exp=2:mac","refresh_in":-5,"expires_at":1,"endpoints":{"api":"URL"}}`, true},
		"no token":            {`{"endpoints":{"api":"URL"}}`, false},
		"a line end in it":    {`{"token":"a\nb","endpoints":{"api":"URL"}}`, false},
		"an unsafe endpoint":  {`{"token":"tid=1","endpoints":{"api":"http://evil.example"}}`, false},
		"a user in it":        {`{"token":"tid=1","endpoints":{"api":"https://a:b@evil.example"}}`, false},
		"no JSON":             {`hello`, false},
		"the proxy's address": {`{"token":"tid=1;proxy-ep=evil.example","endpoints":{"api":"URL","proxy":"https://evil.example"}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(pathMint, answer(200, "application/json", strings.ReplaceAll(tt.body, "URL", f.URL)))
			f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.Header.Get("Authorization"), "Bearer tid=") {
					good(w, r)
					return
				}
				answer(401, "", "no")(w, r)
			})
			c := f.client(t)
			err := calls["Messages"].call(t.Context(), c, nil)
			if (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
			if tt.ok && calls["Messages"].call(t.Context(), c, nil) != nil || len(f.got(pathMint)) != 1 {
				t.Errorf("asked the exchange %d times", len(f.got(pathMint)))
			}
		})
	}
}

// A minted token knows one scheme, and where it is refused even so the exchange is left alone for a while.
func TestMintedTokenIsRefused(t *testing.T) {
	for refusal, want := range map[string]int{"400 Authorization header is badly formatted": 1, "401 no": 1} {
		f := newFake(t)
		mints := 0
		f.on(pathMint, func(w http.ResponseWriter, r *http.Request) {
			mints++
			answer(200, "", fmt.Sprintf(`{"token":"tid=%d","refresh_in":1500,"endpoints":{"api":%q}}`, mints, f.URL))(w, r)
		})
		status, text, _ := strings.Cut(refusal, " ")
		code := map[string]int{"400": 400, "401": 401}[status]
		asMinted := 0
		f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Authorization"), "tid=") {
				answer(401, "", "no")(w, r)
				return
			}
			asMinted++
			answer(code, "", text)(w, r)
		})
		if err := calls["Messages"].call(t.Context(), f.client(t), nil); KindOf(err) != KindAuth {
			t.Errorf("%s: got %v", refusal, err)
		}
		if asMinted != want || mints != 1 {
			t.Errorf("%s: sent %d times with a minted token, minted %d", refusal, asMinted, mints)
		}
	}
}

// A minted token that worked and is refused from some time on is renewed once; then direct use is tried again.
func TestMintedTokenStopsWorking(t *testing.T) {
	s, n := newSim(t, sim.Account{OnlyMinted: true}), 0
	if err := s.ask(t.Context(), modelInUse); err != nil {
		t.Fatal(err)
	}
	refuse := script.Fault{Kind: script.FaultStatus, Status: 401, Times: 2}
	if err := s.Inject(refuse); err != nil {
		t.Fatal(err)
	}
	s.since(&n)
	if err := s.ask(t.Context(), modelInUse); KindOf(err) != KindAuth {
		t.Errorf("got %v", err)
	}
	s.SetAccount(sim.Account{})
	if err := s.ask(t.Context(), modelInUse); err != nil {
		t.Errorf("direct use: %v", err)
	}
	s.expect(t, &n, "/user Bearer 200", "/v1/messages Bearer 401", "/v2/token token 200", "/v1/messages Bearer 401",
		"/v1/messages Bearer 200")
	all := s.Requests()
	if last := all[len(all)-1]; last.Header.Get("Authorization") != "Bearer "+testToken {
		t.Error("the last request did not go with the GitHub token")
	}
}

// A minted token that comes back in an answer is masked like the GitHub token.
func TestNoErrorHoldsAMintedToken(t *testing.T) {
	const minted = "tid=1;exp=2:SecretMac"
	f := newFake(t)
	f.on(pathMint, answer(200, "", fmt.Sprintf(`{"token":%q,"refresh_in":1500,"endpoints":{"api":%q}}`, minted, f.URL)))
	for _, status := range []int{400, 401, 403, 500} {
		f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
			_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			if token == testToken {
				status = 401
			}
			w.Header().Set("X-Request-Id", token)
			answer(status, "", token)(w, r)
		})
		err := calls["Messages"].call(t.Context(), f.client(t), nil)
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Fatalf("got %v", err)
		}
		if all := fmt.Sprintf("%v %+v %s %v", err, *e, e.Envelope, e.Header); strings.Contains(all, "SecretMac") ||
			strings.Contains(all, testToken) {
			t.Errorf("%d: a token is in %s", status, all)
		}
	}
	if len(f.got(pathMint)) == 0 {
		t.Error("nothing was minted")
	}
}
