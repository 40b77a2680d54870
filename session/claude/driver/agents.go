package driver

import "encoding/json"

// AgentDefinition is a custom agent as the runtime takes it.
type AgentDefinition struct {
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	// Tools are the tools that it may use, nil for all. DisallowedTools are those of them that it may not.
	Tools           []string `json:"tools,omitempty"`
	DisallowedTools []string `json:"disallowedTools,omitempty"`
	// Model and Effort are "" for those of the conversation.
	Model  string `json:"model,omitempty"`
	Effort string `json:"effort,omitempty"`
	// Servers are its MCP servers: objects with one key, the name.
	Servers []map[string]json.RawMessage `json:"mcpServers,omitempty"`
	Skills  []string                     `json:"skills,omitempty"`
	// NoTools reports that it may use none; Tools is then empty.
	NoTools bool `json:"-"`
}

// MarshalJSON returns the definition, with an empty list of tools for an agent without any.
func (d AgentDefinition) MarshalJSON() ([]byte, error) {
	type plain AgentDefinition
	if !d.NoTools {
		return json.Marshal(plain(d))
	}
	return json.Marshal(struct {
		plain
		Tools []string `json:"tools"`
	}{plain(d), []string{}})
}
