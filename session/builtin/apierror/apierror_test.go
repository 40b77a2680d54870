package apierror

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "1.5": 1500 * time.Millisecond, "-9223372036": 0, "9e99": 24 * time.Hour, "NaN": 0, "soon": 0,
		"Thu, 01 Jan 2026 00:01:00 GMT": time.Minute, "Wed, 31 Dec 2025 00:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {v}}, now); got != want {
			t.Errorf("%q: %v", v, got)
		}
	}
}

func TestQuotas(t *testing.T) {
	reset := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	h := http.Header{}
	h.Set("X-Quota-Snapshot-Premium_interactions", "ent=300&ov=0.0&ovPerm=true&rem=71.5&rst=2026-04-01T00%3A00%3A00Z")
	h.Set("X-Quota-Snapshot-Chat", "ent=-1&ov=0.0&ovPerm=false&rem=100.0&rst=2026-04-01")
	h.Set("X-Quota-Snapshot-Broken", "ent=many")
	want := []session.Quota{{Name: "chat", Unlimited: true, ResetsAt: reset},
		{Name: "premium_interactions", Entitlement: 300, Remaining: 214.5, Percent: 71.5, Overage: true, ResetsAt: reset}}
	if diff := cmp.Diff(want, Quotas(h)); diff != "" {
		t.Error(diff)
	}
}

// The wait doubles with each attempt. One that is too long is left to the user, and so is what no attempt mends.
func TestRetryDelay(t *testing.T) {
	overloaded := &session.Error{Op: "ask", Kind: session.KindOverloaded, Err: errors.New("busy")}
	for attempt, want := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 6: 32 * time.Second, 9: 32 * time.Second} {
		if got, again := RetryDelay(overloaded, attempt); got != want || !again {
			t.Errorf("attempt %d: %s, %t", attempt, got, again)
		}
	}
	if _, again := RetryDelay(&session.Error{Op: "ask", Kind: session.KindBadRequest, Err: errors.New("no")}, 1); again {
		t.Error("a bad request is sent again")
	}
}
