package sim

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim/script"
)

func TestStatusFaults(t *testing.T) {
	tests := []struct {
		name    string
		fault   script.Fault
		status  int
		typ     string // Content-Type
		body    string // part of the body
		isJSON  bool
		retry   string
		missing string // a header that must not be there
	}{
		{"401", script.Fault{Status: 401}, 401, typeText, textUnauthorized, false, "", ""},
		{"402 has no Retry-After", script.Fault{Status: 402}, 402, typeJSON, `"code":"quota_exceeded"`, true, "", "Retry-After"},
		{"403", script.Fault{Status: 403}, 403, typeJSON, `{"message":`, true, "", ""},
		{"404", script.Fault{Status: 404}, 404, typeText, "404 page not found", false, "", ""},
		{"408", script.Fault{Status: 408}, 408, typeJSON, "user_request_timeout", true, "", ""},
		{"413", script.Fault{Status: 413}, 413, typeText, "Request Entity Too Large", false, "", ""},
		{"421", script.Fault{Status: 421}, 421, typeText, "Misdirected Request", false, "", ""},
		{"429", script.Fault{Status: 429, RetryAfter: "7"}, 429, typeJSON, `"code":"rate_limited"`, true, "7", ""},
		{"429 with nonsense", script.Fault{Status: 429, RetryAfter: "-9223372036"}, 429, typeJSON, "rate_limited", true, "-9223372036", ""},
		{"466", script.Fault{Status: 466}, 466, typeText, "client version", false, "", ""},
		{"500", script.Fault{Status: 500}, 500, typeText, `"api_error"`, true, "", ""},
		{"503", script.Fault{Status: 503}, 503, typeText, "upstream connect error", false, "", ""},
		{"529", script.Fault{Status: 529}, 529, typeText, `"overloaded_error"`, true, "", ""},
		{"any other", script.Fault{Status: 424}, 424, typeJSON, "simulated status 424", true, "", ""},
		{"shape code", script.Fault{Status: 500, Shape: script.ShapeCode, Code: "c1", Message: "m1"}, 500, typeJSON, `{"error":{"code":"c1","message":"m1"}}`, true, "", ""},
		{"shape message", script.Fault{Status: 500, Shape: script.ShapeMessage, Message: "m2"}, 500, typeJSON, `{"message":"m2"}`, true, "", ""},
		{"shape anthropic", script.Fault{Status: 429, Shape: script.ShapeAnthropic}, 429, typeJSON, `{"type":"error","error":{"type":"rate_limit_error"`, true, "", ""},
		{"shape mislabel", script.Fault{Status: 500, Shape: script.ShapeMislabel}, 500, typeText, `{"type":"error"`, true, "", ""},
		{"shape text", script.Fault{Status: 529, Shape: script.ShapeText, Message: "plain"}, 529, typeText, "plain\n", false, "", ""},
		{"shape empty", script.Fault{Status: 500, Shape: script.ShapeEmpty}, 500, "", "", false, "", "Content-Type"},
		{"verbatim", script.Fault{Status: 500, Body: "<html>"}, 500, typeText, "<html>", false, "", ""},
		{"header", script.Fault{Status: 429, Header: map[string]string{"Retry-After": "1"}}, 429, typeJSON, "rate_limited", true, "1", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, Options{})
			tt.fault.Kind = script.FaultStatus
			if err := s.Inject(tt.fault); err != nil {
				t.Fatal(err)
			}
			r := post(t, s, ask("hi"))
			if r.err != nil || r.status != tt.status || r.header.Get("Content-Type") != tt.typ || !strings.Contains(r.body, tt.body) {
				t.Errorf("got %d %q %q (%v)", r.status, r.header.Get("Content-Type"), r.body, r.err)
			}
			if json.Valid([]byte(r.body)) != tt.isJSON || r.header.Get("Retry-After") != tt.retry {
				t.Errorf("valid JSON %v, Retry-After %q, body %q", !tt.isJSON, r.header.Get("Retry-After"), r.body)
			}
			if _, there := r.header[tt.missing]; there {
				t.Errorf("header %s is there", tt.missing)
			}
			if next := post(t, s, ask("hi")); next.status != 200 {
				t.Errorf("the next request got %d, want 200: a fault applies once", next.status)
			}
		})
	}
}

