package copilot

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestQuotaHeaders(t *testing.T) {
	h := http.Header{
		"X-Quota-Snapshot-Premium_interactions": {"ent=1500&ov=2.5&ovPerm=true&rem=-0.4&rst=2026-12-01T00%3A00%3A00Z"},
		"X-Quota-Snapshot-Chat":                 {"ent=-1&ov=0.0&ovPerm=false&rem=100.0&rst=2026-12-01T00:00:00Z", "ignored"},
		"X-Usage-Ratelimit-Session":             {"rem=42"},
		"X-Usage-Ratelimit-Weekly":              {"ent=0&rem=80&rst=soon"},
		"X-Quota-Snapshot-Completions":          {"nonsense"},
		"X-Quota-Snapshot-Broken":               {"ent=a&rem=b"},
		"X-Quota-Snapshot-":                     {"ent=1&rem=1"},
		"X-Quota-Snapshot-Empty":                {},
		"X-Quota-Snapshot-Escaped":              {"%zz"},
		"Content-Type":                          {"text/plain"},
	}
	h.Set("x-usage-ratelimit-daily", "rem=NaN&ent=5") // in whatever case
	reset := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	want := []Snapshot{
		{Name: "chat", Unlimited: true, Percent: 100, Reset: reset},
		{Name: "daily", RateLimit: true, Entitlement: 5},
		{Name: "premium_interactions", Entitlement: 1500, Percent: -0.4, Overage: 2.5, OverageAllowed: true, Reset: reset},
		{Name: "session", RateLimit: true, Percent: 42},
		{Name: "weekly", RateLimit: true, Percent: 80},
	}
	if diff := cmp.Diff(want, QuotaHeaders(h)); diff != "" {
		t.Error(diff)
	}
	if got := QuotaHeaders(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
