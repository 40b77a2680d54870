package translate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// request holds the used fields of a Messages request. It leaves out fields without a counterpart in the other APIs:
// cache marks, metadata, service tier, context management, top_k.
type request struct {
	Model        string          `json:"model"`
	System       blocks          `json:"system"`
	Messages     []message       `json:"messages"`
	MaxTokens    int64           `json:"max_tokens"`
	Stream       bool            `json:"stream"`
	Temperature  *float64        `json:"temperature"`
	TopP         *float64        `json:"top_p"`
	Stop         []string        `json:"stop_sequences"`
	Tools        []tool          `json:"tools"`
	ToolChoice   *toolChoice     `json:"tool_choice"`
	Thinking     *thinking       `json:"thinking"`
	OutputConfig outputConfig    `json:"output_config"`
	OutputFormat json.RawMessage `json:"output_format"` // where the beta of structured outputs had it
}

type message struct {
	Role    string `json:"role"`
	Content blocks `json:"content"`
}

type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
	Strict      bool            `json:"strict"`
}

type toolChoice struct {
	Type     string `json:"type"`
	Name     string `json:"name"`
	Serially bool   `json:"disable_parallel_tool_use"`
}

// mode returns the name of the choice in both APIs, except for the choice of one tool by name.
func (t *toolChoice) mode() string {
	switch t.Type {
	case "any":
		return "required"
	case "none":
		return "none"
	}
	return "auto"
}

type thinking struct {
	Type    string `json:"type"` // "enabled", "adaptive" or "disabled"
	Budget  int64  `json:"budget_tokens"`
	Display string `json:"display"` // "", "summarized" or "omitted"
}

type outputConfig struct {
	Effort string          `json:"effort"`
	Format json.RawMessage `json:"format"`
}

// block is a content block of any type; fields that do not belong to the type are empty.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	ToolName  string          `json:"tool_name"`
	IsError   bool            `json:"is_error"`
	Content   blocks          `json:"content"`
	Source    *source         `json:"source"`
	Title     string          `json:"title"`
}

// source is the origin of an image or a document. In a search result it is a plain string.
type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
	URL       string `json:"url"`
	Content   blocks `json:"content"`
}

func (s *source) UnmarshalJSON(data []byte) error {
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &s.URL)
	}
	type plain source
	return json.Unmarshal(data, (*plain)(s))
}

// blocks is a list of content blocks, or a string, which stands for one text block. Any other form, such as the result
// of a server's tool, is left out.
type blocks []block

func (l *blocks) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	switch {
	case len(data) > 0 && data[0] == '[':
		return json.Unmarshal(data, (*[]block)(l))
	case len(data) > 0 && data[0] == '"':
		b := block{Type: "text"}
		if err := json.Unmarshal(data, &b.Text); err != nil {
			return err
		}
		*l = blocks{b}
	}
	return nil
}

// RequestError reports that a request cannot be translated. Its text is for the client and names the place.
type RequestError struct {
	// Path is the place within the request, such as "messages.2.content.0".
	Path string
	// Reason describes the problem there and what to do.
	Reason string
}

// Error returns "path: reason".
func (e *RequestError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

func refuse(path, format string, args ...any) error {
	return &RequestError{Path: path, Reason: fmt.Sprintf(format, args...)}
}

// readRequest decodes the body of a Messages request.
func readRequest(body []byte) (*request, error) {
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		if te := (*json.UnmarshalTypeError)(nil); errors.As(err, &te) {
			return nil, refuse(te.Field, "Input should not be a JSON %s", te.Value)
		}
		return nil, refuse("", "the request is not a JSON object")
	}
	if len(r.Messages) == 0 {
		return nil, refuse("messages", "at least one message is required")
	}
	for i, m := range r.Messages {
		if m.Role != "user" && m.Role != "assistant" && m.Role != "system" {
			return nil, refuse(fmt.Sprintf("messages.%d.role", i), "Input should be 'user' or 'assistant'")
		}
	}
	return &r, nil
}
