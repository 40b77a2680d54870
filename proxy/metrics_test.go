package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMetrics(t *testing.T) {
	f := play(hello...)
	f.onMessage = whole(wholeAnswer).onMessage
	r := newRig(t, f)
	r.do("POST", "/v1/messages", streamBody)
	r.do("POST", "/v1/messages", wholeBody)
	r.do("POST", "/v1/messages", "{")
	r.do("GET", "/nowhere/at/all", "")
	r.do("GET", "/v1/models/x", "")
	r.do("GET", "/v1/models", "", "Authorization", "Bearer wrong.s1")
	r.do("GET", "/", "", "Host", "evil.example")
	r.settle()
	got := r.do("GET", "/metrics", "")
	if got.status != 200 || got.header.Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		`parley_proxy_requests_total{route="/v1/messages",status="200",model="claude-opus-4.6"} 2`,
		`parley_proxy_requests_total{route="/v1/messages",status="400",model=""} 1`,
		`parley_proxy_requests_total{route="/v1/models/{id}",status="404",model=""} 1`,
		`parley_proxy_requests_total{route="other",status="404",model=""} 1`,
		`parley_proxy_errors_total{kind="invalid_request_error"} 1`,
		`parley_proxy_refused_total{reason="bearer"} 1`,
		`parley_proxy_refused_total{reason="origin"} 1`,
		`parley_proxy_events_total 6`,
		`parley_proxy_events_joined_total 0`,
		fmt.Sprintf(`parley_proxy_request_bytes_total %d`, len(streamBody)+len(wholeBody)+1),
		`parley_proxy_tokens_total{kind="input"} 14`,
		`parley_proxy_tokens_total{kind="cache_creation"} 2`,
		`parley_proxy_ai_credits_total 0.123456831`,
		`parley_proxy_requests_in_flight 1`,
		`parley_proxy_sessions 1`,
		`parley_proxy_request_duration_seconds_bucket{le="+Inf"} 3`,
		`parley_proxy_request_duration_seconds_count 3`,
		`parley_proxy_first_event_seconds_count 1`,
	} {
		if !strings.Contains(got.body, want+"\n") {
			t.Errorf("%s is missing", want)
		}
	}
	// Every line is a comment or a sample of a family that was announced.
	line := regexp.MustCompile(`^([a-z_]+?)(_bucket|_sum|_count)?(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? [0-9.e+-]+$`)
	family := ""
	for l := range strings.Lines(got.body) {
		l = strings.TrimSuffix(l, "\n")
		if rest, ok := strings.CutPrefix(l, "# TYPE "); ok {
			family, _, _ = strings.Cut(rest, " ")
			continue
		}
		if m := line.FindStringSubmatch(l); !strings.HasPrefix(l, "# HELP ") && (m == nil || !strings.HasPrefix(l, family)) {
			t.Errorf("%q does not belong here", l)
		}
	}
	if got := r.do("GET", "/metrics", "", "Authorization", ""); got.status != 401 {
		t.Errorf("without a bearer: %d", got.status)
	}
	if got := r.do("POST", "/metrics", ""); got.status != 405 {
		t.Errorf("POST: %d", got.status)
	}
}

