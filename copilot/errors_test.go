package copilot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley/copilot/login"
)

func TestAnswerErrors(t *testing.T) {
	anthropic := `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 2 > 1","x":1},` +
		`"request_id":"req_vrtx_1","more":{}}`
	for _, tt := range []struct {
		name          string
		status        int
		body          string
		kind          Kind
		typ           string // of the envelope
		code, message string
		verbatim      bool
	}{
		{"anthropic", 400, anthropic, KindTooLong, "invalid_request_error", "", "prompt is too long: 2 > 1", true},
		{"anthropic with spaces around", 529, " " + `{"type":"error","error":{"type":"overloaded_error","message":""}}` + "\n",
			KindOverloaded, "overloaded_error", "", "", true},
		{"envelope without inner type", 400, `{"type":"error","error":{"message":"m"}}`, KindBadRequest,
			"invalid_request_error", "", "m", false},
		{"envelope with a number as message", 400, `{"type":"error","error":{"type":"x","message":1}}`, KindBadRequest,
			"invalid_request_error", "", `{"type":"error","error":{"type":"x","message":1}}`, false},
		{"code and message", 400, `{"error":{"message":"The requested model is not supported.","code":"model_not_supported",` +
			`"param":"model","type":"invalid_request_error"}}`, KindModel, "invalid_request_error", "model_not_supported",
			"The requested model is not supported.", false},
		{"wrong endpoint", 400, `{"error":{"message":"m","code":"unsupported_api_for_model"}}`, KindModel,
			"invalid_request_error", "unsupported_api_for_model", "m", false},
		{"too long", 400, `{"error":{"message":"prompt token count of 5 exceeds the limit of 4",` +
			`"code":"model_max_prompt_tokens_exceeded"}}`, KindTooLong, "invalid_request_error",
			"model_max_prompt_tokens_exceeded", "prompt token count of 5 exceeds the limit of 4", false},
		{"badly formatted", 400, "bad request: Authorization header is badly formatted\n", KindAuth, "invalid_request_error", "",
			"bad request: Authorization header is badly formatted", false},
		{"personal token", 400, "Personal Access Tokens are not supported for this endpoint", KindAuth,
			"invalid_request_error", "", "Personal Access Tokens are not supported for this endpoint", false},
		{"plain text", 400, "Bad Request\n", KindBadRequest, "invalid_request_error", "", "Bad Request", false},
		{"message only", 401, `{"message":"unauthorized"}`, KindAuth, "authentication_error", "", "unauthorized", false},
		{"quota", 402, `{"error":{"message":"You have no quota","code":"quota_exceeded"}}`, KindQuota, "billing_error",
			"quota_exceeded", "You have no quota", false},
		{"quota as 429", 429, `{"error":{"message":"m","code":"free_quota_exceeded"}}`, KindQuota, "rate_limit_error",
			"free_quota_exceeded", "m", false},
		{"quota without body", 402, "", KindQuota, "billing_error", "", "", false},
		{"policy", 403, `{"error":{"message":"m","code":"model_policy"}}`, KindForbidden, "permission_error", "model_policy",
			"m", false},
		{"error as text", 403, `{"error":"no"}`, KindForbidden, "permission_error", "", "no", false},
		{"no route", 404, "404 page not found\n", KindBadRequest, "not_found_error", "", "404 page not found", false},
		{"no model", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, KindModel,
			"not_found_error", "", "model: x", true},
		{"request timeout", 408, `{"error":{"message":"m","code":"user_request_timeout"}}`, KindStalled, "timeout_error",
			"user_request_timeout", "m", false},
		{"too large", 413, "", KindTooLong, "request_too_large", "", "", false},
		{"misdirected", 421, "Misdirected Request\n", KindMisrouted, "permission_error", "", "Misdirected Request", false},
		{"filtered", 422, "", KindBadRequest, "invalid_request_error", "", "", false},
		{"rate", 429, `{"error":{"message":"slow","code":"user_weekly_rate_limited"}}`, KindRateLimit, "rate_limit_error",
			"user_weekly_rate_limited", "slow", false},
		{"client too old", 466, "", KindBadRequest, "invalid_request_error", "", "", false},
		{"given up", 499, "", KindServer, "api_error", "", "", false},
		{"web page", 502, "<html><body>" + strings.Repeat("x", 5000), KindServer, "api_error", "", "", false},
		{"unavailable", 503, `{"error":{}}`, KindOverloaded, "overloaded_error", "", `{"error":{}}`, false},
		{"overloaded", 529, "", KindOverloaded, "overloaded_error", "", "", false},
		{"control characters", 500, "a\x1b[31mb\x00", KindServer, "api_error", "", "a [31mb", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-GitHub-Request-Id", "gh-1")
				answer(tt.status, "text/plain; charset=utf-8", tt.body)(w, r)
			})
			_, err := f.client(t).StreamMessages(t.Context(), Request{Body: []byte(emptyBody)})
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			if e.Status != tt.status || e.Kind != tt.kind || e.Code != tt.code || e.Message != tt.message || e.Op != opStream {
				t.Errorf("got %+v", e)
			}
			if tt.verbatim && string(e.Envelope) != strings.TrimSpace(tt.body) {
				t.Errorf("the envelope became %s", e.Envelope)
			}
			got := readFault(e.Envelope)
			if got.envelope == nil || got.typ != tt.typ {
				t.Errorf("the envelope is %s", e.Envelope)
			}
			want := tt.message
			if want == "" && !tt.verbatim {
				want = statusLine(tt.status)
			}
			if e.Err != nil && !tt.verbatim { // what it means and what to do is said as well
				want = strings.TrimPrefix(strings.TrimSuffix(tt.message, ".")+": "+e.Err.Error(), ": ")
			}
			if got.message != want {
				t.Errorf("the envelope says %q, want %q", got.message, want)
			}
			if e.RequestID != "gh-1" || !strings.Contains(err.Error(), "gh-1") || KindOf(fmt.Errorf("x: %w", err)) != tt.kind {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	clk := newClock()
	c := &Client{now: clk.now}
	for _, tt := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "", 0},
		{"Retry-After", "30", 30 * time.Second},
		{"Retry-After", " 1.5 ", 1500 * time.Millisecond},
		{"Retry-After", "0", 0},
		{"Retry-After", "-9223372036", 0},
		{"Retry-After", "9223372036854775807000", maxRetryAfter},
		{"Retry-After", "NaN", 0},
		{"Retry-After", "Inf", maxRetryAfter},
		{"Retry-After", "soon", 0},
		{"Retry-After", "Fri, 20 Nov 2026 12:01:00 GMT", time.Minute},
		{"Retry-After", "Fri, 20 Nov 2026 11:00:00 GMT", 0},
		{"Retry-After", "2026-11-20T12:00:10Z", 10 * time.Second},
		{"Retry-After-Ms", "250", 250 * time.Millisecond},
		{"X-Ratelimit-User-Retry-After", "7", 7 * time.Second},
	} {
		h := http.Header{}
		h.Set(tt.name, tt.value)
		if got := c.retryAfter(h); got != tt.want {
			t.Errorf("%s %q is %v, want %v", tt.name, tt.value, got, tt.want)
		}
	}
}

