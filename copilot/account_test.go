package copilot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/copilot/login"
)

// described answers discovery with the login "of" the token, at an endpoint.
func described(endpoint string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		fmt.Fprintf(w, `{"login":"of %s","endpoints":{"api":%q}}`, token, endpoint)
	}
}

// credential makes a credential of a token.
func credential(token string) login.Credential {
	return login.Credential{Token: login.NewSecret(token), Source: "test", Host: "github.com"}
}

// loginOf returns the login of the account in use.
func loginOf(t *testing.T, c *Client) string {
	t.Helper()
	u, err := c.User(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return u.Login
}

// Nothing of the old account outlives the new one: not its endpoint, models, scheme, minted token or session.
func TestSignInForgetsTheOldAccount(t *testing.T) {
	f, other := newFake(t), newFake(t)
	f.on(pathUser, func(w http.ResponseWriter, r *http.Request) {
		endpoint := f.URL
		if strings.Contains(r.Header.Get("Authorization"), "gho_new") {
			endpoint = other.URL
		}
		described(endpoint)(w, r)
	})
	for _, e := range []*fake{f, other} {
		e.on(pathModels, good)
		e.on(pathMessages, good)
	}
	f.on(pathMint, answer(200, "", fmt.Sprintf(`{"token":"tid=old","refresh_in":1500,"endpoints":{"api":%q}}`, f.URL)))
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer tid=old" {
			answer(401, "", "no")(w, r)
			return
		}
		good(w, r)
	})
	c := f.client(t)
	use := func() {
		t.Helper()
		for name, call := range calls {
			if err := call.call(t.Context(), c, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	use()
	if err := c.SignIn(t.Context(), credential("gho_new")); err != nil {
		t.Fatal(err)
	}
	if got := loginOf(t, c); got != "of gho_new" || c.Credential().Token.Reveal() != "gho_new" {
		t.Errorf("signed in as %q", got)
	}
	before := len(f.requests)
	use()
	if len(f.requests) != before {
		t.Error("the old endpoint is still used")
	}
	if len(other.got(pathModels)) != 1 || len(other.got(pathMessages)) != 2 {
		t.Errorf("the new endpoint got %d lists, %d messages", len(other.got(pathModels)), len(other.got(pathMessages)))
	}
	for _, r := range append(other.got(pathModels), other.got(pathMessages)...) {
		if r.header.Get("Authorization") != "Bearer gho_new" {
			t.Errorf("%s went to the new endpoint", r.header.Get("Authorization"))
		}
	}
}

// A credential is in use only once GitHub has described its account.
func TestSignInThatFailsChangesNothing(t *testing.T) {
	f := newFake(t)
	f.on(pathUser, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), "gho_bad") {
			answer(401, "", `{"message":"Bad credentials"}`)(w, r)
			return
		}
		described(f.URL)(w, r)
	})
	f.on(pathModels, good)
	c := f.client(t)
	if _, err := c.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.SignIn(t.Context(), credential("gho_bad")); KindOf(err) != KindAuth {
		t.Errorf("got %v", err)
	}
	for _, bad := range []login.Credential{{}, credential("ghp_classic"), {Token: login.NewSecret("gho_x"), Host: "a b"}} {
		if err := c.SignIn(t.Context(), bad); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	if got := loginOf(t, c); got != "of "+testToken {
		t.Errorf("signed in as %q", got)
	}
	if _, err := c.Models(t.Context()); err != nil || len(f.got(pathModels)) != 1 {
		t.Errorf("the list was fetched %d times, %v", len(f.got(pathModels)), err)
	}
}

func TestSignInWithTheSameCredentialKeepsEverything(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, good)
	c := f.client(t)
	if _, err := c.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.SignIn(t.Context(), c.Credential()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Models(t.Context()); err != nil || len(f.got(pathUser)) != 1 || len(f.got(pathModels)) != 1 {
		t.Errorf("discovered %d times, %v", len(f.got(pathUser)), err)
	}
}

// Of two sign-ins the later one counts, however long the discovery of the earlier takes.
func TestSignInIsSuperseded(t *testing.T) {
	f := newFake(t)
	arrived, goOn := make(chan struct{}), make(chan struct{})
	f.on(pathUser, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), "gho_slow") {
			close(arrived)
			<-goOn
		}
		described(f.URL)(w, r)
	})
	c := f.client(t)
	slow := make(chan error, 1)
	go func() { slow <- c.SignIn(t.Context(), credential("gho_slow")) }()
	await(t, arrived, "the first discovery")
	if err := c.SignIn(t.Context(), credential("gho_quick")); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if err := await(t, slow, "the first sign-in"); KindOf(err) != KindCancelled || !errors.Is(err, errReplaced) {
		t.Errorf("got %v", err)
	}
	if got := loginOf(t, c); got != "of gho_quick" {
		t.Errorf("signed in as %q", got)
	}
}

