package proxy

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/copilot"
)

const wholeAnswer = `{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4.6","content":[{"type":"text","text":"Hi \u00e9"}], "stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4,"cache_read_input_tokens":1},"copilot_usage":{"total_nano_aiu":42.0}}`

// whole answers every message with the same body.
func whole(body string) *fake {
	return &fake{onMessage: func(context.Context, copilot.Request) (*copilot.Response, error) {
		return &copilot.Response{Header: http.Header{"X-Request-Id": {"r-7"}, "X-Quota-Snapshot-Chat": {"rem=50"}}, Body: []byte(body)}, nil
	}}
}

// Every method on every route, and the kinds of bodies on the one that takes any.
func TestRoutes(t *testing.T) {
	f := whole(wholeAnswer)
	r := newRig(t, f)
	methods := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}
	routes := map[string]map[string]int{ // by path: what each method gives; others 405
		"/v1/messages":                        {"POST": 200},
		"/v1/messages?beta=true":              {"POST": 200},
		"/v1/messages/count_tokens":           {"POST": 501},
		"/v1/messages/count_tokens?beta=true": {"POST": 501},
		"/v1/models":                          {"GET": 200},
		"/v1/models?beta=true":                {"GET": 200},
		"/v1/models/claude-opus-4-6":          {"GET": 404},
		"/":                                   {"GET": 200, "HEAD": 200, "": 404},
		"//":                                  {"": 404},
		"/v1":                                 {"": 404},
		"/v1/":                                {"": 404},
		"/v1/messages/":                       {"": 404},
		"//v1/messages":                       {"": 404},
		"/v1/messages/batches":                {"": 404},
		"/v1/models/":                         {"": 404},
		"/v1/models/a/b":                      {"": 404},
		"/v1/complete":                        {"": 404},
		"/api/hello":                          {"": 404},
		"/V1/messages":                        {"": 404},
	}
	types := map[int]string{404: "not_found_error", 405: "invalid_request_error", 501: "api_error"}
	for path, want := range routes {
		for _, method := range methods {
			status, ok := want[method]
			if !ok {
				if status, ok = want[""]; !ok {
					status = 405
				}
			}
			got := r.do(method, path, wholeBody)
			if got.status != status {
				t.Errorf("%s %s: %d, want %d", method, path, got.status, status)
			}
			if status == 405 && got.header.Get("Allow") == "" {
				t.Errorf("%s %s: no Allow header", method, path)
			}
			if status >= 400 {
				if got.header.Get("X-Should-Retry") != "false" || got.header.Get("Content-Type") != "application/json" {
					t.Errorf("%s %s: header %v", method, path, got.header)
				}
				if method != "HEAD" {
					if errType, _ := envelopeOf(t, got.body); errType != types[status] {
						t.Errorf("%s %s: error type %s", method, path, errType)
					}
				}
			}
			for name := range got.header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s %s: header %s", method, path, name)
				}
			}
		}
	}
	if messages, _ := f.calls(); messages != 2 {
		t.Errorf("%d requests reached the service, want those of the two good posts", messages)
	}
}

