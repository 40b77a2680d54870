package proxy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/google/go-cmp/cmp"

	"parley/copilot/sim/script"
)

// otherModels are those that have to be talked to by translation, with the path they are reached by.
var otherModels = map[string]string{
	"gpt-5.4": "/responses", "gpt-5-mini": "/responses", "gemini-3-pro": "/chat/completions",
}

const otherScript = `
rules:
  - name: finished
    when: {result: true, round: ">=2"}
    reply: [{think: Enough.}, {text: "Both say {{tool_result}}."}]
  - name: again
    when: {result: true}
    reply: [{think: "Now the other."}, {tool: read, input: {path: c}}]
  - name: start
    when: {prompt: look}
    reply:
      - think: "Two files."
      - text: "I look."
      - {tool: read, input: {path: 'a "b"'}}
      - {tool: read, input: {path: b}}
  - name: structured
    when: {format: true}
    reply: [{schema: true}]
  - name: long
    when: {prompt: endless}
    reply: [{text: "and so on"}]
    stop: max_tokens
  - name: broken
    when: {prompt: broken}
    reply: [{text: "so far"}, {fault: {kind: error_event, code: overloaded_error, message: busy}}]
  - name: cut
    when: {prompt: cut}
    reply: [{text: "so far"}, {fault: {kind: cut}}]
  - name: busy
    when: {prompt: busy}
    reply: [{fault: {kind: status, status: 429}}]
  - name: plain
    reply: "You said {{last_user}}"
`

// newOtherHouse is a house whose service plays otherScript.
func newOtherHouse(t *testing.T) house {
	t.Helper()
	h := newHouse(t)
	rules, err := script.Parse(strings.NewReader(otherScript), "other.yaml")
	if err != nil {
		t.Fatal(err)
	}
	h.sim.SetScript(rules)
	return h
}

// exchangeOnce sends a request through the SDK, streamed or not, and returns the message.
func exchangeOnce(t *testing.T, client anthropic.Client, p anthropic.MessageNewParams, stream bool) (anthropic.Message, error) {
	t.Helper()
	if !stream {
		m, err := client.Messages.New(testContext(t), p)
		if err != nil {
			return anthropic.Message{}, err
		}
		return *m, nil
	}
	var m anthropic.Message
	s := client.Messages.NewStreaming(testContext(t), p)
	defer func() { _ = s.Close() }()
	for s.Next() {
		if err := m.Accumulate(s.Current()); err != nil {
			t.Fatal(err)
		}
	}
	return m, s.Err()
}

// TestOtherModelsUseTools has Anthropic's SDK go through a conversation with tools on models that speak other protocols,
// streamed and not. The simulated service refuses what the real one refuses; above all, it takes back only its own
// encrypted reasoning.
func TestOtherModelsUseTools(t *testing.T) {
	for model, path := range otherModels {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s stream %v", model, stream), func(t *testing.T) {
				h := newOtherHouse(t)
				client := h.sdk(t)
				p := ask("look")
				p.Model, p.Thinking = anthropic.Model(model), adaptive()
				p.System = []anthropic.TextBlockParam{{Text: "Be brief."}}
				p.Temperature = anthropic.Float(1)
				p.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{Name: "read",
					InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"path": map[string]any{"type": "string"}}}}}}
				var calls []string
				var last anthropic.Message
				for round := 0; ; round++ {
					m, err := exchangeOnce(t, client, p, stream)
					if err != nil || round > 3 {
						t.Fatalf("round %d: %v", round, err)
					}
					if m.Usage.OutputTokens == 0 || string(m.Model) != model || !strings.HasPrefix(m.ID, "msg_") {
						t.Errorf("round %d: %s", round, m.RawJSON())
					}
					p.Messages = append(p.Messages, m.ToParam())
					last = m
					if m.StopReason != "tool_use" {
						break
					}
					var results []anthropic.ContentBlockParamUnion
					for _, b := range m.Content {
						if use, ok := b.AsAny().(anthropic.ToolUseBlock); ok {
							var in struct{ Path string }
							if err := json.Unmarshal(use.Input, &in); err != nil {
								t.Error(err)
							}
							calls = append(calls, in.Path)
							results = append(results, anthropic.NewToolResultBlock(use.ID, "words of "+in.Path, false))
						}
					}
					p.Messages = append(p.Messages, anthropic.NewUserMessage(results...))
				}
				if diff := cmp.Diff([]string{`a "b"`, "b", "c"}, calls); diff != "" {
					t.Error(diff)
				}
				n := len(last.Content)
				if n != 2 || last.Content[0].Thinking != "Enough." || last.Content[0].Signature == "" ||
					last.Content[1].Text != "Both say words of c." || last.StopReason != "end_turn" ||
					last.Usage.CacheReadInputTokens == 0 {
					t.Errorf("answer %+v", last)
				}
				checkPosts(t, h, path, stream)
			})
		}
	}
}

