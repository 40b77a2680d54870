package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"parley/copilot"
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
		{402, copilot.KindQuota, 402, "permission_error", false},
		{403, copilot.KindForbidden, 403, "permission_error", false},
		{404, copilot.KindModel, 404, "not_found_error", false},
		{408, copilot.KindStalled, 408, "invalid_request_error", true},
		{413, copilot.KindTooLong, 413, "request_too_large", false},
		{421, copilot.KindMisrouted, 421, "invalid_request_error", true},
		{422, copilot.KindBadRequest, 422, "invalid_request_error", false},
		{429, copilot.KindRateLimit, 429, "rate_limit_error", true},
		{500, copilot.KindServer, 500, "api_error", true},
		{503, copilot.KindOverloaded, 503, "api_error", true},
		{529, copilot.KindOverloaded, 529, "overloaded_error", true},
		{copilot.StatusStreamError, copilot.KindServer, 502, "api_error", true},
		{200, copilot.KindProtocol, 502, "api_error", true},
		{302, copilot.KindProtocol, 502, "api_error", true},
		{0, copilot.KindAuth, 401, "authentication_error", false},
		{0, copilot.KindForbidden, 403, "permission_error", false},
		{0, copilot.KindQuota, 402, "permission_error", false},
		{0, copilot.KindRateLimit, 429, "rate_limit_error", true},
		{0, copilot.KindOverloaded, 529, "overloaded_error", true},
		{0, copilot.KindBadRequest, 400, "invalid_request_error", false},
		{0, copilot.KindTooLong, 400, "invalid_request_error", false},
		{0, copilot.KindModel, 404, "not_found_error", false},
		{0, copilot.KindMisrouted, 421, "invalid_request_error", true},
		{0, copilot.KindServer, 502, "api_error", true},
		{0, copilot.KindNetwork, 502, "api_error", true},
		{0, copilot.KindStalled, 504, "api_error", true},
		{0, copilot.KindProtocol, 502, "api_error", true},
		{0, "", 502, "api_error", true},
	}
	for _, test := range tests {
		err := fmt.Errorf("wrapped: %w", &copilot.Error{Op: "stream messages", Kind: test.kind, Status: test.status, Err: errors.New("the cause")})
		f := fromUpstream(err)
		errType, _ := envelopeOf(t, string(f.envelope))
		if f.status != test.want || errType != test.errType || f.kind != string(test.kind) || canRetry(f.status) != test.retry {
			t.Errorf("%d %s: %d %s %s, retry %v", test.status, test.kind, f.status, errType, f.kind, canRetry(f.status))
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