func TestBodies(t *testing.T) {
	f := whole(wholeAnswer)
	r := newRig(t, f, func(o *Options) { o.MaxBody = 4096 })
	bad := []struct {
		body    string
		status  int
		errType string
	}{
		{"", 400, "invalid_request_error"},
		{"not json", 400, "invalid_request_error"},
		{"[]", 400, "invalid_request_error"},
		{"null", 400, "invalid_request_error"},
		{`{"messages":[]}`, 400, "invalid_request_error"},
		{`{"model":"claude-opus-4-6"}`, 400, "invalid_request_error"},
		{`{"model":"claude-opus-4-6","messages":{}}`, 400, "invalid_request_error"},
		{`{"model":"claude-opus-4-6","messages":[]`, 400, "invalid_request_error"},
		{`{"model":"gpt-4o","messages":[]}`, 404, "not_found_error"},
		{`{"model":"claude-opus-4-6","messages":[],"x":"` + strings.Repeat("y", 4096) + `"}`, 413, "request_too_large"},
	}
	for _, test := range bad {
		got := r.do("POST", "/v1/messages?beta=true", test.body)
		if got.status != test.status || got.header.Get("X-Should-Retry") != "false" {
			t.Errorf("%.60s: %d %v", test.body, got.status, got.header)
		}
		if errType, _ := envelopeOf(t, got.body); errType != test.errType {
			t.Errorf("%.60s: %s", test.body, got.body)
		}
		if x := r.settle(); x.Status != test.status || x.Err != test.errType {
			t.Errorf("%.60s: %+v", test.body, x)
		}
	}
	// Without a length, the limit is found while reading.
	req := r.request("POST", "/v1/messages", "")
	req.Body = http.NoBody
	req.ContentLength = -1
	req.Body = readCloser{strings.NewReader(`{"x":"` + strings.Repeat("y", 8192) + `"}`)}
	resp, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 413 {
		t.Errorf("a chunked body beyond the limit: %d", resp.StatusCode)
	}
	c := r.dial()
	c.send("POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:" + r.guard.port + "\r\nAuthorization: Bearer " + r.bearer +
		"\r\nTransfer-Encoding: chunked\r\n\r\nnot a chunk\r\n")
	if got := c.response().StatusCode; got != 400 {
		t.Errorf("a broken chunked body: %d", got)
	}
	if messages, _ := f.calls(); messages != 0 {
		t.Errorf("%d requests reached the service", messages)
	}
	// A body exactly as large as allowed passes.
	fill := 4096 - len(`{"model":"claude-opus-4-6","messages":[],"x":""}`)
	if got := r.do("POST", "/v1/messages", `{"model":"claude-opus-4-6","messages":[],"x":"`+strings.Repeat("y", fill)+`"}`); got.status != 200 {
		t.Errorf("a body of the largest size: %d %s", got.status, got.body)
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// Only what the service must know of the client gets there, and the body differs in the model's name alone.
func TestWhatReachesTheService(t *testing.T) {
	f := whole(wholeAnswer)
	r := newRig(t, f, func(o *Options) { o.UserAgent = "parley/0.1" })
	body := "{\"max_tokens\" : 1.0e1,\n \"stop_sequences\":[1 ,2],\"model\": \"claude-opus-4-6-20260101[1m]\" ,\"messages\":[{\"role\":\"user\",\"content\":\"<\\u00e9\xff>\"}], \"metadata\":{\"user_id\":\"claude-opus-4-6\"}}\n"
	got := r.do("POST", "/v1/messages?beta=true", body,
		"Anthropic-Version", "2023-06-01", "Anthropic-Beta", "claude-code-20250219,interleaved-thinking-2025-05-14",
		"User-Agent", "claude-cli/2.1 (external, cli)", "X-Request-Id", "mine", "X-Custom", "x", "X-Api-Key", "k")
	if got.status != 200 {
		t.Fatal(got)
	}
	req := f.last(t)
	if want := strings.Replace(body, "claude-opus-4-6-20260101[1m]", "claude-opus-4.6", 1); string(req.Body) != want {
		t.Errorf("body\n got %q\nwant %q", req.Body, want)
	}
	want := http.Header{
		"Anthropic-Version": {"2023-06-01"},
		"Anthropic-Beta":    {"interleaved-thinking-2025-05-14"},
		"User-Agent":        {"parley/2.1 (external, cli)"},
		"X-Initiator":       {"user"},
		"X-Interaction-Id":  {interactionID("s1", nil)},
	}
	if d := cmp.Diff(want, req.Header); d != "" {
		t.Error(d)
	}
}

func TestWholeMessage(t *testing.T) {
	for _, body := range []string{wholeBody, strings.Replace(wholeBody, "}]}", `}],"stream":false}`, 1)} {
		r := newRig(t, whole(wholeAnswer))
		got := r.do("POST", "/v1/messages", body)
		if want := strings.Replace(wholeAnswer, "claude-opus-4.6", "claude-opus-4-6", 1); got.status != 200 || got.body != want {
			t.Errorf("%d\n got %s\nwant %s", got.status, got.body, want)
		}
		if got.header.Get("Request-Id") != "r-7" || got.header.Get("X-Quota-Snapshot-Chat") != "rem=50" {
			t.Errorf("header %v", got.header)
		}
		x := r.settle()
		x.Began, x.Duration = x.Began.Truncate(0), 0
		want := Exchange{
			Session: "s1", Method: "POST", Path: "/v1/messages", Model: "claude-opus-4-6", Upstream: "claude-opus-4.6", Initiator: "user",
			Status: 200, Usage: Usage{Input: 3, Output: 4, CacheRead: 1}, NanoAIU: 42, Priced: true,
			Quota: http.Header{"X-Quota-Snapshot-Chat": {"rem=50"}}, RequestID: "r-7", Began: x.Began,
			BytesIn: int64(len(body)), BytesOut: int64(len(wholeAnswer)),
		}
		if d := cmp.Diff(want, x); d != "" {
			t.Error(d)
		}
	}
}

// An id that is not of Claude's form is good if the service lists it for this API, exactly so.
func TestModelsBeyondTheForm(t *testing.T) {
	f := whole(`{"model":"claude-opus-4.8-fast","usage":{}}`)
	f.onModels = func(context.Context) ([]copilot.Model, error) {
		return []copilot.Model{
			{ID: "claude-opus-4.8-fast", Vendor: "Anthropic", Endpoints: []string{"/v1/messages"}},
			{ID: "other-model-1", Vendor: "Other", Endpoints: []string{"/chat/completions", "/v1/messages"}},
			{ID: "gpt-4o", Vendor: "OpenAI", Endpoints: []string{"/chat/completions"}},
		}, nil
	}
	r := newRig(t, f)
	for id, status := range map[string]int{"claude-opus-4.8-fast": 200, "other-model-1": 200, "gpt-4o": 404, "no-such-9": 404} {
		before, _ := f.calls()
		got := r.do("POST", "/v1/messages", fmt.Sprintf(`{"model":%q,"messages":[]}`, id))
		after, _ := f.calls()
		if got.status != status || after-before != map[int]int{200: 1, 404: 0}[status] {
			t.Errorf("%s: %d, %d requests", id, got.status, after-before)
		}
		if status == 200 {
			if !bytes.Contains(f.last(t).Body, []byte(`"`+id+`"`)) || !strings.Contains(got.body, "claude-opus-4.8-fast") {
				t.Errorf("%s: %s, %s", id, f.last(t).Body, got.body)
			}
		}
	}
	f.onModels = func(context.Context) ([]copilot.Model, error) {
		return nil, &copilot.Error{Op: "list models", Kind: copilot.KindNetwork}
	}
	if got := r.do("POST", "/v1/messages", `{"model":"other-model-1","messages":[]}`); got.status != 502 {
		t.Errorf("without a list: %d", got.status)
	}
	if got := r.do("POST", "/v1/messages", wholeBody); got.status != 200 {
		t.Errorf("a Claude id needs the list: %d", got.status)
	}
}

// A mistake in the code below is an answer, not a broken connection.
func TestPanicIsAnAnswer(t *testing.T) {
	f := &fake{onMessage: func(context.Context, copilot.Request) (*copilot.Response, error) { panic("oops secret-of-body") }}
	r := newRig(t, f)
	got := r.do("POST", "/v1/messages", wholeBody)
	if errType, message := envelopeOf(t, got.body); got.status != 500 || errType != "api_error" || strings.Contains(message, "oops") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(r.logs.String(), "panicked") {
		t.Error("not logged")
	}
}

// What is logged names neither bearers nor what was said.
func TestLogsHoldNoSecrets(t *testing.T) {
	f := whole(strings.Replace(wholeAnswer, "Hi ", "ANSWER-WORDS", 1))
	f.onStream = func(context.Context, copilot.Request) (frames, http.Header, error) {
		return nil, nil, &copilot.Error{Op: "stream messages", Kind: copilot.KindAuth, Status: 401}
	}
	r := newRig(t, f)
	body := strings.Replace(wholeBody, "hi", "PROMPT-WORDS", 1)
	r.do("POST", "/v1/messages", body)
	r.do("POST", "/v1/messages", strings.Replace(body, "}]}", `}],"stream":true}`, 1))
	r.do("POST", "/v1/messages", body+"x")
	r.do("GET", "/v1/models?key=QUERY-WORDS", "", "Authorization", "Bearer BAD-SECRET.s1")
	r.settle()
	secret, _, _ := strings.Cut(r.bearer, ".")
	logs := r.logs.String()
	for _, word := range []string{secret, "PROMPT-WORDS", "ANSWER-WORDS", "BAD-SECRET", "QUERY-WORDS", "Bearer"} {
		if strings.Contains(logs, word) {
			t.Errorf("the log has %q:\n%s", word, logs)
		}
	}
	if n := strings.Count(logs, "proxy request"); n != 3 {
		t.Errorf("%d requests logged:\n%s", n, logs)
	}
	if !slices.ContainsFunc(r.exchanges, func(x Exchange) bool { return x.Err == "auth" && x.Status == 401 }) {
		t.Errorf("exchanges %+v", r.exchanges)
	}
}
