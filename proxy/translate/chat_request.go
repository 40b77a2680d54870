package translate

import (
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// RequestToChat translates the body of a Messages request into one for POST /chat/completions. An error is a
// [*RequestError].
func RequestToChat(body []byte, m Model) (*Request, error) {
	c, err := newConversion(apiChat, body, m)
	if err != nil {
		return nil, err
	}
	p := openai.ChatCompletionNewParams{Model: m.ID}
	extra := map[string]any{"stream": c.Stream}
	if c.Stream {
		p.StreamOptions.IncludeUsage = param.NewOpt(true)
	}
	if n := c.maxOutput(); n > 0 && c.isOpenAI() && !isClassic(m.ID) {
		p.MaxCompletionTokens = param.NewOpt(n) // OpenAI's reasoning models refuse the older name
	} else if n > 0 {
		p.MaxTokens = param.NewOpt(n) // which all others know
	}
	temperature, topP := c.sampling()
	p.Temperature, p.TopP = optional(temperature), optional(topP)
	if effort := c.effort(m); effort != "" {
		p.ReasoningEffort = shared.ReasoningEffort(effort)
	}
	if budget := c.budget(); budget > 0 {
		extra["thinking_budget"] = budget
	}
	if p.Messages, err = c.chatMessages(); err != nil {
		return nil, err
	}
	if err := c.chatTools(&p); err != nil {
		return nil, err
	}
	if err := c.chatFormat(&p); err != nil {
		return nil, err
	}
	p.SetExtraFields(extra)
	out, err := p.MarshalJSON()
	if err != nil {
		return nil, refuse("", "the request cannot be translated: %v", err)
	}
	return c.finish(out), nil
}

// budget is how many tokens the model may think, 0 if that is not to be said.
func (c *conversion) budget() int64 {
	if c.model.MaxBudget <= 0 || c.Thinking == nil || c.Thinking.Type != "enabled" || c.Thinking.Budget <= 0 {
		return 0
	}
	n := min(max(c.Thinking.Budget, c.model.MinBudget), c.model.MaxBudget)
	if limit := c.maxOutput(); limit > 0 && n >= limit {
		n = limit - 1
	}
	if n < c.model.MinBudget {
		return 0
	}
	return n
}

// chatMessages translates the conversation.
func (c *conversion) chatMessages() ([]openai.ChatCompletionMessageParamUnion, error) {
	var out []openai.ChatCompletionMessageParamUnion
	if text := c.systemText(); text != "" {
		out = append(out, openai.SystemMessage(text))
	}
	for i, m := range c.Messages {
		if m.Role == "assistant" {
			if msg := c.chatAssistant(c.sayings(m)); msg != nil {
				out = append(out, openai.ChatCompletionMessageParamUnion{OfAssistant: msg})
			}
			continue
		}
		t, err := c.userTurn(m, fmt.Sprintf("messages.%d", i))
		if err != nil {
			return nil, err
		}
		for _, r := range t.results {
			out = append(out, openai.ToolMessage(r.text, r.callID))
		}
		switch {
		case len(t.parts) == 0:
		case m.Role == "system":
			out = append(out, openai.SystemMessage(joinText(t.parts)))
		case len(t.parts) == 1 && t.parts[0].text != "":
			out = append(out, openai.UserMessage(t.parts[0].text))
		default:
			out = append(out, openai.UserMessage(chatParts(t.parts)))
		}
	}
	return out, nil
}

func joinText(parts []part) string {
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.text)
	}
	return strings.Join(texts, "\n")
}

func chatParts(parts []part) []openai.ChatCompletionContentPartUnionParam {
	var out []openai.ChatCompletionContentPartUnionParam
	for _, p := range parts {
		switch {
		case p.image != "":
			out = append(out, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: p.image}))
		case p.file != "":
			out = append(out, openai.FileContentPart(openai.ChatCompletionContentPartFileFileParam{
				FileData: param.NewOpt(p.file), Filename: param.NewOpt(p.name)}))
		default:
			out = append(out, openai.TextContentPart(p.text))
		}
	}
	return out
}

// chatAssistant joins all that the assistant said in one message; nil if nothing is left of it. Reasoning goes into
// fields that the Copilot API adds, the last of it if there is more than one.
func (c *conversion) chatAssistant(list []saying) *openai.ChatCompletionAssistantMessageParam {
	var msg openai.ChatCompletionAssistantMessageParam
	var texts, thoughts []string
	opaque := ""
	for _, s := range list {
		switch {
		case s.thought != nil:
			if s.thought.Content != "" {
				opaque = s.thought.Content
			}
			if s.words != "" {
				thoughts = append(thoughts, s.words)
			}
		case s.call != nil:
			msg.ToolCalls = append(msg.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
				OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
					ID: callID(s.call.ID),
					Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
						Name: c.names.to(s.call.Name), Arguments: arguments(s.call.Input)},
				}})
		default:
			texts = append(texts, s.text)
		}
	}
	if len(texts) == 0 && len(msg.ToolCalls) == 0 {
		return nil
	}
	if len(texts) > 0 {
		msg.Content.OfString = param.NewOpt(strings.Join(texts, "\n\n"))
	}
	if opaque != "" {
		extra := map[string]any{"reasoning_opaque": opaque}
		if len(thoughts) > 0 {
			extra["reasoning_text"] = strings.Join(thoughts, "\n\n")
		}
		msg.SetExtraFields(extra)
	}
	return &msg
}

// chatTools translates the tools and which of them must be used.
func (c *conversion) chatTools(p *openai.ChatCompletionNewParams) error {
	list, err := c.functions()
	if err != nil || len(list) == 0 {
		return err
	}
	for _, f := range list {
		def := shared.FunctionDefinitionParam{Name: f.name, Parameters: f.parameters}
		if f.description != "" {
			def.Description = param.NewOpt(f.description)
		}
		if f.strict {
			def.Strict = param.NewOpt(true)
		}
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(def))
	}
	choice := c.ToolChoice
	if choice == nil {
		return nil
	}
	if choice.Serially {
		p.ParallelToolCalls = param.NewOpt(false)
	}
	switch choice.Type {
	case "tool":
		p.ToolChoice = openai.ToolChoiceOptionFunctionToolChoice(
			openai.ChatCompletionNamedToolChoiceFunctionParam{Name: c.names.to(choice.Name)})
	case "any":
		p.ToolChoice.OfAuto = param.NewOpt("required")
	case "none":
		p.ToolChoice.OfAuto = param.NewOpt("none")
	default:
		p.ToolChoice.OfAuto = param.NewOpt("auto")
	}
	return nil
}

func (c *conversion) chatFormat(p *openai.ChatCompletionNewParams) error {
	schema, strict, err := c.answerFormat()
	if err != nil || schema == nil {
		return err
	}
	p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
		JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: formatName, Schema: schema, Strict: param.NewOpt(strict)}}
	return nil
}