// Reading for the old account ends at once when another takes its place, and its waiting caller gets what is the new one's.
func TestSignInEndsTheReadingOfTheOldAccount(t *testing.T) {
	f := newFake(t)
	arrived, gone := make(chan struct{}), make(chan struct{})
	f.on(pathModels, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("Authorization"), "gho_new") {
			good(w, r)
			return
		}
		close(arrived)
		<-r.Context().Done()
		close(gone)
	})
	c := f.client(t)
	failed := make(chan error, 1)
	go func() { _, err := c.Models(t.Context()); failed <- err }()
	await(t, arrived, "the request")
	if err := c.SignIn(t.Context(), credential("gho_new")); err != nil {
		t.Fatal(err)
	}
	if err := await(t, failed, "the caller"); err != nil {
		t.Errorf("got %v", err)
	}
	await(t, gone, "the server to see it")
}

// A request that waits for what is known of the old account is sent for the new one.
func TestSignInTakesWaitingRequestsAlong(t *testing.T) {
	f := newFake(t)
	arrived := make(chan struct{})
	f.on(pathUser, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), testToken) {
			close(arrived)
			<-r.Context().Done()
			return
		}
		described(f.URL)(w, r)
	})
	f.on(pathMessages, good)
	c := f.client(t)
	done := make(chan error, 1)
	go func() { done <- calls["StreamMessages"].call(t.Context(), c, nil) }()
	await(t, arrived, "discovery")
	if err := c.SignIn(t.Context(), credential("gho_new")); err != nil {
		t.Fatal(err)
	}
	if err := await(t, done, "the request"); err != nil {
		t.Error(err)
	}
	sent := f.got(pathMessages)
	if len(sent) != 1 || sent[0].header.Get("Authorization") != "Bearer gho_new" {
		t.Errorf("sent %v", sent)
	}
}

func TestSignInEndsWithItsContextAndTheClient(t *testing.T) {
	f := newFake(t)
	arrived := make(chan struct{}, 2)
	f.on(pathUser, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	c := f.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- c.SignIn(ctx, credential("gho_new")) }()
	await(t, arrived, "discovery")
	cancel()
	if err := await(t, failed, "the sign-in"); KindOf(err) != KindCancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	f.on(pathUser, described(f.URL))
	c.Close()
	if err := c.SignIn(t.Context(), credential("gho_new")); KindOf(err) != KindCancelled {
		t.Errorf("after Close: %v", err)
	}
	if c.Credential().Token.Reveal() != testToken {
		t.Error("a closed client changed its credential")
	}
}

// A limit on reading lists is obeyed without asking again, and holds back nothing else.
func TestListsWaitOutALimit(t *testing.T) {
	f, clk := newFake(t), newClock()
	limited := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "90")
		answer(429, "", `{"error":{"message":"slow down","code":"user_global_rate_limited"}}`)(w, r)
	}
	f.on(pathModels, inTurn(limited, good))
	f.on(pathMessages, inTurn(limited, good))
	c := f.client(t, func(o *Options) { o.Now = clk.now })
	if err := calls["Messages"].call(t.Context(), c, nil); KindOf(err) != KindRateLimit {
		t.Errorf("got %v", err)
	}
	for i, wait := range []time.Duration{0, 30 * time.Second, 59 * time.Second} {
		clk.advance(wait)
		_, err := c.Models(t.Context())
		e, ok := errors.AsType[*Error](err)
		left := []time.Duration{90 * time.Second, time.Minute, time.Second}[i]
		if !ok || e.Kind != KindRateLimit || e.Status != 429 || e.Code != "user_global_rate_limited" || e.RetryAfter != left ||
			readFault(e.Envelope).typ != "rate_limit_error" {
			t.Errorf("%d: got %v, %v", i, err, e.RetryAfter)
		}
	}
	if n := len(f.got(pathModels)); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
		t.Errorf("a message was held back: %v", err)
	}
	clk.advance(time.Second)
	if _, err := c.Models(t.Context()); err != nil {
		t.Error(err)
	}
	f.on(pathModels, inTurn(limited, good))
	c.Forget()
	if _, err := c.Models(t.Context()); KindOf(err) != KindRateLimit {
		t.Errorf("got %v", err)
	}
	c.Forget() // a caller that forgets wants a new answer
	if _, err := c.Models(t.Context()); err != nil {
		t.Error(err)
	}
}

// A limit of GitHub's REST API says nothing of the Copilot API.
func TestLimitOfDiscoveryIsItsOwn(t *testing.T) {
	f := newFake(t)
	limited := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("Retry-After", "3600")
		answer(403, "", `{"message":"API rate limit exceeded"}`)(w, r)
	}
	f.on(pathUser, inTurn(limited, described(f.URL)))
	f.on(pathModels, good)
	c := f.client(t)
	if _, err := c.Models(t.Context()); KindOf(err) != KindRateLimit {
		t.Errorf("got %v", err)
	}
	if _, err := c.Models(t.Context()); err != nil {
		t.Errorf("the limit of discovery holds back the list: %v", err)
	}
}

// A client is made only of a token that may work.
func TestNewRefusesUselessTokens(t *testing.T) {
	for _, token := range []string{"ghp_classic", "ghr_refresh", "gho_two words", "gho_ü"} {
		if _, err := New(Options{Credential: login.Credential{Token: login.NewSecret(token)}}); err == nil {
			t.Errorf("a client was made of %q", token)
		}
	}
	if _, err := New(Options{}); !errors.Is(err, login.ErrNoToken) {
		t.Errorf("without a token: %v", err)
	}
}
