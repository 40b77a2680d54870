package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
)

// Request is the body of a request to the Messages API. Fields that the service refuses when empty are left out.
type Request struct {
	Model        string        `json:"model"`
	MaxTokens    int64         `json:"max_tokens"`
	System       []Content     `json:"system"`
	Tools        []Tool        `json:"tools,omitempty"`
	ToolChoice   *toolChoice   `json:"tool_choice,omitempty"`
	Messages     []Message     `json:"messages"`
	Thinking     *thinking     `json:"thinking,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`

	Betas []string `json:"-"` // for the header
}

type thinking struct {
	Type    string `json:"type"` // "adaptive" or "enabled"
	Budget  int64  `json:"budget_tokens,omitempty"`
	Display string `json:"display,omitempty"` // "summarized": some models send nothing to read otherwise
}

type toolChoice struct {
	Type string `json:"type"` // "none"
}

type outputConfig struct {
	Effort string        `json:"effort,omitempty"`
	Format *outputFormat `json:"format,omitempty"`
}

// outputFormat is the form of an answer.
type outputFormat struct {
	Type   string          `json:"type"` // "json_schema"
	Schema json.RawMessage `json:"schema"`
}

// maxShape bounds the schema of an answer, in bytes: services refuse those that are too much for them.
const maxShape = 16 << 10

// Shape makes the service hold the answer to a schema, if the model has that and every service takes such a schema.
func (r *Request) Shape(schema string, m session.Model) {
	var words map[string]json.RawMessage
	if !m.Structured || len(schema) > maxShape || json.Unmarshal([]byte(schema), &words) != nil {
		return
	}
	delete(words, "$schema") // which draft it follows
	shape, err := json.Marshal(words)
	if err != nil || !tool.StrictObject(shape) {
		return
	}
	if r.OutputConfig == nil {
		r.OutputConfig = &outputConfig{}
	}
	r.OutputConfig.Format = &outputFormat{Type: "json_schema", Schema: shape}
}

// Shaped reports whether the service is to hold the answer to a schema.
func (r *Request) Shaped() bool { return r.OutputConfig != nil && r.OutputConfig.Format != nil }

const (
	// fallbackModel is used when the models of the login are unknown.
	fallbackModel = "claude-sonnet-4.5"
	// unknownMaxOutput is an output that every recent model supports, in tokens.
	unknownMaxOutput = 8192
	// maxOutput bounds one answer in tokens; a longer one comes in several.
	maxOutput = 64000
	// thinkingBudget is the budget for a model that takes one, within the model's bounds.
	thinkingBudget = 16000
	// InterleavedThinking lets models with a budget think between tool calls. Adaptive ones do so anyway.
	InterleavedThinking = "interleaved-thinking-2025-05-14"
)

// ChooseModel returns the user's model, or the default if they chose none.
func ChooseModel(models []session.Model, chosen string) session.Model {
	if chosen != "" {
		if i := slices.IndexFunc(models, func(m session.Model) bool { return m.ID == chosen }); i >= 0 {
			return models[i]
		}
		return session.Model{ID: chosen}
	}
	usable := slices.DeleteFunc(slices.Clone(models), func(m session.Model) bool { return m.Unusable != "" || m.ID == "" })
	if len(usable) == 0 {
		return session.Model{ID: fallbackModel}
	}
	slices.SortStableFunc(usable, func(a, b session.Model) int { return cmp.Compare(preference(a), preference(b)) })
	return usable[0]
}

// preference ranks models for a session without a chosen one: the catalogue's default, then Claude models of the middle
// size.
func preference(m session.Model) int {
	id := strings.ToLower(m.ID)
	switch {
	case m.Default:
		return 0
	case strings.Contains(id, "claude") && strings.Contains(id, "sonnet"):
		return 1
	case strings.Contains(id, "claude"):
		return 2
	default:
		return 3
	}
}

