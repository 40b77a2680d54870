package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"parley/copilot/sim/script"
)

// Body is a decoded request of the Messages API, with the fields that the simulation uses. Raw has the rest. A request in one
// of OpenAI's protocols is put into the same words.
type Body struct {
	Raw       map[string]json.RawMessage // top-level fields as received
	Model     string
	MaxTokens *int
	Stream    bool
	System    []Block // a string becomes one text block
	Messages  []Message
	Tools     []Tool
	Thinking  *Thinking
	Effort    string          // output_config.effort
	Format    json.RawMessage // output_config.format

	foreign *foreign // of a request in one of OpenAI's protocols, nil for the Messages API
}

// Message is one message of the conversation.
type Message struct {
	Role   string
	Blocks []Block  // a string becomes one text block
	Plain  bool     // the content was a string
	Keys   []string // fields of the message object
}

// Block is one content block. Fields that do not belong to its type are empty.
type Block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Source    *Source         `json:"source"`
	Cache     json.RawMessage `json:"cache_control"`
	Content   blockList       `json:"content"` // of a tool_result; a string becomes one text block
}

// Source is where an image or document comes from.
type Source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	URL       string `json:"url"`
}

// Tool is one offered tool.
type Tool struct {
	Type  string
	Name  string
	Raw   map[string]json.RawMessage
	Cache json.RawMessage
}

// Thinking is the thinking configuration.
type Thinking struct {
	Type    string `json:"type"` // "enabled", "adaptive" or "disabled"
	Budget  int    `json:"budget_tokens"`
	Display string `json:"display"` // "", "summarized" or "omitted"
}

// blockList decodes a string or a list of blocks. Other forms (server tool results) are left out.
type blockList []Block

func (l *blockList) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '[' && data[0] != '"' {
		return nil
	}
	blocks, _, err := decodeContent(data)
	*l = blocks
	return err
}

// decodeContent decodes a string or a list of blocks and reports which it was.
func decodeContent(data json.RawMessage) (blocks []Block, plain bool, err error) {
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) > 0 && trimmed[0] == '"' {
		var s string
		if err := json.Unmarshal(trimmed, &s); err != nil {
			return nil, true, err
		}
		return []Block{{Type: "text", Text: s}}, true, nil
	}
	err = json.Unmarshal(trimmed, &blocks)
	return blocks, false, err
}

// decodeError says where a body has the wrong shape, in the words of the service.
type decodeError struct{ path, message string }

func (e *decodeError) Error() string { return e.path + ": " + e.message }

// decodeBody decodes a request. An error is a *decodeError, or a syntax error if it is not JSON at all. Missing fields
// are not errors here.
func decodeBody(data []byte) (*Body, error) {
	b := &Body{}
	if err := json.Unmarshal(data, &b.Raw); err != nil {
		return nil, err
	}
	scalar := func(name string, into any, want string) error {
		raw, ok := b.Raw[name]
		if !ok {
			return nil
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return &decodeError{name, "Input should be a valid " + want}
		}
		return nil
	}
	var config struct {
		Effort string          `json:"effort"`
		Format json.RawMessage `json:"format"`
	}
	for _, err := range []error{
		scalar("model", &b.Model, "string"), scalar("max_tokens", &b.MaxTokens, "integer"),
		scalar("stream", &b.Stream, "boolean"), scalar("thinking", &b.Thinking, "dictionary or object to extract fields from"),
		scalar("output_config", &config, "dictionary or object to extract fields from"),
	} {
		if err != nil {
			return nil, err
		}
	}
	b.Effort, b.Format = config.Effort, config.Format
	if raw, ok := b.Raw["system"]; ok {
		blocks, _, err := decodeContent(raw)
		if err != nil {
			return nil, &decodeError{"system", "Input should be a valid list"}
		}
		b.System = blocks
	}
	if err := b.decodeTools(); err != nil {
		return nil, err
	}
	return b, b.decodeMessages()
}

