package builtin

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

func envelope(kind, message string) string {
	return `{"type":"error","error":{"type":` + quoted(kind) + `,"message":` + quoted(message) + `},"request_id":"req_7"}`
}

// lostEnvelope is what the proxy says when the service did not answer to the end.
func lostEnvelope(kind, cause string) string {
	return `{"type":"error","error":{"type":"api_error","message":"long story","details":{"kind":` + quoted(kind) + `,"cause":` + quoted(cause) + `}}}`
}

// finalEnvelope is lostEnvelope for a request that is of no use to send again.
func finalEnvelope(kind, cause string) string {
	return strings.Replace(lostEnvelope(kind, cause), `}}}`, `,"final":true}}}`, 1)
}

func TestFailures(t *testing.T) {
	tests := map[string]struct {
		reply   reply
		kind    session.Kind
		says    string
		retries int
	}{
		"400":          {fault(400, envelope("invalid_request_error", "tools.0: Extra inputs")), session.KindBadRequest, "Extra inputs", 0},
		"too long":     {fault(400, envelope("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")), session.KindTooLong, "210000", 0},
		"too long 2":   {fault(400, `{"error":{"message":"prompt token count of 9 exceeds the limit of 8","code":"model_max_prompt_tokens_exceeded"}}`), session.KindTooLong, "exceeds", 0},
		"model":        {fault(400, `{"error":{"message":"The requested model is not supported.","code":"model_not_supported"}}`), session.KindModel, "not supported", 0},
		"wrapped":      {fault(400, envelope("api_error", `{"error":{"message":"no such thing","code":"model_not_supported"}}`)), session.KindModel, "no such thing", 0},
		"401":          {fault(401, envelope("authentication_error", "bad credentials")), session.KindAuth, "bad credentials", 0},
		"402":          {fault(402, `{"error":{"message":"You have no quota","code":"quota_exceeded"}}`), session.KindQuota, "no quota", 0},
		"403":          {fault(403, `{"message":"not your seat"}`), session.KindForbidden, "not your seat", 0},
		"404":          {fault(404, "404 page not found"), session.KindModel, "page not found", 0},
		"408":          {fault(408, ""), session.KindStalled, "", 4},
		"413":          {fault(413, ""), session.KindTooLong, "", 0},
		"421":          {fault(421, "Misdirected Request"), session.KindForbidden, "Misdirected", 0},
		"429":          {fault(429, envelope("rate_limit_error", "slow down"), "Retry-After", "7"), session.KindRateLimit, "slow down", 4},
		"429 for days": {fault(429, envelope("rate_limit_error", "weekly limit"), "Retry-After", "187200"), session.KindRateLimit, "weekly limit", 0},
		"500":          {fault(500, "oops"), session.KindServer, "oops", 4},
		"502":          {fault(502, envelope("api_error", "upstream broke")), session.KindServer, "upstream broke", 4},
		"lost":         {fault(502, lostEnvelope("network", "no such host")), session.KindNetwork, "The connection failed: no such host.", 4},
		"silent":       {fault(504, lostEnvelope("stalled", "nothing came")), session.KindStalled, "The service went silent: nothing came.", 4},
		"given up":     {fault(504, finalEnvelope("stalled", "nothing came")), session.KindStalled, "The service went silent: nothing came.", 0},
		"given up on":  {stream(frame("error", `,"error":{"type":"timeout_error","message":"long story","details":{"kind":"stalled","cause":"it stopped","final":true}}`)), session.KindStalled, "The service went silent: it stopped.", 0},
		"made up":      {fault(502, lostEnvelope("disk", "nonsense")), session.KindServer, "long story", 4},
		"529":          {fault(529, envelope("overloaded_error", "busy")), session.KindOverloaded, "busy", 4},
		"lost later":   {stream(frame("error", `,"error":{"type":"api_error","message":"long story","details":{"kind":"network","cause":"cut"}}`)), session.KindNetwork, "The connection failed: cut.", 4},
		"in stream":    {stream(frame("error", `,"error":{"type":"overloaded_error","message":"busy now"}`)), session.KindOverloaded, "busy now", 4},
		"nothing":      {stream(start("m")), session.KindNetwork, "in the middle", 4},
		"noise":        {stream("event: message_start\ndata: {]\n\n"), session.KindNetwork, "", 4},
		"cut":          {cut(), session.KindNetwork, "", 4},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newService(t, test.reply, test.reply, test.reply, test.reply, test.reply)
			ch := openChat(t, s)
			end := ch.send("x")
			if end.Outcome != session.TurnFailed || end.Problem == nil || end.Problem.Kind != test.kind {
				t.Fatalf("%+v %+v", end, end.Problem)
			}
			if !strings.Contains(end.Problem.What, test.says) || strings.Contains(end.Problem.What, "127.0.0.1") {
				t.Error(end.Problem.What)
			}
			if n := len(eventsOf[session.RetryScheduled](ch)); n != test.retries || len(s.requests()) != n+1 {
				t.Errorf("%d retries, %d requests", n, len(s.requests()))
			}
			// The same prompt, sent again, stands there once.
			s.mu.Lock()
			s.replies = nil
			s.mu.Unlock()
			s.add(says("better"))
			if end := ch.send("x"); end.Outcome != session.TurnCompleted {
				t.Errorf("%+v", end)
			}
			all := s.requests()
			if got := s.messages(len(all) - 1); len(got) != 1 || len(got[0].Content) != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestRetriesWaitAndThenGoOn(t *testing.T) {
	s := newService(t, fault(529, ""), fault(429, envelope("rate_limit_error", "slow"), "Retry-After", "30"), fault(500, ""), says("there"))
	ch := openChat(t, s)
	if end := ch.send("x"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	if diff := cmp.Diff([]time.Duration{time.Second, 30 * time.Second, 4 * time.Second}, ch.slept); diff != "" {
		t.Error(diff)
	}
	retries := eventsOf[session.RetryScheduled](ch)
	if len(retries) != 3 || retries[0].Attempt != 2 || retries[2].Attempt != 4 || retries[1].Of != 5 || !strings.Contains(retries[1].Why, "429: slow") {
		t.Errorf("%+v", retries)
	}
}

// An answer that broke off is asked for again. Its words stay until another answer comes, and for good if none does.
func TestFailureAfterWords(t *testing.T) {
	words := start("m") + text(0, "I found")
	for name, r := range map[string]reply{
		"error": stream(words, frame("error", `,"error":{"type":"api_error","message":"sorry"}`)), "cut": cut(words), "end": stream(words),
		"call": stream(start("m"), text(0, "I found"), frame("content_block_start", `,"index":1,"content_block":{"type":"tool_use","id":"c1","name":"Glob","input":{}}`), frame("error", `,"error":{"type":"api_error","message":"sorry"}`)),
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, r, fault(529, ""), fault(529, ""))
			few := func(o *Options, _ *session.OpenOptions) { o.MaxAttempts = 3 }
			ch := openChat(t, s, few)
			end := ch.send("x")
			if end.Outcome != session.TurnFailed || !end.Problem.Retry || len(s.requests()) != 3 {
				t.Fatalf("%+v, %d requests", end, len(s.requests()))
			}
			if got := wordsOf(ch.transcript().Turns[0]); got != "I found" {
				t.Errorf("%q", got)
			}
			s.add(r, says("fine"))
			if end := ch.send("go on"); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v", end)
			}
			checkShape(t, s.messages(3))
			if got := s.messages(3)[1].Content[0].Text; got != "I found" {
				t.Errorf("%q", got)
			}
			if got := wordsOf(ch.transcript().Turns[1]); got != "fine" {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestProblemsSayWhen(t *testing.T) {
	s := newService(t, fault(402, envelope("billing_error", "used up"), "Retry-After", "3600", "X-Request-Id", "r-1"))
	ch := openChat(t, s)
	end := ch.send("x")
	if end.Problem.RetryAt.IsZero() || end.Problem.Status != 402 || end.Problem.RequestID != "r-1" {
		t.Errorf("%+v", end.Problem)
	}
}

func TestLimitsAreToldOnce(t *testing.T) {
	withQuota := func(rem string) reply {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Quota-Snapshot-Chat", "ent=50&rem="+rem)
			says("a")(w, r)
		}
	}
	s := newService(t, withQuota("50"), withQuota("50"), withQuota("49"))
	ch := openChat(t, s)
	for range 3 {
		ch.send("x")
	}
	if got := eventsOf[session.LimitReported](ch); len(got) != 2 || got[1].Quota.Percent != 49 {
		t.Errorf("%+v", got)
	}
}

func TestNoModelIsReportedThatNobodyNamed(t *testing.T) {
	refused := fault(401, envelope("authentication_error", "bad credentials"))
	unknown := func(o *Options, _ *session.OpenOptions) {
		o.Models = func(context.Context) ([]session.Model, error) { return nil, errors.New("refused") }
	}
	for name, tt := range map[string]struct {
		options []chatOption
		want    int
	}{"no models": {[]chatOption{unknown}, 0}, "a chosen one": {[]chatOption{unknown, model("m", "")}, 1}, "models": {nil, 1}} {
		ch := openChat(t, newService(t, refused), tt.options...)
		ch.send("x")
		if got := eventsOf[session.ModelChanged](ch); len(got) != tt.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
