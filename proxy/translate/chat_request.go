package translate

import (
	"fmt"
	"strings"
)

// RequestToChat translates the body of a Messages request into one for POST /chat/completions. An error is a
// [*RequestError].
func RequestToChat(body []byte, m Model) (*Request, error) {
	c, err := newConversion(apiChat, body, m)
	if err != nil {
		return nil, err
	}
	p := chatRequest{Model: m.ID, ReasoningEffort: c.effort(m), Stream: c.Stream, ThinkingBudget: c.budget()}
	if c.Stream {
		p.StreamOptions = &chatStreamOptions{IncludeUsage: true}
	}
	if c.isOpenAI() && !isClassic(m.ID) {
		p.MaxCompletionTokens = c.maxOutput() // OpenAI's reasoning models refuse the older name
	} else {
		p.MaxTokens = c.maxOutput() // all others know only this name
	}
	p.Temperature, p.TopP = c.sampling()
	if p.Messages, err = c.chatMessages(); err != nil {
		return nil, err
	}
	if err := c.chatTools(&p); err != nil {
		return nil, err
	}
	if err := c.chatFormat(&p); err != nil {
		return nil, err
	}
	return c.finish(p)
}

// budget returns the thinking budget in tokens, 0 for none.
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
func (c *conversion) chatMessages() ([]any, error) {
	var out []any
	if text := c.systemText(); text != "" {
		out = append(out, chatMessage{Content: text, Role: "system"})
	}
	for i, m := range c.Messages {
		if m.Role == "assistant" {
			if msg := c.chatAssistant(c.sayings(m)); msg != nil {
				out = append(out, msg)
			}
			continue
		}
		t, err := c.userTurn(m, fmt.Sprintf("messages.%d", i))
		if err != nil {
			return nil, err
		}
		for _, r := range t.results {
			out = append(out, chatResult{Content: r.text, ToolCallID: r.callID, Role: "tool"})
		}
		switch {
		case len(t.parts) == 0:
		case m.Role == "system":
			out = append(out, chatMessage{Content: joinText(t.parts), Role: "system"})
		case len(t.parts) == 1 && t.parts[0].text != "":
			out = append(out, chatMessage{Content: t.parts[0].text, Role: "user"})
		default:
			out = append(out, chatMessage{Content: chatParts(t.parts), Role: "user"})
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

func chatParts(parts []part) []any {
	out := make([]any, len(parts))
	for i, p := range parts {
		switch {
		case p.image != "":
			out[i] = chatImage{ImageURL: chatURL{p.image}, Type: "image_url"}
		case p.file != "":
			out[i] = chatFile{File: chatFileData{FileData: p.file, Filename: p.name}, Type: "file"}
		default:
			out[i] = chatText{Text: p.text, Type: "text"}
		}
	}
	return out
}

// chatAssistant joins everything the assistant said in one message; nil if nothing is left. Reasoning goes into fields
// that the Copilot API adds; of several pieces, only the last.
func (c *conversion) chatAssistant(list []saying) *chatAnswer {
	msg := chatAnswer{Role: "assistant"}
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
			msg.ToolCalls = append(msg.ToolCalls, chatToolCall{ID: callID(s.call.ID), Type: "function",
				Function: chatCalledFunction{Name: c.names.to(s.call.Name), Arguments: arguments(s.call.Input)}})
		default:
			texts = append(texts, s.text)
		}
	}
	if len(texts) == 0 && len(msg.ToolCalls) == 0 {
		return nil
	}
	msg.Content = strings.Join(texts, "\n\n")
	if opaque != "" {
		msg.ReasoningOpaque, msg.ReasoningText = opaque, strings.Join(thoughts, "\n\n")
	}
	return &msg
}

// chatTools translates the tools and the tool choice.
func (c *conversion) chatTools(p *chatRequest) error {
	list, err := c.functions()
	if err != nil || len(list) == 0 {
		return err
	}
	for _, f := range list {
		p.Tools = append(p.Tools, chatTool{Type: "function", Function: chatFunction{Name: f.name, Strict: f.strict,
			Description: f.description, Parameters: f.parameters}})
	}
	p.ParallelToolCalls = c.parallel()
	choice := c.ToolChoice
	if choice == nil {
		return nil
	}
	p.ToolChoice = choice.mode()
	if choice.Type == "tool" {
		p.ToolChoice = chatToolChoice{Function: chatToolName{c.names.to(choice.Name)}, Type: "function"}
	}
	return nil
}

func (c *conversion) chatFormat(p *chatRequest) error {
	schema, strict, err := c.answerFormat()
	if err != nil || schema == nil {
		return err
	}
	p.ResponseFormat = &chatFormat{JSONSchema: chatSchema{Name: formatName, Schema: schema, Strict: strict}, Type: "json_schema"}
	return nil
}