const twoParts = `
rules:
  - reply:
      - text: "first part, "
      - text: "second part"
`

func TestStreamFaults(t *testing.T) {
	tests := []struct {
		name  string
		fault script.Fault
		check func(t *testing.T, r reply)
	}{
		{"error event after three deltas", script.Fault{Kind: script.FaultErrorEvent, After: 3}, func(t *testing.T, r reply) {
			if r.err != nil || r.text() != "first part, " || !strings.HasSuffix(r.names(), "content_block_delta error") {
				t.Errorf("text %q, events %s, err %v", r.text(), r.names(), r.err)
			}
			if last := r.events[len(r.events)-1]; !strings.Contains(last.data, `"overloaded_error"`) {
				t.Errorf("error event: %s", last.data)
			}
		}},
		{"error event at the very start", script.Fault{Kind: script.FaultErrorEvent, After: -1, Code: "api_error", Message: "m"}, func(t *testing.T, r reply) {
			if r.names() != "message_start error" || !strings.Contains(r.body, `"error":{"type":"api_error","message":"m"}`) {
				t.Errorf("body %s", r.body)
			}
		}},
		{"error event verbatim", script.Fault{Kind: script.FaultErrorEvent, After: 1, Body: `{"error":"plain"}`}, func(t *testing.T, r reply) {
			if !strings.HasSuffix(r.body, "event: error\ndata: {\"error\":\"plain\"}\n\n") {
				t.Errorf("body %s", r.body)
			}
		}},
		{"cut before the header", script.Fault{Kind: script.FaultCut}, func(t *testing.T, r reply) {
			if r.err == nil || r.status != 0 {
				t.Errorf("status %d, err %v", r.status, r.err)
			}
		}},
		{"cut in the middle", script.Fault{Kind: script.FaultCut, After: 2}, func(t *testing.T, r reply) {
			if r.err == nil || r.status != 200 || r.text() != "first pa" {
				t.Errorf("status %d, text %q, err %v", r.status, r.text(), r.err)
			}
		}},
		{"end without message_stop", script.Fault{Kind: script.FaultEnd, After: 2}, func(t *testing.T, r reply) {
			if r.err != nil || r.text() != "first pa" || strings.Contains(r.body, "message_stop") {
				t.Errorf("text %q, err %v", r.text(), r.err)
			}
		}},
		{"malformed frame, then on", script.Fault{Kind: script.FaultMalformed, After: 1}, func(t *testing.T, r reply) {
			broken := 0
			for _, ev := range r.events {
				if !json.Valid([]byte(ev.data)) {
					broken++
				}
			}
			if broken != 1 || r.text() != "first part, second part" {
				t.Errorf("%d broken frames, text %q", broken, r.text())
			}
		}},
		{"unknown event, then on", script.Fault{Kind: script.FaultUnknown, After: 1}, func(t *testing.T, r reply) {
			if !strings.Contains(r.body, "event: sim_unknown\n") || !strings.Contains(r.body, ": a comment\n") ||
				!strings.Contains(r.body, "sim_unknown_delta") || r.text() != "first part, second part" {
				t.Errorf("body %s", r.body)
			}
		}},
		{"junk after message_stop", script.Fault{Kind: script.FaultJunk}, func(t *testing.T, r reply) {
			if _, after, ok := strings.Cut(r.body, "event: message_stop"); !ok || !strings.Contains(after, "after the end") {
				t.Errorf("body %s", r.body)
			}
		}},
		{"wrong content type", script.Fault{Kind: script.FaultContentType, ContentType: "text/html"}, func(t *testing.T, r reply) {
			if r.header.Get("Content-Type") != "text/html" || r.text() != "first part, second part" {
				t.Errorf("content type %q", r.header.Get("Content-Type"))
			}
		}},
		{"later than the reply is long", script.Fault{Kind: script.FaultCut, After: 1000}, func(t *testing.T, r reply) {
			if r.err == nil || r.text() != "first part, second part" || strings.Contains(r.body, "message_stop") {
				t.Errorf("text %q, err %v", r.text(), r.err)
			}
		}},
		{"stall for a while", script.Fault{Kind: script.FaultStall, After: 1, For: time.Hour}, func(t *testing.T, r reply) {
			if r.err != nil || r.text() != "first part, second part" {
				t.Errorf("text %q, err %v", r.text(), r.err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, Options{Script: parseScript(t, twoParts)})
			if err := s.Inject(tt.fault); err != nil {
				t.Fatal(err)
			}
			tt.check(t, post(t, s, ask("hi")))
		})
	}
}

func TestDripSendsByteByByte(t *testing.T) {
	clock := newFakeClock()
	s := start(t, Options{Script: parseScript(t, twoParts), Clock: clock})
	if err := s.Inject(script.Fault{Kind: script.FaultDrip, For: 3 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	r := post(t, s, ask("hi"))
	if r.text() != "first part, second part" {
		t.Errorf("text %q", r.text())
	}
	if len(clock.slept) != len(r.body) || clock.slept[0] != 3*time.Millisecond {
		t.Errorf("slept %d times for %d bytes", len(clock.slept), len(r.body))
	}
}

func TestStallUntilTheClientLeaves(t *testing.T) {
	for name, after := range map[string]int{"before the header": 0, "in the middle": 1} {
		t.Run(name, func(t *testing.T) {
			s := start(t, Options{Script: parseScript(t, twoParts)})
			if err := s.Inject(script.Fault{Kind: script.FaultStall, After: after}); err != nil {
				t.Fatal(err)
			}
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			left := make(chan error, 1)
			go func() {
				resp, err := http.DefaultClient.Do(request(t, s, http.MethodPost, "/v1/messages", ask("hi")).WithContext(ctx))
				if err == nil {
					<-ctx.Done()
					resp.Body.Close()
				}
				left <- err
			}()
			err := s.Wait(t.Context(), func(all []Request) bool { return len(all) == 1 && all[0].Deltas >= after && len(all[0].Faults) == 1 })
			if err != nil {
				t.Fatal(err)
			}
			if all := s.Requests(); all[0].Ended != "" {
				t.Fatalf("ended %q while stalled", all[0].Ended)
			}
			leave()
			<-left
			if err := s.Wait(t.Context(), func(all []Request) bool { return all[0].Ended == EndedClientClosed }); err != nil {
				t.Errorf("%v: %+v", err, s.Requests()[0].Ended)
			}
		})
	}
}

func TestFaultsOnOtherRoutes(t *testing.T) {
	tests := []struct {
		name  string
		fault script.Fault
		check func(t *testing.T, r reply)
	}{
		{"status", script.Fault{Kind: script.FaultStatus, Status: 421}, func(t *testing.T, r reply) {
			if r.status != 421 {
				t.Errorf("status %d", r.status)
			}
		}},
		{"malformed", script.Fault{Kind: script.FaultMalformed}, func(t *testing.T, r reply) {
			if r.status != 200 || json.Valid([]byte(r.body)) {
				t.Errorf("%d %s", r.status, r.body)
			}
		}},
		{"cut before", script.Fault{Kind: script.FaultCut}, func(t *testing.T, r reply) {
			if r.err == nil || r.status != 0 {
				t.Errorf("status %d, err %v", r.status, r.err)
			}
		}},
		{"cut in the middle", script.Fault{Kind: script.FaultCut, After: 1}, func(t *testing.T, r reply) {
			if r.err == nil || r.status != 200 || r.body == "" {
				t.Errorf("status %d, err %v", r.status, r.err)
			}
		}},
		{"stall in the middle", script.Fault{Kind: script.FaultStall, After: 1, For: time.Minute}, func(t *testing.T, r reply) {
			if r.err != nil || r.status != 200 || !json.Valid([]byte(r.body)) {
				t.Errorf("status %d, err %v", r.status, r.err)
			}
		}},
		{"junk", script.Fault{Kind: script.FaultJunk}, func(t *testing.T, r reply) {
			if json.Valid([]byte(r.body)) || !strings.Contains(r.body, "the end") {
				t.Errorf("body %s", r.body)
			}
		}},
		{"unknown field", script.Fault{Kind: script.FaultUnknown}, func(t *testing.T, r reply) {
			if r.object(t)["sim_unknown"] == nil {
				t.Errorf("body %s", r.body)
			}
		}},
		{"content type", script.Fault{Kind: script.FaultContentType}, func(t *testing.T, r reply) {
			if r.header.Get("Content-Type") != "application/octet-stream" {
				t.Errorf("header %v", r.header)
			}
		}},
	}
	for _, path := range []string{"/models", "/copilot_internal/user", "/copilot_internal/v2/token"} {
		for _, tt := range tests {
			t.Run(path+" "+tt.name, func(t *testing.T) {
				s := start(t, Options{})
				tt.fault.Route = path
				if err := s.Inject(tt.fault); err != nil {
					t.Fatal(err)
				}
				tt.check(t, get(t, s, path))
				if r := get(t, s, path); r.status != 200 || !json.Valid([]byte(r.body)) {
					t.Errorf("afterwards: %d %s", r.status, r.body)
				}
			})
		}
	}
}

func TestWholeAnswerFaults(t *testing.T) {
	body := strings.Replace(ask("hi"), `"stream":true`, `"stream":false`, 1)
	tests := []struct {
		name  string
		fault script.Fault
		check func(t *testing.T, r reply)
	}{
		{"error event becomes a status", script.Fault{Kind: script.FaultErrorEvent, After: 2}, func(t *testing.T, r reply) {
			if r.status != 529 || !strings.Contains(r.body, "overloaded_error") {
				t.Errorf("%d %s", r.status, r.body)
			}
		}},
		{"malformed", script.Fault{Kind: script.FaultMalformed, After: 1}, func(t *testing.T, r reply) {
			if r.status != 200 || json.Valid([]byte(r.body)) {
				t.Errorf("%d %s", r.status, r.body)
			}
		}},
		{"cut in the middle", script.Fault{Kind: script.FaultCut, After: 1}, func(t *testing.T, r reply) {
			if r.err == nil {
				t.Errorf("%d %s", r.status, r.body)
			}
		}},
		{"drip", script.Fault{Kind: script.FaultDrip}, func(t *testing.T, r reply) {
			if dig(r.object(t), "content", 0, "text") != "first part, second part" {
				t.Errorf("%s", r.body)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, Options{Script: parseScript(t, twoParts)})
			if err := s.Inject(tt.fault); err != nil {
				t.Fatal(err)
			}
			tt.check(t, post(t, s, body))
		})
	}
}

func TestFaultsSelectRequests(t *testing.T) {
	s := start(t, Options{})
	for _, f := range []script.Fault{
		{Kind: script.FaultStatus, Status: 500, Text: "break me", Skip: 1, Times: 2},
		{Kind: script.FaultStatus, Status: 503, Model: "haiku", Times: -1},
	} {
		if err := s.Inject(f); err != nil {
			t.Fatal(err)
		}
	}
	haiku := strings.Replace(ask("hi"), "sonnet-5", "haiku-4.5", 1)
	steps := []struct {
		body string
		want int
	}{
		{ask("hello"), 200}, {ask("please break me"), 200}, {ask("break me"), 500}, {ask("hello"), 200},
		{ask("break me"), 500}, {ask("break me"), 200}, {haiku, 503}, {haiku, 503}, {haiku, 503},
	}
	for i, st := range steps {
		if r := post(t, s, st.body); r.status != st.want {
			t.Errorf("request %d: got %d, want %d", i+1, r.status, st.want)
		}
	}
	s.ClearFaults()
	if r := post(t, s, haiku); r.status != 200 {
		t.Errorf("after ClearFaults: %d", r.status)
	}
}

func TestInvalidFaults(t *testing.T) {
	s := start(t, Options{})
	for _, f := range []script.Fault{{}, {Kind: "nonsense"}, {Kind: script.FaultStatus, Status: 200}, {Kind: script.FaultStatus, After: 3},
		{Kind: script.FaultCut, Status: 500}, {Kind: script.FaultStatus, Status: 500, Shape: "round"}, {Kind: script.FaultStall, For: -1},
		{Kind: script.FaultCut, After: -2}} {
		if err := s.Inject(f); err == nil {
			t.Errorf("%+v was accepted", f)
		}
	}
	if r := post(t, s, ask("hi")); r.status != 200 {
		t.Errorf("an invalid fault applied: %d", r.status)
	}
}
