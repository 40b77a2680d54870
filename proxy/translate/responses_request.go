package translate

import "fmt"

// RequestToResponses translates the body of a Messages request into one for POST /responses. It asks the service to
// store nothing and to return its reasoning encrypted instead. An error is a [*RequestError].
func RequestToResponses(body []byte, m Model) (*Request, error) {
	c, err := newConversion(apiResponses, body, m)
	if err != nil {
		return nil, err
	}
	p := responsesRequest{Model: m.ID, Instructions: c.systemText(), MaxOutputTokens: c.maxOutput(), Stream: c.Stream}
	if c.isOpenAI() {
		p.PromptCacheKey = m.CacheKey
	}
	p.Temperature, p.TopP = c.sampling()
	p.Reasoning.Effort = c.effort(m)
	if c.thinks() && c.reasons() { // other models refuse the request
		p.Include = []string{"reasoning.encrypted_content"}
		if !c.silent() {
			p.Reasoning.Summary = "auto"
		}
	}
	if p.Input, err = c.inputItems(); err != nil {
		return nil, err
	}
	if err := c.responsesTools(&p); err != nil {
		return nil, err
	}
	if err := c.responsesFormat(&p); err != nil {
		return nil, err
	}
	return c.finish(p)
}

// inputItems translates the conversation.
func (c *conversion) inputItems() ([]any, error) {
	var out []any
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
				out = append(out, inputResult{Output: r.text, CallID: r.callID, Type: "function_call_output"})
			}
			if len(t.parts) > 0 {
				role := "user"
				if m.Role == "system" {
					role = "developer"
				}
				out = append(out, inputMessage{Content: inputParts(t.parts), Role: role})
			}
		}
	}
	return out, nil
}

// outputItem returns the item that repeats an earlier answer to the model.
func (c *conversion) outputItem(s saying) any {
	switch {
	case s.thought != nil:
		// The encrypted content includes the summarized text.
		return inputReasoning{ID: s.thought.ID, Summary: []struct{}{}, EncryptedContent: s.thought.Content, Type: "reasoning"}
	case s.call != nil:
		return inputCall{Arguments: arguments(s.call.Input), CallID: callID(s.call.ID),
			Name: c.names.to(s.call.Name), Type: "function_call"}
	}
	return inputMessage{Content: s.text, Role: "assistant"}
}

func inputParts(parts []part) []any {
	out := make([]any, len(parts))
	for i, p := range parts {
		switch {
		case p.image != "":
			out[i] = inputImage{Detail: "auto", ImageURL: p.image, Type: "input_image"}
		case p.file != "":
			out[i] = inputFile{FileData: p.file, Filename: p.name, Type: "input_file"}
		default:
			out[i] = inputText{Text: p.text, Type: "input_text"}
		}
	}
	return out
}

// responsesTools translates the tools and the tool choice.
func (c *conversion) responsesTools(p *responsesRequest) error {
	list, err := c.functions()
	if err != nil || len(list) == 0 {
		return err
	}
	for _, f := range list {
		p.Tools = append(p.Tools, responsesTool{Strict: f.strict, Parameters: f.parameters, Name: f.name,
			Description: f.description, Type: "function"})
	}
	p.ParallelToolCalls = c.parallel()
	choice := c.ToolChoice
	if choice == nil {
		return nil
	}
	p.ToolChoice = choice.mode()
	if choice.Type == "tool" {
		p.ToolChoice = namedTool{Name: c.names.to(choice.Name), Type: "function"}
	}
	return nil
}

func (c *conversion) responsesFormat(p *responsesRequest) error {
	schema, strict, err := c.answerFormat()
	if err != nil || schema == nil {
		return err
	}
	p.Text = &responsesText{Format: responsesFormat{Name: formatName, Schema: schema, Strict: strict, Type: "json_schema"}}
	return nil
}
