package driver

import "encoding/json"

// Init is the runtime's answer in the handshake.
type Init struct {
	Models   []Model   `json:"models"`
	Commands []Command `json:"commands"`
	Agents   []Agent   `json:"agents"`
	Account  Account   `json:"account"`
	// Pid is the process id that the runtime reports.
	Pid int `json:"pid"`
	// Version and Mode are empty if the runtime does not report them (2.1.112).
	Version string `json:"claude_code_version"`
	Mode    string `json:"current_permission_mode"`
	// Capabilities lists the features of newer runtimes; older ones are probed instead.
	Capabilities []string `json:"capabilities"`
	OutputStyle  string   `json:"output_style"`
	OutputStyles []string `json:"available_output_styles"`
	// Raw is the whole answer.
	Raw json.RawMessage `json:"-"`
}

// Model is a model that the runtime offers. Its list is built in and independent of the endpoint.
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

// Account is the login of the runtime.
type Account struct {
	TokenSource string `json:"tokenSource"`
	APIProvider string `json:"apiProvider"`
}
