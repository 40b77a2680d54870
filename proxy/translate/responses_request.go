package translate

import (
	"fmt"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

// RequestToResponses translates the body of a Messages request into one for POST /responses. The service is asked to
// store nothing and to hand its reasoning out encrypted instead. An error is a [*RequestError].
func RequestToResponses(body []byte, m Model) (*Request, error) {
	c, err := newConversion(apiResponses, body, m)
	if err != nil {
		return nil, err
	}
	p := responses.ResponseNewParams{Model: m.ID, Store: param.NewOpt(false)}
	if text := c.systemText(); text != "" {
		p.Instructions = param.NewOpt(text)
	}
	if n := c.maxOutput(); n > 0 {
		p.MaxOutputTokens = param.NewOpt(n)
	}
	temperature, topP := c.sampling()
	p.Temperature, p.TopP = optional(temperature), optional(topP)
	if effort := c.effort(m); effort != "" {
		p.Reasoning.Effort = shared.ReasoningEffort(effort)
	}
	if c.thinks() && c.reasons() { // others refuse to be asked for it
		p.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
		if !c.silent() {
			p.Reasoning.Summary = shared.ReasoningSummaryAuto
		}
	}
	if p.Input.OfInputItemList, err = c.inputItems(); err != nil {
		return nil, err
	}
	if err := c.responsesTools(&p); err != nil {
		return nil, err
	}
	if err := c.responsesFormat(&p); err != nil {
		return nil, err
	}
	p.SetExtraFields(map[string]any{"stream": c.Stream})
	out, err := p.MarshalJSON()
	if err != nil {
		return nil, refuse("", "the request cannot be translated: %v", err)
	}
	return c.finish(out), nil
}

// optional is a number that may be missing.
func optional(v *float64) param.Opt[float64] {
	if v == nil {
		return param.Opt[float64]{}
	}
	return param.NewOpt(*v)
}

// inputItems translates the conversation.
func (c *conversion) inputItems() (responses.ResponseInputParam, error) {
	var out responses.ResponseInputParam
	for i, m := range c.Messages {
		switch m.Role {
		case "assistant":
			for _, s := range trimThoughts(c.sayings(m)) {
				out = append(out, c.outputItem(s))
			}
		default:
			t, err := c.userTurn(m, fmt.Sprintf("messages.%d", i))
			if err != nil {
				return nil, err
			}
			for _, r := range t.results {
				item := responses.ResponseInputItemParamOfFunctionCallOutput(r.text)
				item.OfFunctionCallOutput.CallID = param.NewOpt(r.callID)
				out = append(out, item)
			}
			if len(t.parts) > 0 {
				role := responses.EasyInputMessageRoleUser
				if m.Role == "system" {
					role = responses.EasyInputMessageRoleDeveloper
				}
				out = append(out, responses.ResponseInputItemParamOfMessage(inputParts(t.parts), role))
			}
		}
	}
	return out, nil
}

// outputItem gives the model back what it said before.
func (c *conversion) outputItem(s saying) responses.ResponseInputItemUnionParam {
	switch {
	case s.thought != nil:
		// What was summarised is in the encrypted content already.
		item := responses.ResponseInputItemParamOfReasoning(s.thought.ID, []responses.ResponseReasoningItemSummaryParam{})
		item.OfReasoning.EncryptedContent = param.NewOpt(s.thought.Content)
		return item
	case s.call != nil:
		return responses.ResponseInputItemParamOfFunctionCall(
			arguments(s.call.Input), callID(s.call.ID), c.names.to(s.call.Name))
	}
	return responses.ResponseInputItemParamOfMessage(s.text, responses.EasyInputMessageRoleAssistant)
}

func inputParts(parts []part) responses.ResponseInputMessageContentListParam {
	var out responses.ResponseInputMessageContentListParam
	for _, p := range parts {
		switch {
		case p.image != "":
			u := responses.ResponseInputContentParamOfInputImage(responses.ResponseInputImageDetailAuto)
			u.OfInputImage.ImageURL = param.NewOpt(p.image)
			out = append(out, u)
		case p.file != "":
			out = append(out, responses.ResponseInputContentUnionParam{OfInputFile: &responses.ResponseInputFileParam{
				FileData: param.NewOpt(p.file), Filename: param.NewOpt(p.name)}})
		default:
			out = append(out, responses.ResponseInputContentParamOfInputText(p.text))
		}
	}
	return out
}

// responsesTools translates the tools and which of them must be used.
func (c *conversion) responsesTools(p *responses.ResponseNewParams) error {
	list, err := c.functions()
	if err != nil || len(list) == 0 {
		return err
	}
	for _, f := range list {
		t := responses.ToolParamOfFunction(f.name, f.parameters, f.strict)
		if f.description != "" {
			t.OfFunction.Description = param.NewOpt(f.description)
		}
		p.Tools = append(p.Tools, t)
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
		p.ToolChoice.OfFunctionTool = &responses.ToolChoiceFunctionParam{Name: c.names.to(choice.Name)}
	case "any":
		p.ToolChoice.OfToolChoiceMode = param.NewOpt(responses.ToolChoiceOptionsRequired)
	case "none":
		p.ToolChoice.OfToolChoiceMode = param.NewOpt(responses.ToolChoiceOptionsNone)
	default:
		p.ToolChoice.OfToolChoiceMode = param.NewOpt(responses.ToolChoiceOptionsAuto)
	}
	return nil
}

func (c *conversion) responsesFormat(p *responses.ResponseNewParams) error {
	schema, strict, err := c.answerFormat()
	if err != nil || schema == nil {
		return err
	}
	p.Text.Format = responses.ResponseFormatTextConfigParamOfJSONSchema(formatName, schema)
	p.Text.Format.OfJSONSchema.Strict = param.NewOpt(strict)
	return nil
}
