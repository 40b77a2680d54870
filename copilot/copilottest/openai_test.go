package copilottest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"parley/copilot/copilottest/script"
)

// openAIScript thinks, talks and calls a tool, then says what it found.
const openAIScript = `
rules:
  - when: {result: true}
    reply: "It says {{tool_result}}, {{last_user}}."
  - reply:
      - think: Let me see.
      - text: I will look.
      - tool: read
        input: {path: a}
      - tool: read
        input: {path: b}
`

// openAIClient is the official client, pointed at the simulation.
func openAIClient(s *Server) openai.Client {
	return openai.NewClient(option.WithBaseURL(s.CopilotURL()), option.WithAPIKey(s.Token()),
		option.WithHeader("Copilot-Integration-Id", "test"), option.WithMaxRetries(0))
}

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

func responsesParams() responses.ResponseNewParams {
	p := responses.ResponseNewParams{Model: "gpt-5.4", Store: param.NewOpt(false),
		Include: []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent},
		Tools: []responses.ToolUnionParam{responses.ToolParamOfFunction("read",
			map[string]any{"type": "object", "properties": map[string]any{}}, false)}}
	p.Reasoning.Summary = "auto"
	p.Input.OfInputItemList = responses.ResponseInputParam{responses.ResponseInputItemParamOfMessage("look",
		responses.EasyInputMessageRoleUser)}
	return p
}

// followUp gives back what the model said, and the results of its calls.
func followUp(p *responses.ResponseNewParams, output []responses.ResponseOutputItemUnion) {
	var outputs responses.ResponseInputParam
	for _, item := range output {
		switch v := item.AsAny().(type) {
		case responses.ResponseReasoningItem:
			r := v.ToParam()
			p.Input.OfInputItemList = append(p.Input.OfInputItemList, responses.ResponseInputItemUnionParam{OfReasoning: &r})
		case responses.ResponseOutputMessage:
			m := responses.ResponseInputItemParamOfMessage(v.Content[0].Text, responses.EasyInputMessageRoleAssistant)
			p.Input.OfInputItemList = append(p.Input.OfInputItemList, m)
		case responses.ResponseFunctionToolCall:
			p.Input.OfInputItemList = append(p.Input.OfInputItemList,
				responses.ResponseInputItemParamOfFunctionCall(v.Arguments, v.CallID, v.Name))
			out := responses.ResponseInputItemParamOfFunctionCallOutput("42")
			out.OfFunctionCallOutput.CallID = param.NewOpt(v.CallID)
			outputs = append(outputs, out)
		}
	}
	p.Input.OfInputItemList = append(p.Input.OfInputItemList, outputs...)
}

// TestResponsesWithSDK has the official client go through a turn with tools, whole and streamed.
func TestResponsesWithSDK(t *testing.T) {
	s := startOpenAI(t, openAIScript)
	client := openAIClient(s)
	ctx := context.Background()
	p := responsesParams()
	r, err := client.Responses.New(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Output) != 4 || r.Output[0].EncryptedContent == "" || r.Output[0].Summary[0].Text != "Let me see." ||
		r.OutputText() != "I will look." || r.Usage.TotalTokens == 0 || r.Status != "completed" {
		t.Fatalf("answer %s", r.RawJSON())
	}
	followUp(&p, r.Output)
	stream := client.Responses.NewStreaming(ctx, p)
	text, ended := "", false
	for stream.Next() {
		switch e := stream.Current().AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			text += e.Delta
		case responses.ResponseCompletedEvent:
			ended = e.Response.OutputText() == text && e.Response.Usage.InputTokensDetails.CachedTokens > 0
		}
	}
	if err := stream.Err(); err != nil || text != "It says 42, look." || !ended {
		t.Errorf("%q, ended %v, %v", text, ended, err)
	}
}

// TestChatWithSDK does the same at Chat Completions.
func TestChatWithSDK(t *testing.T) {
	s := startOpenAI(t, openAIScript)
	client := openAIClient(s)
	ctx := context.Background()
	p := openai.ChatCompletionNewParams{Model: "gemini-3-pro", Messages: []openai.ChatCompletionMessageParamUnion{
		openai.SystemMessage("Be kind."), openai.UserMessage("look")}}
	p.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(
		openai.FunctionDefinitionParam{Name: "read", Parameters: map[string]any{"type": "object", "properties": map[string]any{}}})}
	p.StreamOptions.IncludeUsage = param.NewOpt(true)
	stream := client.Chat.Completions.NewStreaming(ctx, p)
	var acc openai.ChatCompletionAccumulator
	thought, opaque := "", ""
	for stream.Next() {
		chunk := stream.Current()
		if !acc.AddChunk(chunk) {
			t.Fatalf("the SDK refuses %s", chunk.RawJSON())
		}
		for _, c := range chunk.Choices {
			var d struct {
				Text   string `json:"reasoning_text"`
				Opaque string `json:"reasoning_opaque"`
			}
			_ = json.Unmarshal([]byte(c.Delta.RawJSON()), &d)
			thought, opaque = thought+d.Text, opaque+d.Opaque
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	m := acc.Choices[0].Message
	if m.Content != "I will look." || len(m.ToolCalls) != 2 || m.ToolCalls[1].Function.Arguments != `{"path":"b"}` ||
		acc.Choices[0].FinishReason != "tool_calls" || acc.Usage.TotalTokens == 0 || thought != "Let me see." || opaque == "" {
		t.Fatalf("answer %+v, thought %q", m, thought)
	}
	said := m.ToAssistantMessageParam()
	said.SetExtraFields(map[string]any{"reasoning_opaque": opaque})
	p.Messages = append(p.Messages, openai.ChatCompletionMessageParamUnion{OfAssistant: &said},
		openai.ToolMessage("42", m.ToolCalls[0].ID), openai.ToolMessage("43", m.ToolCalls[1].ID))
	p.StreamOptions = openai.ChatCompletionStreamOptionsParam{}
	whole, err := client.Chat.Completions.New(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	if got := whole.Choices[0].Message.Content; got != "It says 43, look." || whole.Usage.PromptTokensDetails.CachedTokens == 0 {
		t.Errorf("answer %s", whole.RawJSON())
	}
}

// TestForeignRefusals sends what the service refuses.
func TestForeignRefusals(t *testing.T) {
	s := startOpenAI(t, `rules: [{reply: hi}]`)
	const user = `{"role":"user","content":"x"}`
	for _, tt := range []struct{ name, path, body, check string }{
		{"good responses", pathResponses, `{"model":"gpt-5.4","store":false,"input":[` + user + `]}`, ""},
		{"good chat", pathChat, `{"model":"gemini-3-pro","max_tokens":5,"temperature":0,"messages":[` + user + `]}`, ""},
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
			`"summary":[],"encrypted_content":"` + seal("x", "gpt-5-mini") + `"},{"role":"assistant","content":"x"}]}`,
			"encrypted reasoning"},
		{"lonely reasoning", pathResponses, `{"model":"gpt-5.4","store":false,"input":[` + user + `,{"type":"reasoning","summary":[],` +
			`"encrypted_content":"` + seal("x", "gpt-5.4") + `"},` + user + `]}`, "reasoning order"},
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
