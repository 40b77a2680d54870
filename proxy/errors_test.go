package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"parley/copilot"
	"parley/internal/jsonedit"
)

// What an error without words of the service becomes: by its status, or else by its kind.
func TestFromUpstream(t *testing.T) {
	tests := []struct {
		status  int
		kind    copilot.Kind
		want    int
		errType string
		retry   bool
	}{
		{400, copilot.KindBadRequest, 400, "invalid_request_error", false},
		{401, copilot.KindAuth, 401, "authentication_error", false},
		{402, copilot.KindQuota, 402, "billing_error", false},
		{403, copilot.KindForbidden, 403, "permission_error", false},
		{404, copilot.KindModel, 404, "not_found_error", false},
		{408, copilot.KindStalled, 408, "timeout_error", true},
		{413, copilot.KindTooLong, 413, "request_too_large", false},
		{421, copilot.KindMisrouted, 421, "permission_error", false},
		{422, copilot.KindBadRequest, 422, "invalid_request_error", false},
		{429, copilot.KindRateLimit, 429, "rate_limit_error", true},
		{500, copilot.KindServer, 500, "api_error", true},
		{503, copilot.KindOverloaded, 503, "overloaded_error", true},
		{529, copilot.KindOverloaded, 529, "overloaded_error", true},
		{copilot.StatusStreamError, copilot.KindTooLong, 400, "invalid_request_error", false},
		{copilot.StatusStreamError, copilot.KindServer, 502, "api_error", true},
		{200, copilot.KindProtocol, 502, "api_error", true},
		{302, copilot.KindProtocol, 502, "api_error", true},
		{0, copilot.KindAuth, 401, "authentication_error", false},
		{0, copilot.KindForbidden, 403, "permission_error", false},
		{0, copilot.KindQuota, 402, "billing_error", false},
		{0, copilot.KindRateLimit, 429, "rate_limit_error", true},
		{0, copilot.KindOverloaded, 529, "overloaded_error", true},
		{0, copilot.KindBadRequest, 400, "invalid_request_error", false},
		{0, copilot.KindTooLong, 400, "invalid_request_error", false},
		{0, copilot.KindModel, 404, "not_found_error", false},
		{0, copilot.KindMisrouted, 421, "permission_error", false},
		{0, copilot.KindServer, 502, "api_error", true},
		{0, copilot.KindNetwork, 502, "api_error", true},
		{0, copilot.KindStalled, 504, "timeout_error", true},
		{0, copilot.KindProtocol, 502, "api_error", true},
		{0, "", 502, "api_error", true},
	}
	for _, test := range tests {
		err := fmt.Errorf("wrapped: %w", &copilot.Error{Op: "stream messages", Kind: test.kind, Status: test.status, Err: errors.New("the cause")})
		f := fromUpstream(err)
		errType, _ := envelopeOf(t, string(f.envelope))
		retry := canRetry(f.status) && !f.final
		if f.status != test.want || errType != test.errType || f.kind != string(test.kind) || retry != test.retry {
			t.Errorf("%d %s: %d %s %s, retry %v", test.status, test.kind, f.status, errType, f.kind, retry)
		}
	}
}

// Of a request that got lost programs can read the cause without the words around it.
func TestLostRequestsSayTheirCause(t *testing.T) {
	for want, e := range map[string]copilot.Error{
		`{"kind":"network","cause":"no such host"}`:                                 {Kind: copilot.KindNetwork, Err: errors.New("no such host")},
		`{"kind":"network","cause":"it was closed before the answer was complete"}`: {Kind: copilot.KindNetwork, Err: io.ErrUnexpectedEOF},
		"": {Kind: copilot.KindServer, Status: 500, Envelope: envelope("api_error", "x"), Err: errors.New("cause")},
	} {
		var got struct {
			Error struct{ Details json.RawMessage }
		}
		if err := json.Unmarshal(fromUpstream(&e).envelope, &got); err != nil || string(got.Error.Details) != want {
			t.Errorf("%s %v, want %s", got.Error.Details, err, want)
		}
	}
}

func TestEnvelope(t *testing.T) {
	want := `{"type":"error","error":{"type":"api_error","message":"a \"b\"\n"},"request_id":null}`
	if got := string(envelope("api_error", "a \"b\"\n")); got != want {
		t.Errorf("%s", got)
	}
}

