package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parley/copilot/sim/script"
	"parley/copilot/sim/seal"
)

const variedScript = `
rules:
  - name: varied
    reply:
      - think: "let me see"
      - text: "I will look at \"two\" files\tnow"
      - tool: Read
        input: {file_path: "{{dir}}/a", limit: 3, deep: {list: ["{{last_user}}", 1.5, true, null]}}
      - tool: Glob
`

func TestStreamedMessage(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, variedScript)})
	r := post(t, s, with(m{"thinking": m{"type": "adaptive"}, "system": "Working directory: /home/x/proj\nmore"}))
	want := "message_start content_block_start content_block_delta content_block_stop " +
		"content_block_start content_block_delta content_block_stop " +
		"content_block_start content_block_delta content_block_stop " +
		"content_block_start content_block_delta content_block_stop message_delta message_stop"
	if r.names() != want {
		t.Errorf("events: %s", r.names())
	}
	for _, ev := range r.events {
		var typed struct{ Type string }
		if err := json.Unmarshal([]byte(ev.data), &typed); err != nil || typed.Type != ev.name {
			t.Errorf("event %s with data %s", ev.name, ev.data)
		}
	}
	thinking := r.joined("thinking_delta", "thinking")
	if thinking != "let me see" || r.joined("signature_delta", "signature") != seal.Sign(thinking) {
		t.Errorf("thinking %q", thinking)
	}
	if r.text() != "I will look at \"two\" files\tnow" {
		t.Errorf("text %q", r.text())
	}
	if got := r.joined("input_json_delta", "partial_json"); got != `{"deep":{"list":["hi",1.5,true,null]},"file_path":"/home/x/proj/a","limit":3}{}` {
		t.Errorf("tool input %s", got)
	}
	var first, last struct {
		Message struct{ ID, Model string }
		Delta   struct {
			StopReason string `json:"stop_reason"`
		}
		Usage        map[string]any
		CopilotUsage map[string]any `json:"copilot_usage"`
	}
	_ = json.Unmarshal([]byte(r.events[0].data), &first)
	_ = json.Unmarshal([]byte(r.events[len(r.events)-2].data), &last)
	if !strings.HasPrefix(first.Message.ID, "msg_bdrk_") || first.Message.Model != "claude-sonnet-5" {
		t.Errorf("message_start: %+v", first.Message)
	}
	if last.Delta.StopReason != "tool_use" || last.Usage["output_tokens"].(float64) < 10 || last.CopilotUsage["total_nano_aiu"].(float64) <= 0 {
		t.Errorf("message_delta: %+v", last)
	}
	if r.header.Get("Content-Type") != typeSSE || !strings.Contains(r.header.Get("X-Quota-Snapshot-Premium_interactions"), "rem=") {
		t.Errorf("header %v", r.header)
	}
}

func TestWholeMessage(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, variedScript)})
	r := post(t, s, with(m{"stream": false, "model": "claude-opus-4.6", "thinking": m{"type": "adaptive", "display": "omitted"}}))
	v := r.object(t)
	if dig(v, "model") != "claude-opus-4-6" || dig(v, "stop_reason") != "tool_use" || dig(v, "role") != "assistant" {
		t.Errorf("message %v", v)
	}
	if dig(v, "content", 0, "thinking") != "" || dig(v, "content", 0, "signature") != seal.Sign("let me see") {
		t.Errorf("hidden reasoning: %v", dig(v, "content", 0))
	}
	if dig(v, "content", 2, "input", "file_path") != "./a" || dig(v, "content", 3, "name") != "Glob" {
		t.Errorf("tools: %v", dig(v, "content"))
	}
	if dig(v, "copilot_usage", "token_details", 3, "token_type") != "output" {
		t.Errorf("usage: %v", dig(v, "copilot_usage"))
	}
}

func TestNoReasoningUnlessAsked(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, variedScript)})
	for _, thinking := range []any{nil, m{"type": "disabled"}} {
		if r := post(t, s, with(m{"thinking": thinking})); strings.Contains(r.body, "thinking") {
			t.Errorf("reasoning without being asked: %s", r.body)
		}
	}
}