// NewRequest returns a request. It is pure.
func NewRequest(m session.Model, effort, system string, tools []Tool, messages []Message) Request {
	r := Request{Model: m.ID, MaxTokens: unknownMaxOutput, System: []Content{{Type: "text", Text: system}}}
	if m.MaxOutput > 0 {
		r.MaxTokens = min(m.MaxOutput, maxOutput)
	}
	switch {
	case m.AdaptiveThinking:
		r.Thinking = &thinking{Type: "adaptive", Display: "summarized"}
	case m.MaxThinking > 0 && thinkingMayGoOn(messages):
		// The budget counts towards the answer's limit and must be smaller.
		budget := min(max(thinkingBudget, m.MinThinking), m.MaxThinking, r.MaxTokens-1)
		if budget >= max(m.MinThinking, 1024) {
			r.Thinking = &thinking{Type: "enabled", Budget: budget, Display: "summarized"}
			r.Betas = append(r.Betas, InterleavedThinking)
		}
	}
	if effort != "" && slices.Contains(m.Efforts, effort) {
		r.OutputConfig = &outputConfig{Effort: effort}
	}
	r.Tools = slices.Clone(tools)
	r.Messages = messages
	r.markCaches()
	return r
}

// ForbidCalls lets the model call nothing. It offers no tools; where the conversation has calls the service wants to know their tools,
// so that they stay, with the choice of none.
func (r *Request) ForbidCalls() {
	for _, m := range r.Messages {
		if slices.ContainsFunc(m.Content, func(c Content) bool { return c.Type == "tool_use" || c.Type == "tool_result" }) {
			r.ToolChoice = &toolChoice{"none"}
			return
		}
	}
	r.Tools = nil
}

// Remind ends the last message with a note, behind the cache marks: the next request, which has the same messages without
// it, finds what this one cached. Messages end with one of the user. It changes nothing
// shared.
func (r *Request) Remind(note string) {
	if note == "" || len(r.Messages) == 0 {
		return
	}
	last := &r.Messages[len(r.Messages)-1]
	last.Content = append(slices.Clone(last.Content), Content{Type: "text", Text: note})
}

// thinkingMayGoOn reports whether thinking with a budget may be requested. Within a run of tool calls the service
// requires the preceding thinking, which is missing if another model began the turn.
func thinkingMayGoOn(messages []Message) bool {
	n := len(messages)
	if n < 2 || len(messages[n-1].Content) == 0 || messages[n-1].Content[0].Type != "tool_result" {
		return true
	}
	before := messages[n-2].Content
	return len(before) > 0 && before[0].isThinking()
}

// markCaches sets the cache marks, of which the service allows four: after the system prompt, after the last two user messages,
// so that a request finds what the one before cached, and after the tools. Where other models answered since the last answer
// of this one, the mark of the tools stands where this one's last request ended: the service looks back only about 20 blocks
// from a mark. It changes nothing shared.
func (r *Request) markCaches() {
	ephemeral := &CacheControl{Type: "ephemeral"}
	r.System[len(r.System)-1].CacheControl = ephemeral
	marks := []int{}
	for i := len(r.Messages) - 1; i >= 0 && len(marks) < 2; i-- {
		if r.Messages[i].Role == "user" {
			marks = append(marks, i)
		}
	}
	if at := r.lastAsked(); at >= 0 && !slices.Contains(marks, at) {
		marks = append(marks, at)
	} else if n := len(r.Tools); n > 0 {
		r.Tools[n-1].CacheControl = ephemeral
	}
	r.Messages = slices.Clone(r.Messages)
	for _, i := range marks {
		content := slices.Clone(r.Messages[i].Content)
		content[len(content)-1].CacheControl = ephemeral
		r.Messages[i].Content = content
	}
}

// lastAsked returns the message with which the last request to this model ended, -1 if unknown.
func (r *Request) lastAsked() int {
	for i := len(r.Messages) - 1; i > 0; i-- {
		if m := r.Messages[i]; m.Role == "assistant" && m.Model == r.Model {
			return i - 1
		}
	}
	return -1
}

// Tool is a tool in a request of the Messages API.
type Tool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema"`
	Strict       bool            `json:"strict,omitempty"` // the service holds the model to the schema
	CacheControl *CacheControl   `json:"cache_control,omitempty"`
}

// Window returns the tokens that a model can read, 0 if unknown; the service refuses prompts beyond MaxPrompt even if the
// window is larger.
func Window(m session.Model) int64 {
	if m.MaxPrompt > 0 {
		return m.MaxPrompt
	}
	return m.ContextWindow
}
