package proxy

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUserAgent(t *testing.T) {
	tests := []struct{ in, want string }{
		{"claude-cli/2.1.0 (external, sdk-cli, agent-sdk/0.3)", "parley/2.1.0 (external, sdk-cli, agent-sdk/0.3)"},
		{"Go-http-client/1.1", "parley/1.1"},
		{"curl", "parley"},
		{"curl/", "parley"},
		{"", ""},
	}
	for _, test := range tests {
		if got := userAgent("parley", test.in); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
	}
}

func TestRequestHeaderIsAllThatPasses(t *testing.T) {
	in := http.Header{
		"Authorization":           {"Bearer secret.id"},
		"X-Api-Key":               {"k"},
		"Anthropic-Version":       {"2023-06-01"},
		"Anthropic-Beta":          {"nope-1"},
		"User-Agent":              {"claude-cli/1.2"},
		"X-Request-Id":            {"r"},
		"X-App":                   {"cli"},
		"Cookie":                  {"c"},
		"X-Claude-Code-Session":   {"s"},
		"X-Stainless-Lang":        {"js"},
		"Openai-Intent":           {"x"},
		"Content-Type":            {"application/json"},
		"Accept-Encoding":         {"gzip"},
		"Copilot-Integration-Id":  {"x"},
		"X-Github-Api-Version":    {"x"},
		"Anthropic-Custom":        {"x"},
		"X-Forwarded-For":         {"1.2.3.4"},
		"Anthropic-Dangerous-Xyz": {"true"},
	}
	want := http.Header{"Anthropic-Version": {"2023-06-01"}, "User-Agent": {"parley/1.2"}}
	if d := cmp.Diff(want, requestHeader(in, "parley")); d != "" {
		t.Error(d)
	}
}

func TestPassHeader(t *testing.T) {
	upstream := http.Header{
		"X-Quota-Snapshot-Chat":                 {"ent=-1"},
		"X-Quota-Snapshot-Premium_interactions": {"ent=300&rem=50"},
		"X-Usage-Ratelimit-Session":             {"rem=9"},
		"X-Request-Id":                          {"r-1"},
		"X-Github-Request-Id":                   {"g-1"},
		"Set-Cookie":                            {"a=b"},
		"Server":                                {"x"},
		"Content-Encoding":                      {"gzip"},
		"Content-Length":                        {"12"},
	}
	want := http.Header{
		"X-Quota-Snapshot-Chat":                 {"ent=-1"},
		"X-Quota-Snapshot-Premium_interactions": {"ent=300&rem=50"},
		"X-Usage-Ratelimit-Session":             {"rem=9"},
		"X-Request-Id":                          {"r-1"},
		"X-Github-Request-Id":                   {"g-1"},
		"Request-Id":                            {"r-1"},
	}
	got := http.Header{}
	passHeader(got, upstream)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	upstream.Set("Request-Id", "req_1")
	got = http.Header{}
	passHeader(got, upstream)
	if got.Get("Request-Id") != "req_1" {
		t.Errorf("Request-Id %q", got.Get("Request-Id"))
	}
	passHeader(got, nil)
}