// A client that asks for ever new models, or what a label may not contain, does no harm.
func TestMetricsAreBounded(t *testing.T) {
	m := newMetrics()
	for i := range 10 * maxModels {
		m.finish(&Exchange{Path: "/v1/messages", Upstream: fmt.Sprintf("m%d", i), Status: 200, Duration: time.Hour})
	}
	m.finish(&Exchange{Path: "/v1/messages", Err: "a\"b\\c\nd", Repairs: []string{"one", "one", "two"}, Duration: time.Millisecond})
	text := string(m.write(gauges{}))
	if n := strings.Count(text, "\nparley_proxy_requests_total{"); n != maxModels+2 {
		t.Errorf("%d kinds of requests", n)
	}
	for _, want := range []string{`model="other"} 900`, `{kind="a\"b\\c\nd"} 1`, `{rule="one"} 2`,
		`_duration_seconds_bucket{le="0.001"} 1`, `_duration_seconds_bucket{le="600"} 1`, `_duration_seconds_bucket{le="+Inf"} 1001`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// The access log has a line for every request, and nothing in it that is not everybody's.
func TestAccessLog(t *testing.T) {
	var log lockedBuffer
	f := play(hello...)
	r := newRig(t, f, func(o *Options) { o.AccessLog = &log })
	header := []string{"Anthropic-Beta", "very-private-header"}
	r.do("POST", "/v1/messages?key=private-query", strings.Replace(streamBody, "hi", "private-body", 1), header...)
	r.do("GET", "/v1/models", "", "Authorization", "Bearer wrong.s1")
	r.do("GET", "/"+strings.Repeat("x", 1000), "")
	r.settle()
	var lines []map[string]any
	for l := range strings.Lines(log.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		lines = append(lines, m)
	}
	if len(lines) != 3 {
		t.Fatalf("%d lines:\n%s", len(lines), log.String())
	}
	first := lines[0]
	for _, key := range []string{"time", "duration_ms", "first_event_ms"} {
		if _, ok := first[key]; !ok {
			t.Errorf("%s is missing", key)
		}
		delete(first, key)
	}
	want := map[string]any{"session": "s1", "method": "POST", "path": "/v1/messages", "status": 200.0, "model": "claude-opus-4-6",
		"upstream_model": "claude-opus-4.6", "stream": true, "initiator": "user", "bytes_in": float64(len(streamBody) + 10),
		"bytes_out": float64(len(helloOut)), "events": 6.0, "input_tokens": 11.0, "output_tokens": 7.0, "cache_read_tokens": 5.0,
		"cache_creation_tokens": 2.0, "nano_aiu": 123456789.0, "repairs": []any{"betas"}}
	if d := cmp.Diff(want, first); d != "" {
		t.Error(d)
	}
	if lines[1]["error"] != "bearer" || lines[1]["status"] != 401.0 || lines[1]["session"] != nil {
		t.Errorf("%v", lines[1])
	}
	if p, _ := lines[2]["path"].(string); len(p) > maxLoggedPath+10 {
		t.Errorf("a path of %d bytes", len(p))
	}
	secret, _, _ := strings.Cut(r.bearer, ".")
	for _, private := range []string{secret, "private"} {
		if strings.Contains(log.String(), private) || strings.Contains(r.logs.String(), private) {
			t.Errorf("%q is in a log", private)
		}
	}
}

// Bearers of the configuration work from the start on, with the secret given or in a file.
func TestNamedBearers(t *testing.T) {
	secret := strings.Repeat("s3cret", 6)
	dir := t.TempDir()
	file := filepath.Join(dir, "bearer")
	bearers := []Bearer{{Name: "laptop", Secret: secret}, {Name: "ci", File: file}}
	var tokens []string
	for range 2 { // the file is made by the first start and read by the second
		s, err := start(Options{Bearers: bearers}, whole(wholeAnswer), newClock(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		r := &rig{Server: s, t: t, client: s.testClient(t)}
		for _, b := range bearers {
			token, err := b.Token()
			if err != nil {
				t.Fatal(err)
			}
			tokens = append(tokens, token)
			if got := r.do("POST", "/v1/messages", wholeBody, "Authorization", "Bearer "+token); got.status != 200 {
				t.Errorf("%s: %+v", b.Name, got)
			}
			if got := r.do("GET", "/v1/models", "", "Authorization", "Bearer x"+token); got.status != 401 {
				t.Errorf("%s with a wrong secret: %+v", b.Name, got)
			}
		}
		if s.Spent("laptop").Requests != 1 {
			t.Errorf("%+v", s.Spent("laptop"))
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if tokens[0] != secret+".laptop" || tokens[1] != tokens[3] || len(tokens[1]) != secretLen+len(".ci") {
		t.Error("the bearers are not what they should be")
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info.Mode(), err)
	}
}

func TestNamedBearersThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := strings.Repeat("x", minSecret)
	cases := []Bearer{
		{Name: "a"}, {Name: "", Secret: good}, {Name: "a b", Secret: good}, {Name: "a", Secret: good[1:]},
		{Name: "a", Secret: good + "."}, {Name: "a", Secret: good + "\n"}, {Name: "a", Secret: good + "é"},
		{Name: "a", File: filepath.Join(dir, "none", "file")}, {Name: "a", File: dir},
		{Name: "a", File: write("short", "abc", 0o600)}, {Name: "a", File: write("long", strings.Repeat("x", 5000), 0o600)},
	}
	if runtime.GOOS != "windows" {
		cases = append(cases, Bearer{Name: "a", File: write("open", good, 0o644)})
	}
	for _, b := range cases {
		s, err := start(Options{Bearers: []Bearer{b}}, &fake{}, newClock(0, 0))
		if err == nil {
			t.Errorf("%+v was taken", b)
			_ = s.Close(t.Context())
			continue
		}
		if b.Secret != "" && bytes.Contains([]byte(err.Error()), []byte(b.Secret)) {
			t.Errorf("the secret is in %q", err)
		}
	}
}
