package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// responsesItem is one item of the input of POST /responses.
type responsesItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Output    json.RawMessage `json:"output"`
	Encrypted string          `json:"encrypted_content"`
	Summary   json.RawMessage `json:"summary"`
}

// responsesPart is a part of the content of a message.
type responsesPart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Refusal  string `json:"refusal"`
	ImageURL string `json:"image_url"`
	FileData string `json:"file_data"`
}

// decodeResponses decodes a request of POST /responses into the words of the simulation.
func decodeResponses(data []byte) (*Body, error) {
	b := &Body{foreign: &foreign{path: pathResponses}}
	f := b.foreign
	if err := json.Unmarshal(data, &f.fields); err != nil {
		return nil, err
	}
	var in struct {
		Model        string            `json:"model"`
		Input        []json.RawMessage `json:"input"`
		Instructions string            `json:"instructions"`
		Max          *int              `json:"max_output_tokens"`
		Stream       bool              `json:"stream"`
		Store        *bool             `json:"store"`
		Include      []string          `json:"include"`
		Previous     string            `json:"previous_response_id"`
		Reasoning    struct {
			Effort  string `json:"effort"`
			Summary string `json:"summary"`
		} `json:"reasoning"`
		Text struct {
			Format json.RawMessage `json:"format"`
		} `json:"text"`
		Tools []map[string]json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, &decodeError{"input", "invalid type for a parameter"}
	}
	f.extra("", f.fields, "model", "input", "instructions", "max_output_tokens", "stream", "store", "include", "reasoning",
		"text", "tools", "tool_choice", "parallel_tool_calls", "temperature", "top_p", "truncation", "metadata",
		"prompt_cache_key", "previous_response_id", "user", "safety_identifier")
	if in.Previous != "" {
		f.refuse("stored responses", openAIError("previous_response_not_found", "previous_response_id",
			"Previous response with id '"+in.Previous+"' not found."))
	}
	if in.Store == nil || *in.Store {
		f.refuse("stored responses", openAIError("unsupported_value", "store", "store must be false"))
	}
	b.Model, b.Stream, b.MaxTokens, b.Effort, b.Format = in.Model, in.Stream, in.Max, in.Reasoning.Effort, in.Text.Format
	if in.Max != nil {
		f.maximum = "max_output_tokens"
	}
	for _, name := range in.Include {
		f.encrypt = f.encrypt || name == "reasoning.encrypted_content"
	}
	if f.encrypt || in.Reasoning.Summary != "" {
		b.Thinking = &Thinking{Type: "adaptive"}
		if in.Reasoning.Summary == "" {
			b.Thinking.Display = "omitted"
		}
	}
	if in.Instructions != "" {
		b.System = []Block{{Type: "text", Text: in.Instructions}}
	}
	f.responsesTools(b, in.Tools)
	f.responsesInput(b, in.Input)
	b.Raw = map[string]json.RawMessage{"tools": f.fields["tools"], "system": f.fields["instructions"],
		"messages": cacheAll(in.Input)}
	return b, nil
}

func (f *foreign) responsesTools(b *Body, tools []map[string]json.RawMessage) {
	for i, fields := range tools {
		path := fmt.Sprintf("tools[%d]", i)
		t := Tool{Raw: fields}
		_ = json.Unmarshal(fields["name"], &t.Name)
		_ = json.Unmarshal(fields["type"], &t.Type)
		if t.Type == "custom" { // its input is a text, as of Copilot's apply_patch
			f.extra(path+".", fields, "type", "name", "description", "format")
			b.Tools = append(b.Tools, t)
			continue
		}
		if t.Type == hostedSearch {
			f.checkSearch(path, fields)
			continue
		}
		f.extra(path+".", fields, "type", "name", "description", "parameters", "strict")
		if t.Type != "function" {
			f.refuse("tools", openAIError("invalid_value", path+".type", "Invalid value: '"+t.Type+"'."))
		}
		if _, ok := fields["strict"]; !ok {
			f.refuse("tools", openAIError("missing_required_parameter", path+".strict", "Missing required parameter."))
		}
		f.checkFunction(path, &t)
		b.Tools = append(b.Tools, t)
	}
}

