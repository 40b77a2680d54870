package mapper

import (
	"encoding/json"
	"time"

	"parley/session/copilot/protocol"
)

// decode reads the data of an event. A field of an unexpected shape does not hide the others.
func decode[T any](e protocol.Event) (data T) {
	if len(e.Data) == 0 {
		return data
	}
	json.Unmarshal(e.Data, &data) // what could be read counts
	return data
}

type userMessage struct {
	Content      string       `json:"content"`
	MessageID    string       `json:"messageId"`
	Source       string       `json:"source"`
	Delivery     string       `json:"delivery"` // idle, steering or queued
	Continuation bool         `json:"isAutopilotContinuation"`
	Attachments  []attachment `json:"attachments"`
}

type attachment struct {
	Type        string `json:"type"` // file, directory, selection, blob or a GitHub reference
	Path        string `json:"path"`
	FilePath    string `json:"filePath"`
	DisplayName string `json:"displayName"`
	Text        string `json:"text"`
	Data        []byte `json:"data"`
	MimeType    string `json:"mimeType"`
	Selection   struct {
		Start struct{ Line int } `json:"start"`
		End   struct{ Line int } `json:"end"`
	} `json:"selection"`
}

// streamed are the fields of all events of an answer being streamed.
type streamed struct {
	MessageID   string `json:"messageId"`
	ReasoningID string `json:"reasoningId"`
	Delta       string `json:"deltaContent"`
	Content     string `json:"content"`
	ParentCall  string `json:"parentToolCallId"`
	Call        string `json:"toolCallId"`
	ToolName    string `json:"toolName"`
	ToolType    string `json:"toolType"` // function or custom
	InputDelta  string `json:"inputDelta"`
}

type assistantMessage struct {
	MessageID  string        `json:"messageId"`
	Content    string        `json:"content"`
	Reasoning  string        `json:"reasoningText"`
	ParentCall string        `json:"parentToolCallId"`
	Chunks     int           `json:"chunkCount"`
	Requests   []toolRequest `json:"toolRequests"`
}

type toolRequest struct {
	Call       string          `json:"toolCallId"`
	Name       string          `json:"name"`
	Arguments  json.RawMessage `json:"arguments"`
	Server     string          `json:"mcpServerName"`
	ServerTool string          `json:"mcpToolName"`
}

// permissionData has the members of a permission request and of its answer that are read.
type permissionData struct {
	Request    string `json:"requestId"`
	Permission struct {
		Kind string `json:"kind"`
		Call string `json:"toolCallId"`
		Line string `json:"fullCommandText"`
	} `json:"permissionRequest"`
	Result struct {
		Kind string `json:"kind"`
	} `json:"result"`
}

type toolStart struct {
	Call       string          `json:"toolCallId"`
	Name       string          `json:"toolName"`
	Arguments  json.RawMessage `json:"arguments"`
	ParentCall string          `json:"parentToolCallId"`
	Server     string          `json:"mcpServerName"`
	ServerTool string          `json:"mcpToolName"`
}

type toolOutput struct {
	Call    string `json:"toolCallId"`
	Partial string `json:"partialOutput"` // everything so far, or the end of it
	Text    string `json:"text"`          // what is new
}

type toolComplete struct {
	Call    string `json:"toolCallId"`
	Success bool   `json:"success"`
	Result  struct {
		Content  string        `json:"content"`         // for the model
		Detailed string        `json:"detailedContent"` // for the user
		Contents []toolContent `json:"contents"`
		Binary   []toolContent `json:"binaryResultsForLlm"`
	} `json:"result"`
	Error struct {
		Message string `json:"message"`
		Code    string `json:"code"` // failure, denied, rejected, timeout and others
	} `json:"error"`
	Shell *struct {
		ExitCode *int `json:"exitCode"`
	} `json:"shellExecution"`
	Telemetry struct {
		Metrics struct {
			ExitCode *int `json:"exitCode"`
		} `json:"metrics"`
	} `json:"toolTelemetry"`
}