func TestIDsAreUnique(t *testing.T) {
	a := start(t, Options{Script: parseScript(t, variedScript)})
	b := start(t, Options{Script: parseScript(t, variedScript)})
	seen := map[string]bool{}
	for _, s := range []*Server{a, b, a, b} {
		v := post(t, s, with(m{"stream": false})).object(t)
		for _, id := range []any{dig(v, "id"), dig(v, "content", 1, "id"), dig(v, "content", 2, "id")} {
			id := id.(string)
			if seen[id] || !toolID.MatchString(id) {
				t.Errorf("id %q comes twice or has odd characters", id)
			}
			seen[id] = true
		}
	}
}

func TestCacheReadsGrow(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, `rules: [{reply: ok}]`)})
	usageOf := func(list ...any) (input, read, written float64) {
		v := post(t, s, with(m{"stream": false, "messages": list, "system": l{marked(strings.Repeat("system ", 100))}})).object(t)
		u := dig(v, "usage").(map[string]any)
		return u["input_tokens"].(float64), u["cache_read_input_tokens"].(float64), u["cache_creation_input_tokens"].(float64)
	}
	long := strings.Repeat("word ", 400)
	_, read1, written1 := usageOf(user(l{marked(long)}))
	// The mark wanders to the newest message; the beginning is the same.
	input2, read2, written2 := usageOf(user(l{words(long)}), assistant("ok"), user(l{marked("more")}))
	if read1 != 0 || written1 < 600 {
		t.Errorf("first request: read %v, written %v", read1, written1)
	}
	if read2 < 600 || written2 > 100 || written2 == 0 || input2 > 60 {
		t.Errorf("second request: input %v, read %v, written %v", input2, read2, written2)
	}
}

func TestHoldUntilReleased(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, `
rules:
  - reply:
      - text: before
      - hold: gate
      - text: " after"
`)})
	got := make(chan reply, 1)
	go func() { got <- post(t, s, ask("hi")) }()
	if err := s.Wait(t.Context(), func(all []Request) bool { return len(all) == 1 && all[0].Deltas == 2 }); err != nil {
		t.Fatal(err)
	}
	select {
	case r := <-got:
		t.Fatalf("ended while held: %q", r.text())
	default:
	}
	s.Release("gate")
	s.Release("gate") // again does nothing
	if r := <-got; r.text() != "before after" {
		t.Errorf("text %q", r.text())
	}
	if r := post(t, s, ask("hi")); r.text() != "before after" {
		t.Errorf("after the release: %q", r.text())
	}
}

