package driver

import "encoding/json"

// Init is what the runtime says about itself in the handshake.
type Init struct {
	Models   []Model   `json:"models"`
	Commands []Command `json:"commands"`
	Agents   []Agent   `json:"agents"`
	Account  Account   `json:"account"`
	// Pid is the runtime's own idea of its process id.
	Pid int `json:"pid"`
	// Version and Mode are empty with runtimes that do not tell (2.1.112 does not).
	Version string `json:"claude_code_version"`
	Mode    string `json:"current_permission_mode"`
	// Capabilities names what a newer runtime can do; empty with older ones, which are probed instead.
	Capabilities []string `json:"capabilities"`
	OutputStyle  string   `json:"output_style"`
	OutputStyles []string `json:"available_output_styles"`
	// Raw is the whole answer.
	Raw json.RawMessage `json:"-"`
}

// Model is a model that the runtime offers. The list is built into it: it says nothing about what an endpoint serves.
type Model struct {
	Value            string   `json:"value"`
	DisplayName      string   `json:"displayName"`
	Description      string   `json:"description"`
	ResolvedModel    string   `json:"resolvedModel"`
	SupportsEffort   bool     `json:"supportsEffort"`
	EffortLevels     []string `json:"supportedEffortLevels"`
	AdaptiveThinking bool     `json:"supportsAdaptiveThinking"`
}

// Command is a slash command.
type Command struct {
	Name         string   `json:"name"`
	Description  string   `json:"description"`
	ArgumentHint string   `json:"argumentHint"`
	Aliases      []string `json:"aliases"`
	Builtin      bool     `json:"builtin"`
}

// Agent is a kind of subagent.
type Agent struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Model       string `json:"model"`
}

// Account says how the runtime is signed in.
type Account struct {
	TokenSource string `json:"tokenSource"`
	APIProvider string `json:"apiProvider"`
}