type toolContent struct {
	Type     string `json:"type"`
	Data     []byte `json:"data"`
	MimeType string `json:"mimeType"`
	ExitCode *int   `json:"exitCode"`
	FilePath string `json:"outputFilePath"`
	Cut      bool   `json:"outputTruncated"`
	CWD      string `json:"cwd"`
}

type subagent struct {
	Call        string `json:"toolCallId"`
	Name        string `json:"agentName"`
	DisplayName string `json:"agentDisplayName"`
	Description string `json:"agentDescription"`
	Mode        string `json:"executionMode"` // sync or background
	Parent      string `json:"parentId"`
	Remote      string `json:"remoteSessionId"`
	Cancelled   bool   `json:"cancelled"`
	Error       string `json:"error"`
}

type notification struct {
	Content string `json:"content"`
	Kind    struct {
		Type        string `json:"type"` // agent_idle, agent_completed, shell_completed and others
		Agent       string `json:"agentId"`
		DisplayName string `json:"displayName"`
		Shell       string `json:"shellId"`
		ExitCode    *int   `json:"exitCode"`
		Description string `json:"description"`
		Status      string `json:"status"`
	} `json:"kind"`
}

type usageData struct {
	Model      string  `json:"model"`
	Input      float64 `json:"inputTokens"` // with what was read from and written to the cache
	Output     float64 `json:"outputTokens"`
	CacheRead  float64 `json:"cacheReadTokens"`
	CacheWrite float64 `json:"cacheWriteTokens"`
	ParentCall string  `json:"parentToolCallId"`
	Filtered   bool    `json:"contentFilterTriggered"`
	Finish     string  `json:"finishReason"`
	ByKey      bool    `json:"isByok"`
	Copilot    struct {
		NanoAIU float64 `json:"totalNanoAiu"`
	} `json:"copilotUsage"`
	Quotas map[string]quotaData `json:"quotaSnapshots"`
}

type quotaData struct {
	Unlimited   bool      `json:"isUnlimitedEntitlement"`
	Entitlement float64   `json:"entitlementRequests"`
	Used        float64   `json:"usedRequests"`
	Percent     float64   `json:"remainingPercentage"`
	Overage     bool      `json:"overageAllowedWithExhaustedQuota"`
	Reset       time.Time `json:"resetDate"`
	Tokens      bool      `json:"tokenBasedBilling"`
}

type errorData struct {
	Type      string `json:"errorType"`
	Code      string `json:"errorCode"`
	Message   string `json:"message"`
	Status    int    `json:"statusCode"`
	RequestID string `json:"providerCallId"`
}

type noticeData struct {
	Info    string `json:"infoType"`
	Warning string `json:"warningType"`
	Message string `json:"message"`
}

type callFailure struct {
	Status  int    `json:"statusCode"`
	Kind    string `json:"failureKind"` // api, transport and others
	Message string `json:"errorMessage"`
	Attempt int    `json:"retryAttempt"`
	Source  string `json:"source"` // top_level or subagent
}

type sessionData struct {
	Model     string `json:"selectedModel"`
	NewModel  string `json:"newModel"`
	Effort    string `json:"reasoningEffort"`
	NewMode   string `json:"newMode"`
	Title     string `json:"title"`
	Aborted   bool   `json:"aborted"`
	TurnID    string `json:"turnId"`
	Reason    string `json:"reason"`
	WasActive bool   `json:"sessionWasActive"`
	Tokens    int64  `json:"currentTokens"`
	Limit     int64  `json:"tokenLimit"`
}

type compactionData struct {
	Success      bool   `json:"success"`
	Error        string `json:"error"`
	Trigger      string `json:"trigger"` // threshold, manual and others
	Summary      string `json:"summaryContent"`
	Focus        string `json:"customInstructions"`
	Before       int64  `json:"preCompactionTokens"`
	After        int64  `json:"postCompactionTokens"`
	Removed      int64  `json:"tokensRemoved"`
	Conversation int64  `json:"conversationTokens"`
	System       int64  `json:"systemTokens"`
	Tools        int64  `json:"toolDefinitionsTokens"`
}