// An echo of the token by the service never gets out.
func TestNoErrorHoldsTheToken(t *testing.T) {
	f := newFake(t)
	echo := func(status int, format string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
			w.Header().Set("X-Request-Id", token)
			w.Header().Set("Location", "https://h.example/"+token)
			answer(status, "text/plain", fmt.Sprintf(format, token))(w, r)
		}
	}
	for _, status := range []int{302, 400, 401, 403, 429, 500} {
		for _, format := range []string{`%s`, `{"message":%q}`, `{"error":{"message":"m","code":%q}}`,
			`{"type":"error","error":{"type":"api_error","message":%q},"request_id":"a"}`} {
			for _, path := range []string{pathUser, pathModels, pathMessages} {
				f.on(pathUser, answer(200, "", fmt.Sprintf(`{"endpoints":{"api":%q}}`, f.URL)))
				f.on(path, echo(status, format))
				for name, call := range calls {
					if path != pathUser && path != call.path {
						continue
					}
					err := call.call(t.Context(), f.client(t), nil)
					e, ok := errors.AsType[*Error](err)
					if !ok {
						t.Fatalf("%s: got %v", name, err)
					}
					all := fmt.Sprintf("%v %+v %#v %s %q %v", err, *e, *e, e.Envelope, e.Message, e.Header)
					if strings.Contains(all, testToken) {
						t.Errorf("%s %d: the token is in %s", name, status, all)
					}
				}
			}
		}
	}
}

func TestTransportErrorsAreClean(t *testing.T) {
	c := &Client{}
	c.secrets.Add(login.NewSecret(testToken))
	secret := &url.Error{Op: "Get", URL: "https://me:pw@h.example/" + testToken, Err: errors.New("inner " + testToken)}
	for _, err := range []error{
		secret, errors.New(`invalid proxy address "http://me:pw@proxy.example:80": bad`),
		errors.New(`invalid proxy address "me:pw@proxy.example:80": bad`),
		fmt.Errorf("proxy: %w", errors.New("http://:pw@h")),
	} {
		e := c.transportError(t.Context(), opModels, err)
		if text := fmt.Sprintf("%v %+v", e, errors.Unwrap(e)); strings.Contains(text, "pw") || strings.Contains(text, testToken) {
			t.Errorf("%v became %s", err, text)
		}
		if e.Kind != KindNetwork {
			t.Errorf("%v is %s", err, e.Kind)
		}
	}
	plain := errors.New("plain")
	if e := c.transportError(t.Context(), opModels, &url.Error{Err: plain}); !errors.Is(e, plain) {
		t.Errorf("a harmless cause was lost: %v", e)
	}
	if e := c.transportError(t.Context(), opModels, context.DeadlineExceeded); e.Kind != KindStalled {
		t.Errorf("a timeout of the transport is %s", e.Kind)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the user left"))
	if e := c.transportError(ctx, opModels, context.Canceled); e.Kind != KindCancelled || !strings.Contains(e.Error(), "the user left") {
		t.Errorf("got %v", e)
	}
	if KindOf(plain) != "" || KindOf(nil) != "" {
		t.Error("a foreign error has a kind")
	}
}
