package translate

// This file has the request bodies of both APIs, with exactly the fields that a translation sets. They are in the order
// of the official SDK, so that both write equal bodies: prompt caches compare bytes. A field of type any contains one
// of the types named beside it.

// responsesRequest is the body of POST /responses.
type responsesRequest struct {
	Instructions      string             `json:"instructions,omitempty"`
	MaxOutputTokens   int64              `json:"max_output_tokens,omitempty"`
	ParallelToolCalls *bool              `json:"parallel_tool_calls,omitempty"`
	PromptCacheKey    string             `json:"prompt_cache_key,omitempty"`
	Store             bool               `json:"store"`
	Temperature       *float64           `json:"temperature,omitempty"`
	TopP              *float64           `json:"top_p,omitempty"`
	Include           []string           `json:"include,omitempty"`
	Input             []any              `json:"input,omitempty"` // inputMessage, inputReasoning, inputCall, inputResult
	Model             string             `json:"model,omitempty"`
	Reasoning         responsesReasoning `json:"reasoning,omitzero"`
	Text              *responsesText     `json:"text,omitempty"`
	ToolChoice        any                `json:"tool_choice,omitempty"` // string, namedTool
	Tools             []responsesTool    `json:"tools,omitempty"`
	Stream            bool               `json:"stream"`
}

type responsesReasoning struct {
	Effort  string `json:"effort,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type responsesText struct {
	Format responsesFormat `json:"format"`
}

type responsesFormat struct {
	Name   string         `json:"name"`
	Schema map[string]any `json:"schema"`
	Strict bool           `json:"strict"`
	Type   string         `json:"type"`
}

type responsesTool struct {
	Strict      bool           `json:"strict"`
	Parameters  map[string]any `json:"parameters"`
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Type        string         `json:"type"`
}

// namedTool is the choice of one tool in a Responses request.
type namedTool struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type inputMessage struct {
	Content any    `json:"content"` // string, []any of inputText, inputImage, inputFile
	Role    string `json:"role"`
}

type inputText struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

type inputImage struct {
	Detail   string `json:"detail"`
	ImageURL string `json:"image_url"`
	Type     string `json:"type"`
}

type inputFile struct {
	FileData string `json:"file_data"`
	Filename string `json:"filename"`
	Type     string `json:"type"`
}

type inputReasoning struct {
	ID               string     `json:"id"`
	Summary          []struct{} `json:"summary"`
	EncryptedContent string     `json:"encrypted_content"`
	Type             string     `json:"type"`
}

type inputCall struct {
	Arguments string `json:"arguments"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Type      string `json:"type"`
}

type inputResult struct {
	Output string `json:"output"`
	CallID string `json:"call_id"`
	Type   string `json:"type"`
}

// chatRequest is the body of POST /chat/completions.
type chatRequest struct {
	Messages            []any              `json:"messages,omitempty"` // chatMessage, chatAnswer, chatResult
	Model               string             `json:"model"`
	MaxCompletionTokens int64              `json:"max_completion_tokens,omitempty"`
	MaxTokens           int64              `json:"max_tokens,omitempty"`
	Temperature         *float64           `json:"temperature,omitempty"`
	TopP                *float64           `json:"top_p,omitempty"`
	ParallelToolCalls   *bool              `json:"parallel_tool_calls,omitempty"`
	ReasoningEffort     string             `json:"reasoning_effort,omitempty"`
	StreamOptions       *chatStreamOptions `json:"stream_options,omitempty"`
	ResponseFormat      *chatFormat        `json:"response_format,omitempty"`
	ToolChoice          any                `json:"tool_choice,omitempty"` // string, chatToolChoice
	Tools               []chatTool         `json:"tools,omitempty"`
	Stream              bool               `json:"stream"`
	ThinkingBudget      int64              `json:"thinking_budget,omitempty"` // tokens; the Copilot API's own
}

type chatStreamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatFormat struct {
	JSONSchema chatSchema `json:"json_schema"`
	Type       string     `json:"type"`
}

type chatSchema struct {
	Name   string         `json:"name"`
	Strict bool           `json:"strict"`
	Schema map[string]any `json:"schema"`
}

type chatTool struct {
	Function chatFunction `json:"function"`
	Type     string       `json:"type"`
}

type chatFunction struct {
	Name        string         `json:"name"`
	Strict      bool           `json:"strict,omitempty"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters"`
}

// chatToolChoice is the choice of one tool in a Chat Completions request.
type chatToolChoice struct {
	Function chatToolName `json:"function"`
	Type     string       `json:"type"`
}

type chatToolName struct {
	Name string `json:"name"`
}

// chatMessage is a message of the user or of the system.
type chatMessage struct {
	Content any    `json:"content"` // string, []any of chatText, chatImage, chatFile
	Role    string `json:"role"`
}

type chatText struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

type chatImage struct {
	ImageURL chatURL `json:"image_url"`
	Type     string  `json:"type"`
}

type chatURL struct {
	URL string `json:"url"`
}

type chatFile struct {
	File chatFileData `json:"file"`
	Type string       `json:"type"`
}

type chatFileData struct {
	FileData string `json:"file_data"`
	Filename string `json:"filename"`
}

// chatResult is the result of a tool.
type chatResult struct {
	Content    string `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	Role       string `json:"role"`
}

// chatAnswer is a message of the assistant. The last two fields are additions of the Copilot API.
type chatAnswer struct {
	Content         string         `json:"content,omitempty"`
	ToolCalls       []chatToolCall `json:"tool_calls,omitempty"`
	Role            string         `json:"role"`
	ReasoningOpaque string         `json:"reasoning_opaque,omitempty"`
	ReasoningText   string         `json:"reasoning_text,omitempty"`
}

type chatToolCall struct {
	ID       string             `json:"id"`
	Function chatCalledFunction `json:"function"`
	Type     string             `json:"type"`
}

type chatCalledFunction struct {
	Arguments string `json:"arguments"`
	Name      string `json:"name"`
}
