package sim

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file under testdata, in which the address of the server is replaced.
func golden(t *testing.T, s *Server, name string, v any) {
	t.Helper()
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(string(data), s.CopilotURL(), "http://SERVER") + "\n"
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and look at the change\n%s", file, got)
	}
}

func TestUser(t *testing.T) {
	s := start(t, Options{})
	golden(t, s, "user.json", get(t, s, "/copilot_internal/user").object(t))
}

func TestModels(t *testing.T) {
	for _, version := range []string{"2025-04-01", "2026-07-01", "2026-08-01"} {
		t.Run(version, func(t *testing.T) {
			s := start(t, Options{})
			r := request(t, s, http.MethodGet, "/models", "")
			r.Header.Set("X-GitHub-Api-Version", version)
			golden(t, s, "models-"+version+".json", do(t, r).object(t))
		})
	}
}

func TestModelListIsWhatItIsFor(t *testing.T) {
	s := start(t, Options{})
	v := get(t, s, "/models").object(t)
	has := map[string]bool{}
	for i := range v["data"].([]any) {
		row := dig(v, "data", i)
		endpoints, _ := dig(row, "supported_endpoints").([]any)
		for _, e := range endpoints {
			has[dig(row, "vendor").(string)+" "+e.(string)] = true
		}
		has[dig(row, "id").(string)] = true
		if endpoints == nil {
			has["a row without endpoints"] = true
		}
		if dig(row, "policy", "state") == "unconfigured" {
			has["open terms"] = true
		}
	}
	for _, want := range []string{"claude-fable-5", "claude-opus-4.8", "claude-opus-4.6", "claude-sonnet-5", "claude-sonnet-4.6",
		"claude-haiku-4.5", "auto", "text-embedding-3-small", "open terms", "a row without endpoints", "Anthropic /v1/messages",
		"Azure OpenAI /responses", "Google /chat/completions"} {
		if !has[want] {
			t.Errorf("the list lacks %s", want)
		}
	}
	if has["Azure OpenAI /v1/messages"] || has["Google /v1/messages"] || has["Anthropic /responses"] {
		t.Error("an endpoint is listed where it does not exist")
	}
}

func TestMintedToken(t *testing.T) {
	clock := newFakeClock()
	s := start(t, Options{Clock: clock})
	v := get(t, s, "/copilot_internal/v2/token").object(t)
	minted := dig(v, "token").(string)
	if !strings.HasPrefix(minted, "tid=") || dig(v, "refresh_in") != 1500.0 || dig(v, "endpoints", "api") != s.CopilotURL() {
		t.Errorf("answer %v", v)
	}
	if until := int64(dig(v, "expires_at").(float64)); until != clock.Now().Add(30*time.Minute).Unix() {
		t.Errorf("expires at %d", until)
	}
	use := func() int {
		r := request(t, s, http.MethodGet, "/models", "")
		r.Header.Set("Authorization", "Bearer "+minted)
		return do(t, r).status
	}
	if got := use(); got != 200 {
		t.Errorf("a fresh token: %d", got)
	}
	_ = clock.Sleep(t.Context(), 31*time.Minute)
	if got := use(); got != 401 {
		t.Errorf("an expired token: %d", got)
	}
	r := request(t, s, http.MethodGet, "/copilot_internal/v2/token", "")
	r.Header.Set("User-Agent", "Go-http-client/1.1")
	if got := do(t, r); got.status != 403 || !strings.Contains(got.body, "go_http_client") {
		t.Errorf("Go's own user agent: %d %s", got.status, got.body)
	}
}

