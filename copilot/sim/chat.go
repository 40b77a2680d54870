package sim

import (
	"encoding/json"
	"fmt"
)

// chatMessage is one message of a request of POST /chat/completions.
type chatMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"tool_call_id"`
	Opaque    string          `json:"reasoning_opaque"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// chatPart is a part of the content of a message.
type chatPart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// decodeChat decodes a request of POST /chat/completions into the words of the simulation. Reasoning models reason
// without being asked.
func decodeChat(data []byte) (*Body, error) {
	b := &Body{foreign: &foreign{path: pathChat, encrypt: true}, Thinking: &Thinking{Type: "adaptive"}}
	f := b.foreign
	if err := json.Unmarshal(data, &f.fields); err != nil {
		return nil, err
	}
	var in struct {
		Model      string                       `json:"model"`
		Messages   []json.RawMessage            `json:"messages"`
		Stream     bool                         `json:"stream"`
		Max        *int                         `json:"max_tokens"`
		Completion *int                         `json:"max_completion_tokens"`
		Effort     string                       `json:"reasoning_effort"`
		Format     json.RawMessage              `json:"response_format"`
		Tools      []map[string]json.RawMessage `json:"tools"`
		Options    *struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, &decodeError{"messages", "invalid type for a parameter"}
	}
	f.extra("", f.fields, "model", "messages", "stream", "max_tokens", "max_completion_tokens", "reasoning_effort",
		"response_format", "tools", "tool_choice", "parallel_tool_calls", "stream_options", "temperature", "top_p", "stop", "n",
		"thinking_budget", "user", "seed", "presence_penalty", "frequency_penalty", "logprobs", "top_logprobs", "snippy")
	b.Model, b.Stream, b.Effort = in.Model, in.Stream, in.Effort
	switch {
	case in.Max != nil && in.Completion != nil:
		f.refuse("max_tokens", openAIError("invalid_request_body", "max_tokens", "Setting both limits is not supported."))
	case in.Max != nil:
		b.MaxTokens, f.maximum = in.Max, "max_tokens"
	case in.Completion != nil:
		b.MaxTokens, f.maximum = in.Completion, "max_completion_tokens"
	}
	if in.Options != nil && !in.Stream {
		f.refuse("stream options", openAIError("invalid_request_body", "stream_options",
			"The 'stream_options' parameter is only allowed when 'stream' is enabled."))
	}
	f.usage = in.Options != nil && in.Options.Usage
	f.chatFormat(b, in.Format)
	f.chatTools(b, in.Tools)
	f.chatMessages(b, in.Messages)
	b.Raw = map[string]json.RawMessage{"tools": f.fields["tools"], "messages": cacheAll(in.Messages)}
	return b, nil
}

func (f *foreign) chatFormat(b *Body, raw json.RawMessage) {
	var format struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"json_schema"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &format) != nil || format.Type != "json_schema" {
		return
	}
	b.Format = format.Schema
}

func (f *foreign) chatTools(b *Body, tools []map[string]json.RawMessage) {
	for i, outer := range tools {
		path := fmt.Sprintf("tools[%d]", i)
		f.extra(path+".", outer, "type", "function")
		t := Tool{}
		_ = json.Unmarshal(outer["type"], &t.Type)
		if t.Type != "function" || json.Unmarshal(outer["function"], &t.Raw) != nil {
			f.refuse("tools", openAIError("invalid_value", path+".type", "Invalid value: '"+t.Type+"'."))
			continue
		}
		_ = json.Unmarshal(t.Raw["name"], &t.Name)
		f.extra(path+".function.", t.Raw, "name", "description", "parameters", "strict")
		f.checkFunction(path+".function", &t)
		b.Tools = append(b.Tools, t)
	}
}

// chatMessages reads the conversation. The results of calls must follow the message with the calls at once.
func (f *foreign) chatMessages(b *Body, messages []json.RawMessage) {
	pending := 0
	for i, raw := range messages {
		path := fmt.Sprintf("messages[%d]", i)
		var m chatMessage
		if json.Unmarshal(raw, &m) != nil {
			f.refuse("shape", openAIError("invalid_type", path, "Invalid type for '"+path+"'."))
			continue
		}
		if pending > 0 && m.Role != "tool" {
			f.refuse("tool pairing", openAIError("invalid_request_body", path, "An assistant message with 'tool_calls' must be "+
				"followed by tool messages responding to each 'tool_call_id'."))
			pending = 0
		}
		blocks := f.chatContent(path, &m)
		switch m.Role {
		case "system", "developer":
			b.System = append(b.System, blocks...)
		case "tool":
			pending--
			b.append("user", Block{Type: "tool_result", ToolUseID: m.CallID, Content: blocks})
		case "user":
			b.append("user", blocks...)
		case "assistant":
			pending = len(m.ToolCalls)
			f.chatAssistant(b, path, &m, blocks)
		default:
			f.refuse("roles", openAIError("invalid_value", path+".role", "Invalid value: '"+m.Role+"'."))
		}
	}
	if len(b.Messages) == 0 {
		f.refuse("required fields", openAIError("missing_required_parameter", "messages", "Missing required parameter: 'messages'."))
	}
}

func (f *foreign) chatAssistant(b *Body, path string, m *chatMessage, blocks []Block) {
	if m.Opaque != "" {
		f.sealed = append(f.sealed, m.Opaque)
		blocks = append([]Block{{Type: "thinking", Signature: m.Opaque}}, blocks...)
	}
	for _, call := range m.ToolCalls {
		if !json.Valid([]byte(call.Function.Arguments)) || call.Type != "function" {
			f.refuse("shape", openAIError("invalid_value", path+".tool_calls", "arguments must be JSON"))
			call.Function.Arguments = "{}"
		}
		blocks = append(blocks, Block{Type: "tool_use", ID: call.ID, Name: call.Function.Name,
			Input: json.RawMessage(call.Function.Arguments)})
	}
	if len(blocks) == 0 {
		f.refuse("blocks", openAIError("invalid_request_body", path, "assistant message must have content or tool calls"))
	}
	b.append("assistant", blocks...)
}

func (f *foreign) chatContent(path string, m *chatMessage) []Block {
	if len(m.Content) == 0 || string(m.Content) == "null" {
		if m.Role != "assistant" {
			f.refuse("shape", openAIError("invalid_type", path+".content", "Invalid type for '"+path+".content'."))
		}
		return nil
	}
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return []Block{{Type: "text", Text: text}}
	}
	var parts []chatPart
	if json.Unmarshal(m.Content, &parts) != nil || len(parts) == 0 {
		f.refuse("shape", openAIError("invalid_type", path+".content", "Invalid type for '"+path+".content'."))
	}
	var out []Block
	for _, p := range parts {
		switch {
		case p.Type == "text":
			out = append(out, Block{Type: "text", Text: p.Text})
		case p.Type == "image_url" && m.Role == "user":
			out = append(out, f.imageBlock(path, p.ImageURL.URL))
		case p.Type == "file" && m.Role == "user":
			out = append(out, Block{Type: "document"})
		default:
			f.refuse("shape", openAIError("invalid_value", path+".content", "Invalid value: '"+p.Type+"'."))
		}
	}
	return out
}