// The words at which Anthropic's TypeScript SDK goes on without a conversation held by the server.
func TestThreadsAreRefusedSoThatClientsUnderstand(t *testing.T) {
	f := &fake{}
	r := newRig(t, f)
	got := r.do("POST", "/v1/messages?beta=true", `{"model":"claude-opus-4-6","messages":[],"thread":{"type":"create"}}`)
	var e struct {
		Error struct {
			Type    string
			Details struct {
				Code        string `json:"error_code"`
				Unsupported []string
			}
		}
	}
	if err := json.Unmarshal([]byte(got.body), &e); err != nil {
		t.Fatal(err)
	}
	if got.status != 400 || e.Error.Type != "invalid_request_error" || e.Error.Details.Code != "thread_unsupported_request" ||
		len(e.Error.Details.Unsupported) != 1 {
		t.Errorf("%+v", got)
	}
	if messages, _ := f.calls(); messages != 0 {
		t.Error("the service was asked")
	}
}

// A client that would wait in silence for minutes, and try in vain, is told not to.
func TestRetriesThatCannotHelp(t *testing.T) {
	for _, test := range []struct {
		e     copilot.Error
		retry bool
	}{
		{copilot.Error{Kind: copilot.KindQuota, Status: 429, Code: "quota_exceeded"}, false},
		{copilot.Error{Kind: copilot.KindRateLimit, Status: 429, Code: "rate_limited"}, true},
		{copilot.Error{Kind: copilot.KindRateLimit, Status: 429, Code: "rate_limited", RetryAfter: 30 * time.Second}, true},
		{copilot.Error{Kind: copilot.KindRateLimit, Status: 429, Code: "rate_limited", RetryAfter: time.Hour}, false},
		{copilot.Error{Kind: copilot.KindRateLimit, Status: 429, Code: "user_weekly_rate_limited"}, false},
		{copilot.Error{Kind: copilot.KindForbidden, Status: 502}, false},
		{copilot.Error{Kind: copilot.KindOverloaded, Status: 529}, true},
		{copilot.Error{Kind: copilot.KindStalled, Err: errors.New("dial tcp: i/o timeout")}, true},
	} {
		w := httptest.NewRecorder()
		fromUpstream(&test.e).write(w)
		if retry := w.Header().Get("X-Should-Retry") != "false"; retry != test.retry {
			t.Errorf("%s %s after %v: retry %v", test.e.Kind, test.e.Code, test.e.RetryAfter, retry)
		}
	}
}

// Claude Code shortens the conversation by itself when it reads these words, and takes the numbers from them.
func TestPromptIsTooLong(t *testing.T) {
	own := func(errType, message string) string {
		return `{"type":"error","error":{"message":` + jsonedit.Quote(message) + `, "type":"` + errType + `"},"request_id":"r"}`
	}
	for _, test := range []struct{ said, want string }{
		{"prompt token count of 140000 exceeds the limit of 128000", "prompt is too long: 140000 tokens > 128000 maximum"},
		{"Prompt token count of 1,400,000 exceeds the limit of 936,000.", "prompt is too long: 1400000 tokens > 936000 maximum"},
		{"This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. Please reduce",
			"prompt is too long: 130001 tokens > 128000 maximum"},
		{"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
			"prompt is too long: 1200000 tokens > 1048576 maximum"},
		{"the model's window is full", "prompt is too long"},
	} {
		e := &copilot.Error{Kind: copilot.KindTooLong, Status: 400, Envelope: []byte(own("api_error", test.said))}
		f := fromUpstream(e)
		want := own("invalid_request_error", test.want+" ("+test.said+")")
		if got := string(f.envelope); got != want || f.status != 400 || !f.final {
			t.Errorf("%d %s\nwant %s", f.status, got, want)
		}
	}
	// What is understood already, and what is about bytes, stays as it is.
	for _, envelope := range []string{
		own("invalid_request_error", "prompt is too long: 2 tokens > 1 maximum"),
		own("invalid_request_error", "input length and `max_tokens` exceed context limit: 1 + 2 > 2"),
		own("request_too_large", "Request exceeds the maximum size"),
	} {
		f := fromUpstream(&copilot.Error{Kind: copilot.KindTooLong, Status: 413, Envelope: []byte(envelope)})
		if string(f.envelope) != envelope {
			t.Errorf("%s", f.envelope)
		}
	}
}
