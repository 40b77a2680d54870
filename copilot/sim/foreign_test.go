package sim

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/copilot/sim/script"
	"parley/copilot/sim/seal"
)

func startOpenAI(t *testing.T, text string) *Server {
	t.Helper()
	sc, err := script.Parse(strings.NewReader(text), "openai")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(Options{Script: sc})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestForeignRefusals sends what the service refuses.
func TestForeignRefusals(t *testing.T) {
	s := startOpenAI(t, `rules: [{reply: hi}]`)
	const user = `{"role":"user","content":"x"}`
	for _, tt := range []struct{ name, path, body, check string }{
		{"good responses", pathResponses, `{"model":"gpt-5.4","store":false,"input":[` + user + `]}`, ""},
		{"good chat", pathChat, `{"model":"gemini-3-pro","max_tokens":5,"snippy":{"enabled":false},"temperature":0,"messages":[` + user + `]}`, ""},
		{"Claude at responses", pathResponses, `{"model":"claude-sonnet-4.6","store":false,"input":[` + user + `]}`, "endpoint"},
		{"Gemini at responses", pathResponses, `{"model":"gemini-3-pro","store":false,"input":[` + user + `]}`, "endpoint"},
		{"no such model", pathChat, `{"model":"gpt-2","messages":[` + user + `]}`, "model"},
		{"stored", pathResponses, `{"model":"gpt-5.4","input":[` + user + `]}`, "stored responses"},
		{"unknown field", pathChat, `{"model":"gemini-3-pro","thinking":{},"messages":[` + user + `]}`, "extra fields"},
		{"temperature", pathResponses, `{"model":"gpt-5.4","store":false,"temperature":1,"input":[` + user + `]}`, "sampling"},
		{"effort", pathResponses, `{"model":"gpt-5.4","store":false,"reasoning":{"effort":"max"},"input":[` + user + `]}`, "effort"},
		{"one token", pathResponses, `{"model":"gpt-5.4","store":false,"max_output_tokens":1,"input":[` + user + `]}`, "max_tokens"},
		{"old limit", pathChat, `{"model":"gpt-5-mini","max_tokens":100,"messages":[` + user + `]}`, "max_tokens"},
		{"too much", pathChat, `{"model":"gpt-5-mini","max_completion_tokens":1000000,"messages":[` + user + `]}`, "max_tokens"},
		{"custom tool", pathResponses, `{"model":"gpt-5.4","store":false,"tools":[{"type":"custom","name":"apply_patch","format":{"type":"grammar"}}],` +
			`"input":[` + user + `,{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"*** Begin Patch\n"},` +
			`{"type":"custom_tool_call_output","call_id":"c","output":"done"}]}`, ""},
		{"nested tool", pathResponses, `{"model":"gpt-5.4","store":false,"tools":[{"type":"function","function":{"name":"a"}}],` +
			`"input":[` + user + `]}`, "extra fields"},
		{"flat tool", pathChat, `{"model":"gemini-3-pro","tools":[{"type":"function","name":"a"}],"messages":[` + user + `]}`,
			"extra fields"},
		{"schema", pathChat, `{"model":"gemini-3-pro","tools":[{"type":"function","function":{"name":"a","parameters":` +
			`{"type":"object"}}}],"messages":[` + user + `]}`, "tools"},
		{"image by URL", pathResponses, `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":[{"type":"input_image",` +
			`"image_url":"https://example.com/a.png"}]}]}`, "images"},
		{"call without result", pathChat, `{"model":"gemini-3-pro","messages":[` + user + `,{"role":"assistant","tool_calls":` +
			`[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},` + user + `]}`, "tool pairing"},
		{"result without call", pathResponses, `{"model":"gpt-5.4","store":false,"input":[{"type":"function_call_output",` +
			`"call_id":"a","output":"x"}]}`, "tool pairing"},
		{"forged reasoning", pathResponses, `{"model":"gpt-5.4","store":false,"input":[` + user + `,{"type":"reasoning","summary":[],` +
			`"encrypted_content":"abc"},{"role":"assistant","content":"x"}]}`, "encrypted reasoning"},
		{"another model's reasoning", pathResponses, `{"model":"gpt-5.4","store":false,"input":[` + user + `,{"type":"reasoning",` +
			`"summary":[],"encrypted_content":"` + seal.Reasoning("x", "gpt-5-mini") + `"},{"role":"assistant","content":"x"}]}`,
			"encrypted reasoning"},
		{"lonely reasoning", pathResponses, `{"model":"gpt-5.4","store":false,"input":[` + user + `,{"type":"reasoning","summary":[],` +
			`"encrypted_content":"` + seal.Reasoning("x", "gpt-5.4") + `"},` + user + `]}`, "reasoning order"},
		{"no JSON", pathChat, `{`, "json"},
	} {
		req, err := http.NewRequest(http.MethodPost, s.CopilotURL()+tt.path, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+s.Token())
		req.Header.Set("Copilot-Integration-Id", "test")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		all := s.Requests()
		if got := all[len(all)-1].Refused; got != tt.check || (resp.StatusCode == 200) != (tt.check == "") {
			t.Errorf("%s: refused by %q with %d %s, want %q", tt.name, got, resp.StatusCode, body, tt.check)
		}
	}
}

// TestForeignFaults lets things go wrong in streams of both protocols.
func TestForeignFaults(t *testing.T) {
	for _, path := range []string{pathResponses, pathChat} {
		s := startOpenAI(t, `
rules:
  - when: {prompt: error}
    reply: [{text: some words, pace: {chars: 4}}, {fault: {kind: error_event, code: overloaded_error, message: busy}}]
  - when: {prompt: odd}
    reply: [{fault: {kind: unknown_event}}, {fault: {kind: malformed}}, {text: fine}, {fault: {kind: junk}}]
`)
		ask := func(prompt string) string {
			body := `{"model":"gpt-5.4","store":false,"stream":true,"input":[{"role":"user","content":"` + prompt + `"}]}`
			if path == pathChat {
				body = `{"model":"gemini-3-pro","stream":true,"messages":[{"role":"user","content":"` + prompt + `"}]}`
			}
			req, _ := http.NewRequest(http.MethodPost, s.CopilotURL()+path, strings.NewReader(body))
			req.Header.Set("Authorization", "Bearer "+s.Token())
			req.Header.Set("Copilot-Integration-Id", "test")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			out, _ := io.ReadAll(resp.Body)
			return string(out)
		}
		if out := ask("error"); !strings.Contains(out, `"code":"server_is_overloaded"`) || !strings.Contains(out, "some") {
			t.Errorf("%s: error event in %s", path, out)
		}
		out := ask("odd")
		for _, want := range []string{"sim_unknown", `"del` + "\n", "fine", "after the end"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in %s", path, want, out)
			}
		}
	}
}
