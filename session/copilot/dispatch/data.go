package dispatch

import (
	"encoding/json"

	"parley/session/copilot/protocol"
)

// eventData has the fields of events that tell who acts and what is asked.
type eventData struct {
	Request       string          `json:"requestId"`
	Session       string          `json:"sessionId"`
	RemoteSession string          `json:"remoteSessionId"`
	Owner         string          `json:"ownerSessionId"`
	OwnerNative   string          `json:"ownerNativeSessionId"`
	ToolCall      string          `json:"toolCallId"`
	Task          string          `json:"parentToolCallId"`
	AgentName     string          `json:"agentName"`
	ToolName      string          `json:"toolName"`
	Arguments     json.RawMessage `json:"arguments"`
	Dir           string          `json:"workingDirectory"`
	Question      string          `json:"question"`
	Permission    json.RawMessage `json:"permissionRequest"`
	Prompt        json.RawMessage `json:"promptRequest"`
	ByHook        bool            `json:"resolvedByHook"`
	ToolRequests  []struct {
		ID string `json:"toolCallId"`
	} `json:"toolRequests"`
}

// reads reports whether the router reads the data of an event. That of messages and tool calls tells whose a call is, where
// the request does not.
func reads(e protocol.Event) bool {
	switch e.Type {
	case subagentStarted, subagentCompleted, subagentFailed, toolRequested, toolCompleted, permissionRequested, permissionCompleted,
		userInputRequested, userInputCompleted, elicitationRequested, elicitationCompleted, exitPlanRequested, exitPlanCompleted,
		autoModeRequested, autoModeCompleted, assistantMessage, executionStart, executionComplete:
		return true
	}
	return false
}

// The types of events that the router acts on.
const (
	subagentStarted      = "subagent.started"
	subagentCompleted    = "subagent.completed"
	subagentFailed       = "subagent.failed"
	toolRequested        = "external_tool.requested"
	toolCompleted        = "external_tool.completed"
	permissionRequested  = "permission.requested"
	permissionCompleted  = "permission.completed"
	userInputRequested   = "user_input.requested"
	userInputCompleted   = "user_input.completed"
	elicitationRequested = "elicitation.requested"
	elicitationCompleted = "elicitation.completed"
	exitPlanRequested    = "exit_plan_mode.requested"
	exitPlanCompleted    = "exit_plan_mode.completed"
	autoModeRequested    = "auto_mode_switch.requested"
	autoModeCompleted    = "auto_mode_switch.completed"
	assistantMessage     = "assistant.message"
	executionStart       = "tool.execution_start"
	executionComplete    = "tool.execution_complete"
	aborted              = "abort"
	idle                 = "session.idle"
)

// permissionData is the part of a permission request that the router reads.
type permissionData struct {
	Kind     string `json:"kind"`
	ToolCall string `json:"toolCallId"`
}

// readData decodes the data of an event, nil if the router does not read it.
func readData(e protocol.Event) (*eventData, error) {
	if !reads(e) {
		return nil, nil
	}
	d := &eventData{}
	if len(e.Data) == 0 {
		return d, nil
	}
	return d, json.Unmarshal(e.Data, d)
}

// readPermission returns what the router reads of a permission request.
func readPermission(raw json.RawMessage) (p permissionData) {
	_ = json.Unmarshal(raw, &p) // an unknown kind stays empty
	return p
}