// responsesInput reads the conversation.
func (f *foreign) responsesInput(b *Body, items []json.RawMessage) {
	thought := false // reasoning came right before
	for i, raw := range items {
		path := fmt.Sprintf("input[%d]", i)
		var it responsesItem
		if json.Unmarshal(raw, &it) != nil {
			f.refuse("shape", openAIError("invalid_type", path, "Invalid type for '"+path+"'."))
			continue
		}
		if it.Type == "" {
			it.Type = "message"
		}
		if thought && it.Type != "reasoning" && !it.speaks() {
			f.refuse("reasoning order", openAIError("invalid_request_body", path,
				"An item of type 'reasoning' was provided without its required following item."))
		}
		thought = it.Type == "reasoning"
		switch it.Type {
		case "message":
			f.responsesMessage(b, path, &it)
		case "function_call":
			if !json.Valid([]byte(it.Arguments)) {
				f.refuse("shape", openAIError("invalid_value", path+".arguments", "arguments must be JSON"))
				it.Arguments = "{}"
			}
			b.append("assistant", Block{Type: "tool_use", ID: it.CallID, Name: it.Name, Input: json.RawMessage(it.Arguments)})
		case "custom_tool_call":
			b.append("assistant", Block{Type: "tool_use", ID: it.CallID, Name: it.Name, Input: slices.Concat([]byte(`{"input":`), it.Input, []byte("}"))})
		case "function_call_output", "custom_tool_call_output":
			var text string
			if json.Unmarshal(it.Output, &text) != nil {
				f.refuse("shape", openAIError("invalid_type", path+".output", "Invalid type for '"+path+".output': expected a string."))
			}
			b.append("user", Block{Type: "tool_result", ToolUseID: it.CallID, Content: blockList{{Type: "text", Text: text}}})
		case "reasoning":
			if len(it.Summary) == 0 || it.Encrypted == "" {
				f.refuse("encrypted reasoning", openAIError("missing_required_parameter", path,
					"Item not found: reasoning is not stored; send its encrypted_content and summary."))
			}
			f.sealed = append(f.sealed, it.Encrypted)
			b.append("assistant", Block{Type: "thinking", Signature: it.Encrypted})
		default:
			f.refuse("shape", openAIError("invalid_value", path+".type", "Invalid value: '"+it.Type+"'."))
		}
	}
	if thought {
		f.refuse("reasoning order", openAIError("invalid_request_body", "input",
			"An item of type 'reasoning' was provided without its required following item."))
	}
	if len(items) == 0 {
		f.refuse("required fields", openAIError("missing_required_parameter", "input", "Missing required parameter: 'input'."))
	}
}

// speaks reports whether the item is something the model said.
func (it *responsesItem) speaks() bool {
	return strings.HasSuffix(it.Type, "_call") || it.Type == "message" && it.Role == "assistant"
}

func (f *foreign) responsesMessage(b *Body, path string, it *responsesItem) {
	var text string
	var parts []responsesPart
	if json.Unmarshal(it.Content, &text) == nil {
		parts = []responsesPart{{Type: "input_text", Text: text}}
	} else if json.Unmarshal(it.Content, &parts) != nil || len(parts) == 0 {
		f.refuse("shape", openAIError("invalid_type", path+".content", "Invalid type for '"+path+".content'."))
	}
	var blocks []Block
	for _, p := range parts {
		switch p.Type {
		case "input_text", "output_text":
			blocks = append(blocks, Block{Type: "text", Text: p.Text})
		case "refusal":
			blocks = append(blocks, Block{Type: "text", Text: p.Refusal})
		case "input_image":
			blocks = append(blocks, f.imageBlock(path, p.ImageURL))
		case "input_file":
			blocks = append(blocks, Block{Type: "document"})
		default:
			f.refuse("shape", openAIError("invalid_value", path+".content", "Invalid value: '"+p.Type+"'."))
		}
	}
	switch it.Role {
	case "system", "developer":
		b.System = append(b.System, blocks...)
	case "user", "assistant":
		b.append(it.Role, blocks...)
	default:
		f.refuse("roles", openAIError("invalid_value", path+".role", "Invalid value: '"+it.Role+"'."))
	}
}