func (b *Body) decodeTools() error {
	raw, ok := b.Raw["tools"]
	if !ok {
		return nil
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return &decodeError{"tools", "Input should be a valid list"}
	}
	for i, fields := range list {
		t := Tool{Raw: fields, Cache: fields["cache_control"]}
		for name, into := range map[string]*string{"name": &t.Name, "type": &t.Type} {
			if v, ok := fields[name]; ok && json.Unmarshal(v, into) != nil {
				return &decodeError{fmt.Sprintf("tools.%d.%s", i, name), "Input should be a valid string"}
			}
		}
		b.Tools = append(b.Tools, t)
	}
	return nil
}

func (b *Body) decodeMessages() error {
	raw, ok := b.Raw["messages"]
	if !ok {
		return nil
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return &decodeError{"messages", "Input should be a valid list"}
	}
	for i, fields := range list {
		m := Message{}
		for k := range fields {
			m.Keys = append(m.Keys, k)
		}
		if v, ok := fields["role"]; ok && json.Unmarshal(v, &m.Role) != nil {
			return &decodeError{fmt.Sprintf("messages.%d.role", i), "Input should be a valid string"}
		}
		content, ok := fields["content"]
		if !ok {
			return &decodeError{fmt.Sprintf("messages.%d.content", i), "Field required"}
		}
		var err error
		if m.Blocks, m.Plain, err = decodeContent(content); err != nil {
			return &decodeError{fmt.Sprintf("messages.%d.content", i), "Input should be a valid list"}
		}
		b.Messages = append(b.Messages, m)
	}
	return nil
}

// reminders are notes that agent runtimes put into user messages; they are not the user's words.
var reminders = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<system-reminder>.*?</system-reminder>|\[Request interrupted by user[^\]]*\]` +
		// Claude Code 2.1.112 tells about a switch of the model as if the user had typed the command.
		`|<local-command-caveat>.*?</local-command-caveat>|<command-name>/model</command-name>.*?</command-args>|<local-command-stdout>Set model to .*?</local-command-stdout>`)
})

// situation returns what a script matches on.
func (b *Body) situation() script.Situation {
	st := script.Situation{
		Model: b.Model, Format: b.Format, Thinks: b.Thinking != nil && b.Thinking.Type != "disabled",
		Conversation: sha256.Sum256(b.Raw["messages"]),
	}
	for _, t := range b.Tools {
		st.Tools = append(st.Tools, t.Name)
	}
	calls := map[string]string{}
	prompted := false // the message before was a prompt: what follows at once belongs to it
	for _, blk := range b.System {
		st.System += blk.Text + "\n"
	}
	for i, m := range b.Messages {
		if m.Role == "assistant" {
			prompted = false
			st.Round++
			for _, blk := range m.Blocks {
				if blk.Type == "tool_use" {
					calls[blk.ID] = blk.Name
				}
			}
			continue
		}
		st.Context += blockText(m.Blocks) + "\n"
		text := userText(m)
		for _, blk := range m.Blocks {
			if blk.Type != "tool_result" {
				continue
			}
			if i == len(b.Messages)-1 {
				st.Results = append(st.Results, script.Result{Tool: calls[blk.ToolUseID], Text: blockText(blk.Content),
					IsError: blk.IsError})
			}
		}
		if m.Role != "user" || text == "" {
			continue
		}
		// Words beside tool results are a new prompt, too: after an interrupt clients send both in one message.
		st.Prompt, st.Results, st.Round = text, nil, 0
		if !prompted {
			st.Turn++
		}
		prompted = true
	}
	if n := len(b.Messages); n > 0 {
		st.Note = strings.Join(reminders().FindAllString(blockText(b.Messages[n-1].Blocks), -1), "\n")
	}
	return st
}

// userText is the user's own words in a message.
func userText(m Message) string {
	return strings.TrimSpace(reminders().ReplaceAllString(blockText(m.Blocks), ""))
}

// blockText joins the text blocks of a list.
func blockText(blocks []Block) string {
	var parts []string
	for _, blk := range blocks {
		if blk.Type == "text" {
			parts = append(parts, blk.Text)
		}
	}
	return strings.Join(parts, "\n")
}