// checkPosts looks at what reached the service.
func checkPosts(t *testing.T, h house, path string, stream bool) {
	t.Helper()
	var initiators []string
	for _, r := range h.sim.Requests() {
		if r.Method != http.MethodPost {
			continue
		}
		if r.Path != path || r.Refused != "" || r.Messages.Stream != stream || r.Header.Get("Anthropic-Version") != "" ||
			r.Header.Get("X-Interaction-Id") == "" {
			t.Errorf("request %s, refused %q: %s", r.Path, r.Refused, r.Body)
		}
		initiators = append(initiators, r.Header.Get("X-Initiator"))
		if key := `"prompt_cache_key":"` + r.Header.Get("X-Interaction-Id") + `"`; strings.Contains(string(r.Body), key) != (path == "/responses") {
			t.Errorf("request %d to %s: %s", len(initiators), path, r.Body)
		}
		field := "encrypted_content"
		if path != "/responses" {
			field = "reasoning_opaque"
		}
		if got := strings.Contains(string(r.Body), field+`":"`); got != (len(initiators) > 1) {
			t.Errorf("request %d gives reasoning back: %v", len(initiators), got)
		}
	}
	if diff := cmp.Diff([]string{"user", "agent", "agent"}, initiators); diff != "" {
		t.Error(diff)
	}
}

// TestOtherModelsAnswer looks at what else an answer can be.
func TestOtherModelsAnswer(t *testing.T) {
	h := newOtherHouse(t)
	client := h.sdk(t)
	for model := range otherModels {
		for _, stream := range []bool{true, false} {
			name := fmt.Sprintf("%s stream %v", model, stream)
			p := ask("endless")
			p.Model = anthropic.Model(model)
			if m, err := exchangeOnce(t, client, p, stream); err != nil || m.StopReason != "max_tokens" {
				t.Errorf("%s: %s, %v", name, m.RawJSON(), err)
			}
			p = ask("one STOP two")
			p.Model, p.StopSequences = anthropic.Model(model), []string{"STOP"}
			m, err := exchangeOnce(t, client, p, stream)
			if err != nil || m.StopReason != "stop_sequence" || m.StopSequence != "STOP" || m.Content[0].Text != "You said one " {
				t.Errorf("%s: %+v, %v", name, m, err)
			}
			p = ask("a name")
			p.Model = anthropic.Model(model)
			p.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: map[string]any{"type": "object",
				"properties": map[string]any{"title": map[string]any{"type": "string"}}, "required": []string{"title"},
				"additionalProperties": false}}
			m, err = exchangeOnce(t, client, p, stream)
			if err != nil || m.Content[0].Text != `{"title":"a name"}` {
				t.Errorf("%s: %+v, %v", name, m, err)
			}
			p = ask("see")
			p.Model = anthropic.Model(model)
			p.Messages[0].Content = append(p.Messages[0].Content, anthropic.NewImageBlockBase64("image/png", "AAAA"))
			if m, err = exchangeOnce(t, client, p, stream); err != nil || m.Content[0].Text != "You said see" {
				t.Errorf("%s: %+v, %v", name, m, err)
			}
			all := h.sim.Requests()
			if all[len(all)-1].Header.Get("Copilot-Vision-Request") != "true" {
				t.Errorf("%s: an image without the header", name)
			}
		}
	}
}

// TestOtherModelsFail lets the service fail before and within answers.
func TestOtherModelsFail(t *testing.T) {
	h := newOtherHouse(t)
	for model := range otherModels {
		for _, tt := range []struct {
			prompt        string
			status        int
			words, ending string
		}{
			{"busy", 429, "", ""}, {"broken", 200, "so f", `"overloaded_error","message":"busy"`}, {"cut", 200, "so f", "network"},
		} {
			status, body := h.post(t, fmt.Sprintf(
				`{"model":%q,"max_tokens":50,"stream":true,"messages":[{"role":"user","content":%q}]}`, model, tt.prompt))
			if status != tt.status || !strings.Contains(body, tt.words) || !strings.Contains(body, tt.ending) ||
				strings.Contains(body, "message_stop") || status == 200 && strings.Count(body, "event: error") != 1 {
				t.Errorf("%s %s: %d %s", model, tt.prompt, status, body)
			}
		}
		status, body := h.post(t, fmt.Sprintf(`{"model":%q,"max_tokens":50,"messages":[{"role":"user","content":[{"type":"image",`+
			`"source":{"type":"url","url":"https://example.com/a.png"}}]}]}`, model))
		if status != 400 || !strings.Contains(body, "messages.0.content.0") || !strings.Contains(body, "base64") {
			t.Errorf("%s: %d %s", model, status, body)
		}
	}
	var e *anthropic.Error
	client := h.sdk(t)
	p := ask("busy")
	p.Model = "gpt-5.4"
	if _, err := client.Messages.New(testContext(t), p); !errors.As(err, &e) || e.StatusCode != 429 {
		t.Errorf("whole: %v", err)
	}
}

// post sends a request as it is.
func (h house) post(t *testing.T, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(testContext(t), http.MethodPost, h.url+"/v1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.bearer)
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(out)
}
