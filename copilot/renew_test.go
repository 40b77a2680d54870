package copilot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/copilot/login"
)

// rotation is a login whose token is renewed while the client runs.
type rotation struct {
	*fake
	mu    sync.Mutex
	token string // what is found when it is looked for
	stamp string
	err   error
	found atomic.Int64
}

// newRotation makes a service that refuses all tokens but one with 401, at a path.
func newRotation(t *testing.T, path, token string) *rotation {
	r := &rotation{fake: newFake(t), token: testToken, stamp: "1"}
	for _, p := range []string{pathMessages, pathModels, "/models/m/policy"} {
		r.on(p, good)
	}
	next := good
	if path == pathUser {
		next = described(r.URL)
	}
	r.on(path, func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasSuffix(req.Header.Get("Authorization"), " "+token) {
			answer(401, "", "Bad credentials")(w, req)
			return
		}
		next(w, req)
	})
	return r
}

func (r *rotation) set(token, stamp string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.token, r.stamp, r.err = token, stamp, err
}

func (r *rotation) client(t *testing.T, change ...func(*Options)) *Client {
	return r.fake.client(t, append(change, func(o *Options) {
		o.Renew = func(context.Context) (login.Credential, error) {
			r.found.Add(1)
			r.mu.Lock()
			defer r.mu.Unlock()
			return credential(r.token), r.err
		}
		o.LoginStamp = func() string {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.stamp
		}
	})...)
}

// A refused credential is read again, and every call is repeated with the new one, whichever service refused.
func TestRefusedCredentialIsReadAgain(t *testing.T) {
	for _, path := range []string{pathMessages, pathModels, pathUser} {
		for name, call := range calls {
			if path == pathModels && name != "Models" || path == pathMessages && name == "Models" {
				continue
			}
			for _, fixed := range []bool{false, path != pathUser} {
				t.Run(fmt.Sprint(name, path, fixed), func(t *testing.T) {
					r := newRotation(t, path, "gho_new")
					c := r.client(t, func(o *Options) {
						if fixed {
							o.GitHubAPIURL, o.CopilotAPIURL = "", r.URL
						}
					})
					if err := call.call(t.Context(), c, nil); KindOf(err) != KindAuth || r.found.Load() != 1 {
						t.Fatalf("with the same token: %v, found %d times", err, r.found.Load())
					}
					r.set("", "1", errors.New("not signed in"))
					if err := call.call(t.Context(), c, nil); KindOf(err) != KindAuth || c.Credential().Token.Reveal() != testToken {
						t.Fatalf("without a token: %v", err)
					}
					r.set("gho_new", "1", nil)
					if err := call.call(t.Context(), c, nil); err != nil || r.found.Load() != 3 {
						t.Fatalf("with a new token: %v, found %d times", err, r.found.Load())
					}
					if err := call.call(t.Context(), c, nil); err != nil || r.found.Load() != 3 {
						t.Errorf("afterwards: %v, found %d times", err, r.found.Load())
					}
				})
			}
		}
	}
}

// Callers who are refused at the same time share one look for the credential, and one sign-in.
func TestRefusedCallersShareTheNewCredential(t *testing.T) {
	const callers = 20
	r := newRotation(t, pathMessages, "gho_new")
	r.set("gho_new", "1", nil)
	var refused sync.WaitGroup // all are refused before any goes on
	refused.Add(callers)
	r.on(pathMessages, func(w http.ResponseWriter, req *http.Request) {
		if strings.HasSuffix(req.Header.Get("Authorization"), " gho_new") {
			good(w, req)
			return
		}
		refused.Done()
		refused.Wait()
		answer(401, "", "no")(w, req)
	})
	// Where the endpoint is fixed a refusal is final at once: each caller is refused once.
	c := r.client(t, func(o *Options) { o.GitHubAPIURL, o.CopilotAPIURL = "", r.URL })
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := r.found.Load(); n != 1 {
		t.Errorf("found %d times", n)
	}
	if n := len(r.got(pathMessages)); n != 2*callers {
		t.Errorf("%d requests", n)
	}
}

// A caller that leaves does not cancel the look for the credential that another one waits for.
func TestRenewalOutlivesItsCaller(t *testing.T) {
	r := newRotation(t, pathMessages, "gho_new")
	var arrived sync.WaitGroup // both calls are refused before either looks for the credential
	arrived.Add(2)
	r.on(pathMessages, func(w http.ResponseWriter, req *http.Request) {
		if strings.HasSuffix(req.Header.Get("Authorization"), " gho_new") {
			good(w, req)
			return
		}
		arrived.Done()
		arrived.Wait()
		answer(401, "", "no")(w, req)
	})
	looking, goOn := make(chan struct{}), make(chan struct{})
	// Where the endpoint is fixed a refusal is final at once: each caller is refused once.
	c := r.fake.client(t, func(o *Options) {
		o.GitHubAPIURL, o.CopilotAPIURL = "", r.URL
		o.Renew = func(ctx context.Context) (login.Credential, error) {
			close(looking)
			<-goOn
			return credential("gho_new"), ctx.Err()
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- calls["Messages"].call(ctx, c, nil) }()
	go func() { second <- calls["Messages"].call(t.Context(), c, nil) }()
	await(t, looking, "the look")
	cancel()
	if err := await(t, first, "the caller that left"); err == nil {
		t.Error("the caller that left got an answer")
	}
	close(goOn)
	if err := await(t, second, "the other caller"); err != nil {
		t.Error(err)
	}
}

// Once gh's login has changed, the next call is made with the new credential although the old one still works.
func TestChangedLoginIsFollowed(t *testing.T) {
	f := newFake(t)
	f.on(pathMessages, good)
	f.on(pathUser, described(f.URL))
	r := &rotation{fake: f, token: testToken, stamp: "1"}
	clock := newClock()
	c := r.client(t, func(o *Options) { o.Now = clock.now })
	call := func(want string, found int64) {
		t.Helper()
		if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
			t.Fatal(err)
		}
		all := f.got(pathMessages)
		if got := all[len(all)-1].header.Get("Authorization"); got != "Bearer "+want || r.found.Load() != found {
			t.Errorf("sent with %q, found %d times", got, r.found.Load())
		}
		clock.advance(time.Minute)
	}
	call(testToken, 0)
	r.set("gho_new", "1", nil)
	call(testToken, 0) // nothing shows the change
	r.set("gho_new", "2", nil)
	call("gho_new", 1)
	call("gho_new", 1)
	r.set("", "3", errors.New("signed out"))
	call("gho_new", 2) // the service decides about the old one
	r.set("gho_new", "4", nil)
	call("gho_new", 3)
}

// Closing the client ends a look that runs, and none begins afterwards.
func TestCloseEndsTheRenewal(t *testing.T) {
	r := newRotation(t, pathMessages, "gho_new")
	looking := make(chan struct{})
	c := r.fake.client(t, func(o *Options) {
		o.Renew = func(ctx context.Context) (login.Credential, error) {
			close(looking)
			<-ctx.Done()
			return login.Credential{}, ctx.Err()
		}
	})
	failed := make(chan error, 1)
	go func() { failed <- calls["Messages"].call(t.Context(), c, nil) }()
	await(t, looking, "the look")
	c.Close()
	if err := await(t, failed, "the caller"); err == nil {
		t.Error("the call succeeded")
	}
	_ = calls["Messages"].call(t.Context(), c, nil) // would close looking once more
}
