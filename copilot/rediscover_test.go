package copilot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// After 401, 403 or 421 every call discovers the endpoint again and sends the request once more.
func TestOneRetryAfterRediscovery(t *testing.T) {
	for _, status := range []int{401, 403, 421} {
		for name, call := range calls {
			t.Run(fmt.Sprint(status, name), func(t *testing.T) {
				old, moved := newFake(t), newFake(t)
				for _, f := range []*fake{old, moved} {
					f.on(call.path, answer(status, "text/plain", "no "+testToken))
				}
				old.on(pathUser, inTurn(
					answer(200, "", fmt.Sprintf(`{"endpoints":{"api":%q}}`, old.URL)),
					answer(200, "", fmt.Sprintf(`{"endpoints":{"api":%q}}`, moved.URL))))
				c := old.client(t)
				err := call.call(t.Context(), c, nil)
				if e, ok := errors.AsType[*Error](err); !ok || e.Status != status || strings.Contains(e.Error(), testToken) {
					t.Errorf("got %v", err)
				}
				if a, b, d := len(old.got(call.path)), len(moved.got(call.path)), len(old.got(pathUser)); a != 1 || b != 1 || d != 2 {
					t.Errorf("%d requests at the old endpoint, %d at the new one, %d discoveries", a, b, d)
				}
				moved.on(call.path, good)
				if err := call.call(t.Context(), c, nil); err != nil {
					t.Errorf("after the move: %v", err)
				}
				first, second := moved.got(call.path)[0], moved.got(call.path)[1]
				if string(first.body) != string(second.body) {
					t.Error("the second body differs")
				}
				if id := first.header.Get("X-Request-Id"); name != "Models" &&
					(id == "" || id == old.got(call.path)[0].header.Get("X-Request-Id")) {
					t.Error("the second request has the id of the first")
				}
			})
		}
	}
}

func TestOtherStatusesAreNotRetried(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
	}{{400, ""}, {402, ""}, {404, ""}, {408, ""}, {429, ""}, {500, ""}, {502, ""}, {503, ""}, {529, ""},
		{403, `{"error":{"message":"m","code":"rate_limited"}}`}, {403, `{"error":{"message":"m","code":"quota_exceeded"}}`}} {
		for name, call := range calls {
			f := newFake(t)
			f.on(call.path, answer(tt.status, "", tt.body))
			err := call.call(t.Context(), f.client(t), nil)
			if e, ok := errors.AsType[*Error](err); !ok || e.Status != tt.status {
				t.Errorf("%s %d: got %v", name, tt.status, err)
			}
			if len(f.got(call.path)) != 1 || len(f.got(pathUser)) != 1 {
				t.Errorf("%s %d was tried again", name, tt.status)
			}
		}
	}
}

func TestFailedRediscoveryKeepsTheAnswer(t *testing.T) {
	f := newFake(t)
	f.on(pathUser, inTurn(answer(200, "", fmt.Sprintf(`{"endpoints":{"api":%q}}`, f.URL)), answer(503, "", "down")))
	f.on(pathMessages, answer(403, "", `{"message":"the policy says no"}`))
	err := calls["Messages"].call(t.Context(), f.client(t), nil)
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Status != 403 || e.Op != opMessage {
		t.Fatalf("got %v", err)
	}
	if cause, ok := errors.AsType[*Error](e.Err); !ok || cause.Op != opDiscover || cause.Status != 503 {
		t.Errorf("the cause is %v", e.Err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	foreign := newFake(t)
	for _, path := range []string{pathUser, pathModels, pathMessages} {
		for _, status := range []int{301, 302, 307, 308} {
			f := newFake(t)
			f.on(pathModels, good)
			f.on(pathMessages, good)
			f.on(path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, foreign.URL+path, status) })
			for name, call := range calls {
				if path != pathUser && call.path != path {
					continue
				}
				err := call.call(t.Context(), f.client(t, func(o *Options) { o.HTTP = f.Client() }), nil)
				e, ok := errors.AsType[*Error](err)
				if !ok || e.Kind != KindProtocol || e.Status != status || !strings.Contains(err.Error(), "redirect") {
					t.Errorf("%s %s %d: got %v", name, path, status, err)
				}
			}
		}
	}
	foreign.mu.Lock()
	defer foreign.mu.Unlock()
	if len(foreign.requests) != 0 {
		t.Errorf("the foreign server got %d requests", len(foreign.requests))
	}
}

func TestInvariant11CancelledCallerDoesNotCancelDiscovery(t *testing.T) {
	f := newFake(t)
	arrived, goOn := make(chan struct{}), make(chan struct{})
	f.on(pathUser, func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-goOn
		fmt.Fprintf(w, `{"endpoints":{"api":%q}}`, f.URL)
	})
	f.on(pathMessages, good)
	f.on(pathModels, good)
	c := f.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() { first <- calls["Messages"].call(ctx, c, nil) }()
	await(t, arrived, "discovery")
	cancel()
	if err := await(t, first, "the first caller"); KindOf(err) != KindCancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("the first caller got %v", err)
	}
	rest := make(chan error, len(calls))
	for _, call := range calls {
		go func() { rest <- call.call(t.Context(), c, nil) }()
	}
	close(goOn)
	for range calls {
		if err := await(t, rest, "the others"); err != nil {
			t.Error(err)
		}
	}
	if n := len(f.got(pathUser)); n != 1 {
		t.Errorf("discovered %d times", n)
	}
}

func TestCloseEndsSharedWork(t *testing.T) {
	f := newFake(t)
	arrived := make(chan struct{})
	gone := make(chan struct{})
	f.on(pathUser, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
		close(gone)
	})
	c := f.client(t)
	failed := make(chan error)
	go func() { _, err := c.User(t.Context()); failed <- err }()
	await(t, arrived, "discovery")
	c.Close()
	if err := await(t, failed, "the caller"); KindOf(err) != KindCancelled {
		t.Errorf("got %v", err)
	}
	await(t, gone, "the server to see it")
	for name, call := range calls {
		if err := call.call(t.Context(), c, nil); KindOf(err) != KindCancelled {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

func TestCloseWhileCalled(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, good)
	c := f.client(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				c.Forget()
				if _, err := c.Models(t.Context()); err != nil && KindOf(err) != KindCancelled {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(c.Close)
	wg.Wait()
}
