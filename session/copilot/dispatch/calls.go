package dispatch

import (
	"context"
	"encoding/json"

	"parley/session/copilot/protocol"
)

// Session is a session of the client, as its owner adds it to a [Router].
type Session struct {
	// Tools are the client's tools. A call of another tool is refused.
	Tools []protocol.Tool
	// Agents are the custom agents, whose lists of tools bound what their children may call.
	Agents []protocol.Agent
	Handlers
}

// Handlers handle what the runtime reports and asks in one session. Event is called in order, must not block and gets every
// event before a handler that answers it, except those that are dropped: system.message and most of model.*. Each other handler
// runs in a goroutine and may block. Its context ends when the request is completed elsewhere, cancelled or aborted, when the
// session is removed, and when the connection ends; the answer is then dropped. A nil handler refuses what is asked, or
// leaves it to another client of the runtime where the protocol allows that.
type Handlers struct {
	Event       func(protocol.Event)
	Tool        func(context.Context, ToolCall) protocol.ToolResult
	Permission  func(context.Context, PermissionCall) PermissionDecision
	UserInput   func(context.Context, UserInputCall) (UserInputAnswer, error)
	Elicitation func(context.Context, ElicitationCall) ElicitationAnswer
	ExitPlan    func(context.Context, ExitPlanCall) ExitPlanAnswer
	// AutoMode answers "yes", "yes_always" or "no" to the offer of another model after a rate limit.
	AutoMode func(context.Context, AutoModeCall) string
	// Hook returns the output of a hook, nil for none.
	Hook func(context.Context, HookCall) (json.RawMessage, error)
}

// Origin tells who asks.
type Origin struct {
	// Session is the id of the session whose handler is called.
	Session string
	// Agent is the id of the child agent as in [protocol.Event], empty for the session itself.
	Agent string
	// AgentName is the name of the child's agent, and Task the tool call that started the child. Both may be empty.
	AgentName, Task string
	// Request identifies the request, empty for a hook and in protocol version 2.
	Request string
}

// ToolCall is a call of a tool of the client.
type ToolCall struct {
	Origin
	ID        string // of the tool call
	Name      string
	Arguments json.RawMessage
	Dir       string // working directory, empty if unknown
}

// PermissionCall asks whether the runtime may do something.
type PermissionCall struct {
	Origin
	// Kind is shell, write, read, mcp, url, memory, custom-tool, hook or one that is not known.
	Kind string
	// Call is the id of the tool call, empty for none.
	Call string
	// Data is the request with its kind; the guard decodes it. Prompt is the runtime's own words for it, nil for none.
	Data, Prompt json.RawMessage
}

// The kinds of a [PermissionDecision].
const (
	ApproveOnce       = "approve-once"
	ApproveForSession = "approve-for-session"
	Reject            = "reject"
	NotAvailable      = "user-not-available"
)

// PermissionDecision answers a [PermissionCall]. In protocol version 2 the router sends the older words for it.
type PermissionDecision struct {
	Kind string `json:"kind"`
	// Feedback reaches the model with Reject.
	Feedback string `json:"feedback,omitempty"`
	// Approval is the subject of an approval with ApproveForSession.
	Approval json.RawMessage `json:"approval,omitempty"`
}

// UserInputCall is a question of the model.
type UserInputCall struct {
	Origin
	Question string   `json:"question"`
	Choices  []string `json:"choices"`
	// Freeform permits an answer that is not among the choices; nil: it does.
	Freeform *bool  `json:"allowFreeform"`
	Call     string `json:"toolCallId"` // empty if unknown
}

// UserInputAnswer answers a [UserInputCall].
type UserInputAnswer struct {
	Answer   string `json:"answer"`
	Freeform bool   `json:"wasFreeform"`
}

// ElicitationCall asks the user to fill in a form or to visit a page.
type ElicitationCall struct {
	Origin
	Message string          `json:"message"`
	Mode    string          `json:"mode"` // "form", "url" or empty for a form
	Schema  json.RawMessage `json:"requestedSchema"`
	URL     string          `json:"url"`
	Source  string          `json:"elicitationSource"` // MCP server, empty for the agent
	Call    string          `json:"toolCallId"`        // empty if unknown
}

// ElicitationAnswer answers an [ElicitationCall]: "accept" with the content, "decline" or "cancel".
type ElicitationAnswer struct {
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// ExitPlanCall asks whether the plan is approved.
type ExitPlanCall struct {
	Origin
	Summary     string   `json:"summary"`
	Plan        string   `json:"planContent"`
	Actions     []string `json:"actions"`
	Recommended string   `json:"recommendedAction"`
}

// ExitPlanAnswer answers an [ExitPlanCall].
type ExitPlanAnswer struct {
	Approved bool   `json:"approved"`
	Action   string `json:"selectedAction,omitempty"` // one of the call's, empty for the recommended one
	// AutoApproveEdits lets the runtime change files without asking.
	AutoApproveEdits bool   `json:"autoApproveEdits,omitempty"`
	Feedback         string `json:"feedback,omitempty"`
}

// AutoModeCall offers to go on with another model after a rate limit.
type AutoModeCall struct {
	Origin
	Error      string  `json:"errorCode"`
	RetryAfter float64 `json:"retryAfterSeconds"` // 0 if unknown
}

// HookCall is a call of a hook.
type HookCall struct {
	Origin
	Hook  string // such as preToolUse
	Input json.RawMessage
}