func TestPolicyCanBeAccepted(t *testing.T) {
	s := start(t, Options{})
	body := with(m{"model": "claude-opus-4.7"})
	if r := post(t, s, body); r.status != 400 {
		t.Errorf("with open terms: %d", r.status)
	}
	for _, bad := range []struct {
		path, body string
		want       int
	}{
		{"/models/claude-opus-4.7/policy", `{"state":"maybe"}`, 400},
		{"/models/nothing/policy", `{"state":"enabled"}`, 404},
	} {
		if r := do(t, request(t, s, http.MethodPost, bad.path, bad.body)); r.status != bad.want {
			t.Errorf("%s %s: %d", bad.path, bad.body, r.status)
		}
	}
	if state := dig(get(t, s, "/models/claude-opus-4.7").object(t), "policy", "state"); state != "unconfigured" {
		t.Errorf("before: %v", state)
	}
	if r := do(t, request(t, s, http.MethodPost, "/models/claude-opus-4.7/policy", `{"state":"enabled"}`)); r.status != 200 {
		t.Errorf("accept: %d %s", r.status, r.body)
	}
	if r := post(t, s, body); r.status != 200 {
		t.Errorf("enabled: %d", r.status)
	}
}

func TestQuotaIsUsedUp(t *testing.T) {
	s := start(t, Options{})
	remaining := func() float64 {
		return dig(get(t, s, "/copilot_internal/user").object(t), "quota_snapshots", "premium_interactions", "quota_remaining").(float64)
	}
	before := remaining()
	post(t, s, with(m{"model": "claude-sonnet-4.6"}))
	post(t, s, with(m{"model": "unknown"}))
	if used := before - remaining(); used != 1 {
		t.Errorf("used %v, want 1: refusals cost nothing", used)
	}
}

func TestControl(t *testing.T) {
	s := start(t, Options{})
	control := func(method, path, body string) reply { return do(t, request(t, s, method, "/_sim/"+path, body)) }
	if r := control("POST", "faults", `{"kind":"status","status":429,"retry_after":"9","times":2}`); r.status != 204 {
		t.Fatalf("inject: %d %s", r.status, r.body)
	}
	if r := post(t, s, ask("hi")); r.status != 429 || r.header.Get("Retry-After") != "9" {
		t.Errorf("fault: %d", r.status)
	}
	if r := control("DELETE", "faults", ""); r.status != 204 {
		t.Errorf("clear: %d", r.status)
	}
	if r := control("PUT", "script", "rules: [{reply: [{text: new}, {hold: g}]}]"); r.status != 204 {
		t.Errorf("script: %d %s", r.status, r.body)
	}
	if r := control("POST", "release/g", ""); r.status != 204 {
		t.Errorf("release: %d", r.status)
	}
	if r := post(t, s, ask("hi")); r.text() != "new" {
		t.Errorf("text %q", r.text())
	}
	for _, bad := range []struct{ method, path, body, want string }{
		{"POST", "faults", `{"kind":"x"}`, `unknown fault "x"`},
		{"POST", "faults", `{"kind":"cut","aftr":1}`, "aftr"},
		{"POST", "faults", `{"kind":"stall","for":"soon"}`, "for:"},
		{"POST", "faults", `{"kind":"cut"} {}`, "more than one"},
		{"PUT", "script", "rules: 3", "script:1: rules must be a list"},
	} {
		if r := control(bad.method, bad.path, bad.body); r.status != 400 || !strings.Contains(r.body, bad.want) {
			t.Errorf("%s %s: %d %s", bad.path, bad.body, r.status, r.body)
		}
	}
	if r := control("GET", "nothing", ""); r.status != 404 {
		t.Errorf("unknown: %d", r.status)
	}
	r := control("GET", "requests", "")
	if strings.Contains(r.body, s.Token()) {
		t.Error("the list of requests holds the token")
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(r.body), &list); err != nil || len(list) != 2 || list[0]["status"] != 429.0 ||
		dig(list[1], "header", "Authorization", 0) != "Bearer ***" || list[1]["ended"] != "complete" {
		t.Errorf("%v: %s", err, r.body)
	}
	r2 := request(t, s, http.MethodGet, "/_sim/requests", "")
	r2.Header.Del("Authorization")
	if got := do(t, r2); got.status != 401 {
		t.Errorf("without the token: %d", got.status)
	}
}