func TestClientLeavesInTheMiddle(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, "rules: [{reply: [{text: before}, {hold: never}]}]")})
	ctx, leave := context.WithCancel(t.Context())
	resp, err := http.DefaultClient.Do(request(t, s, http.MethodPost, "/v1/messages", ask("hi")).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	leave()
	resp.Body.Close()
	if err := s.Wait(t.Context(), func(all []Request) bool { return all[0].Ended != "" }); err != nil {
		t.Fatal(err)
	}
	if r := s.Requests()[0]; r.Ended != EndedClientClosed || r.Status != 200 || r.Sent == 0 {
		t.Errorf("ended %q, status %d, %d bytes", r.Ended, r.Status, r.Sent)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	var log bytes.Buffer
	s, err := Start(Options{Log: &log, Script: parseScript(t, `
rules:
  - when: {prompt: hold}
    reply: [{text: before}, {hold: never}]
  - when: {prompt: slow}
    reply: [{text: "a very slow answer", pace: {chars: 1, rate: 0.001}}]
`)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Inject(script.Fault{Kind: script.FaultStall, Text: "stall"}); err != nil {
		t.Fatal(err)
	}
	prompts := []string{"hold", "slow", "stall"}
	done := make(chan reply, len(prompts))
	for _, p := range prompts {
		go func() { done <- post(t, s, ask(p)) }()
	}
	if err := s.Wait(t.Context(), func(all []Request) bool {
		n := 0
		for _, r := range all {
			if r.Deltas > 0 || len(r.Faults) > 0 {
				n++
			}
		}
		return n == len(prompts)
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	for range prompts {
		if r := <-done; r.err == nil {
			t.Errorf("a reply ended cleanly: %q", r.body)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	for _, r := range s.Requests() {
		if r.Ended != EndedServerClosed {
			t.Errorf("ended %q", r.Ended)
		}
	}
	if lines := strings.Count(log.String(), "\n"); lines != 3 || strings.Contains(log.String(), s.Token()) {
		t.Errorf("log:\n%s", log.String())
	}
}

func TestRecordedRequest(t *testing.T) {
	var log bytes.Buffer
	s := start(t, Options{Log: &log})
	body := ask("hello you")
	r := request(t, s, http.MethodPost, "/v1/messages?beta=true", body)
	r.Header.Set("X-Request-Id", "my-own-id")
	got := do(t, r)
	if err := s.Wait(t.Context(), func(all []Request) bool { return all[0].Ended != "" }); err != nil {
		t.Fatal(err)
	}
	rec := s.Requests()[0]
	if rec.Method != "POST" || rec.Path != "/v1/messages" || rec.Query != "beta=true" || string(rec.Body) != body ||
		rec.Header.Get("Authorization") != "Bearer "+s.Token() || rec.Messages.Messages[0].Blocks[0].Text != "hello you" ||
		rec.Number != 1 || rec.Ended != EndedComplete || rec.Rule != "anything" {
		t.Errorf("record %+v", rec)
	}
	if rec.Sent != int64(len(got.body)) || got.header.Get("X-Request-Id") != "my-own-id" {
		t.Errorf("sent %d of %d, id %q", rec.Sent, len(got.body), got.header.Get("X-Request-Id"))
	}
	rec.Header.Set("Authorization", "changed")
	if s.Requests()[0].Header.Get("Authorization") == "changed" {
		t.Error("the record can be changed from outside")
	}
}

func TestOldBodiesAreForgotten(t *testing.T) {
	s := start(t, Options{KeepBytes: 1000})
	for range 3 {
		post(t, s, ask(strings.Repeat("x", 600)))
	}
	all := s.Requests()
	for i, kept := range []bool{false, false, true} {
		if r := all[i]; (r.Body != nil) != kept || (r.Messages != nil) != kept || r.Size < 600 || r.Model != "claude-sonnet-5" {
			t.Errorf("request %d: %d bytes kept of %d", i+1, len(r.Body), r.Size)
		}
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	s := start(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Wait(ctx, func([]Request) bool { return false }); err == nil {
		t.Error("no error")
	}
}

func TestOnlyLoopback(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "example.com:80", "127.0.0.1", ""} {
		s, err := Start(Options{Addr: addr})
		if addr == "" {
			if err != nil {
				t.Errorf("no address: %v", err)
			}
		} else if err == nil {
			t.Errorf("%q was accepted", addr)
		}
		if s != nil {
			s.Close()
		}
	}
}

func TestTokensDiffer(t *testing.T) {
	a, b := start(t, Options{}), start(t, Options{})
	if a.Token() == b.Token() || len(a.Token()) < 20 {
		t.Errorf("tokens %q and %q", a.Token(), b.Token())
	}
}

func TestBodyTooLarge(t *testing.T) {
	s := start(t, Options{})
	r := request(t, s, http.MethodPost, "/v1/messages", "")
	r.Body = io.NopCloser(io.LimitReader(spaces{}, maxBody+1))
	r.ContentLength = maxBody + 1
	if got := do(t, r); got.status != 413 {
		t.Errorf("got %d %v", got.status, got.err)
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func FuzzJSONString(f *testing.F) {
	for _, s := range []string{"", "plain", "\x00\x1f\"\\\n\t", "北\u2028é", "\xff broken \xc3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(appendJSONString(nil, s), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\uFFFD"); utf8.ValidString(s) && got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestPausedPingIsFlushed(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, "rules: [{reply: [ping, {pause: 1s}, {text: hi}]}]")})
	if r := post(t, s, ask("hi")); strings.Count(r.body, "event: ping\n") != 2 || r.text() != "hi" {
		t.Errorf("body %s", r.body)
	}
	if took := s.Requests()[0].Took; took < time.Second {
		t.Errorf("took %v", took)
	}
}
