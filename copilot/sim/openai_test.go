//go:build contract

package sim

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
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

// TestContractResponsesWithSDK has the official client go through a turn with tools, whole and streamed.
func TestContractResponsesWithSDK(t *testing.T) {
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

// TestContractChatWithSDK does the same at Chat Completions.
func TestContractChatWithSDK(t *testing.T) {
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
