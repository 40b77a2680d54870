package mapper

import (
	"encoding/json"
	"strings"

	"parley/session/claude/transcript"
)

// line is the union of the messages that the runtime prints. Only the type tells them apart: the native runtime prints the
// type of a result late in the object.
type line struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	SessionID string          `json:"session_id"`
	ParentID  string          `json:"parent_tool_use_id"`
	Event     json.RawMessage `json:"event"`
	Message   json.RawMessage `json:"message"`
	// Error is set on a retry and on the synthetic assistant message of a failed request.
	Error       string `json:"error"`
	IsReplay    bool   `json:"isReplay"`
	IsSynthetic bool   `json:"isSynthetic"`
	// ToolUseResult is an object whose shape depends on the tool, or a string.
	ToolUseResult  json.RawMessage `json:"tool_use_result"`
	ToolResultMeta []resultMeta    `json:"tool_result_meta"`

	// of system messages
	Model          string          `json:"model"`
	PermissionMode string          `json:"permissionMode"`
	Version        string          `json:"claude_code_version"`
	Status         string          `json:"status"`
	Attempt        int             `json:"attempt"`
	MaxRetries     int             `json:"max_retries"`
	RetryDelayMS   float64         `json:"retry_delay_ms"`
	ErrorStatus    *int            `json:"error_status"`
	Compact        compactMetadata `json:"compact_metadata"`
	TaskID         string          `json:"task_id"`
	Patch          struct {
		Status string `json:"status"`
	} `json:"patch"` // what has changed of a task
	State        string `json:"state"`
	TaskType     string `json:"task_type"`
	ToolUseID    string `json:"tool_use_id"`
	Description  string `json:"description"`
	AgentKind    string `json:"subagent_type"`
	AgentID      string `json:"agent_id"`
	AgentTask    string `json:"task_description"`
	Summary      string `json:"summary"`
	IsReport     bool   `json:"summary_is_report"`
	Title        string `json:"title"`
	Fallback     string `json:"fallback_model"`
	Content      string `json:"content"`
	Level        string `json:"level"`
	NewSessionID string `json:"new_conversation_id"`
	HookName     string `json:"hook_name"`
	HookEvent    string `json:"hook_event"`
	HookExit     int    `json:"exit_code"`
	HookStdout   string `json:"stdout"`
	HookStderr   string `json:"stderr"`
	// Prevents marks the reason why something was stopped.
	Prevents    bool          `json:"prevent_continuation"`
	Submit      submitOutcome `json:"prompt_submit_outcome"`
	HookOutput  string        `json:"output"`
	HookOutcome string        `json:"outcome"`
	RateLimit   rateLimit     `json:"rate_limit_info"`

	// of results
	IsError        bool                  `json:"is_error"`
	APIErrorStatus *int                  `json:"api_error_status"`
	StopReason     string                `json:"stop_reason"`
	Result         string                `json:"result"`
	Errors         []string              `json:"errors"`
	TerminalReason string                `json:"terminal_reason"`
	DurationMS     float64               `json:"duration_ms"`
	Usage          usage                 `json:"usage"`
	ModelUsage     map[string]modelUsage `json:"modelUsage"`

	// of control messages
	RequestID string          `json:"request_id"`
	Request   json.RawMessage `json:"request"`
}

type resultMeta struct {
	ID       string `json:"id"`
	Decision struct {
		Decision string `json:"decision"`
		Source   string `json:"source"`
	} `json:"permission_decision"`
}

// submitOutcome is the reason why a prompt was not taken up, in 2.1.330.
type submitOutcome struct {
	Reason string `json:"reason"`
}

type compactMetadata struct {
	Trigger    string `json:"trigger"`
	PreTokens  int64  `json:"pre_tokens"`
	PostTokens int64  `json:"post_tokens"`
}

// rateLimit is the state of one allowance.
type rateLimit struct {
	Status      string  `json:"status"`
	Kind        string  `json:"rateLimitType"`
	ResetsAt    int64   `json:"resetsAt"`    // Unix time
	Utilization float64 `json:"utilization"` // 0 to 1
}

type usage struct {
	Input      int64 `json:"input_tokens"`
	Output     int64 `json:"output_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
}

type modelUsage struct {
	ContextWindow int64 `json:"contextWindow"`
}

// streamEvent is an event of the Messages API.
type streamEvent struct {
	Type    string      `json:"type"`
	Index   int         `json:"index"`
	Message message     `json:"message"`
	Block   block       `json:"content_block"`
	Delta   streamDelta `json:"delta"`
}

type streamDelta struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Thinking string `json:"thinking"`
	JSON     string `json:"partial_json"`
}

// message is a message of the Messages API. Content is a list of blocks, or a string in some user messages.
type message struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"`
	Usage   usage           `json:"usage"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// words returns the text of a text block and the reasoning of a thinking block.
func (b block) words() string { return b.Text + b.Thinking }

// blocks returns the content blocks of a message; a string counts as one text block.
func (m message) blocks() []block { return blocksOf(m.Content) }

// blocksOf reads content with the reader of transcripts: decoding long tool results with encoding/json would take most of
// the time of opening a long session.
func blocksOf(content json.RawMessage) []block {
	var list []block
	for _, b := range transcript.Blocks(content) {
		list = append(list, blockFrom(b))
	}
	return list
}

// textOf joins the text blocks of a tool result, and names the others.
func textOf(content json.RawMessage) string {
	var parts []string
	for _, b := range blocksOf(content) {
		switch b.Type {
		case "text":
			parts = append(parts, b.Text)
		case "":
		default:
			parts = append(parts, "["+strings.ReplaceAll(b.Type, "_", " ")+"]")
		}
	}
	return strings.Join(parts, "\n")
}
