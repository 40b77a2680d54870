package protocol

import "encoding/json"

// Tool is a tool that the client provides to the agents of a session.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON Schema
	// Private reports that no custom agent with a list of tools gets it.
	Private bool `json:"-"`
	// Defer is "never" for a tool that models read without looking for it; 1.0.102 otherwise hides it from children.
	Defer string `json:"defer,omitempty"`
	// SkipPermission calls the tool without a permission request.
	SkipPermission bool `json:"skipPermission,omitempty"`
	// Overrides replaces a tool of the runtime with the same name.
	Overrides bool `json:"overridesBuiltInTool,omitempty"`
}

// Agent is a custom agent of a session.
type Agent struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName,omitempty"`
	Description string `json:"description,omitempty"`
	Prompt      string `json:"prompt"`
	// Tools are the tools it may call: nil for all, empty for none.
	Tools *[]string `json:"tools,omitempty"`
	Model string    `json:"model,omitempty"`
	// ReasoningEffort is the model's effort, Servers its MCP servers by their names, and Skills those that it begins with.
	ReasoningEffort string          `json:"reasoningEffort,omitempty"`
	Servers         json.RawMessage `json:"mcpServers,omitempty"`
	Skills          []string        `json:"skills,omitempty"`
	// Infer lets the model choose the agent for a child; nil: it may.
	Infer *bool `json:"infer,omitempty"`
	// Definitions are those of the client's tools in Tools. Runtimes up to 1.0.102 ignore them.
	Definitions []Tool `json:"toolDefinitions,omitempty"`
}

// ToolResult is the result of a tool of the client.
type ToolResult struct {
	Text  string `json:"textResultForLlm"`
	Type  string `json:"resultType"` // "success", "failure", "rejected" or "denied"
	Error string `json:"error,omitempty"`
}
