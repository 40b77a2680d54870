package driver

import "encoding/json"

// Launch decides how a runtime is started: its arguments ([Args]), its environment ([Environ]) and its initialize request
// ([initRequest]). All three are pure functions of it.
type Launch struct {
	// Program is the command without arguments: {"/usr/bin/node", ".../cli.js"} or {".../claude"}.
	Program []string
	// Version is used in messages only, "" if unknown.
	Version string
	// Dir is the absolute working directory; Dirs are further ones for the tools.
	Dir  string
	Dirs []string
	// Session is the conversation's UUID. With Resume the conversation exists. With Fork it is copied into a new one, with
	// the id ForkSession, or "" to let the runtime choose.
	Session     string
	Resume      bool
	Fork        bool
	ForkSession string
	// ResumeAt is the uuid of the assistant message after which a resumed conversation is cut off; "" for none.
	ResumeAt string
	// Model, Effort, Mode and FallbackModel are passed unchanged; "" means the default of the runtime.
	Model, Effort, Mode string
	FallbackModel       string
	// Thinking is "adaptive", "disabled" or a budget in tokens; "" means the default of the runtime.
	Thinking string
	// AllowBypass permits a later switch to the mode bypassPermissions, unless [Launch.MayBypass] is false.
	AllowBypass bool
	// Root reports whether the process will run as root.
	Root bool
	// Trusted loads the settings, hooks and MCP servers of the repository.
	Trusted bool
	// Servers are MCP servers as the value of "mcpServers", nil for none: the user's for an untrusted repository, which the
	// runtime loads itself in a trusted one, and those of a custom agent.
	Servers json.RawMessage
	// Managed reports whether the administrator has set MCP servers, see [Managed].
	Managed bool
	// BaseURL and Bearer are for model requests.
	BaseURL, Bearer string
	// ConfigDir is the runtime's configuration directory; "" means that of Environ, or its default.
	ConfigDir string
	// TempDir is a private directory for the runtime's temporary files and sockets. Its path should be short: that of a
	// socket is limited to about 100 bytes.
	TempDir string
	// Environ is the user's environment, as of os.Environ. The function [Environ] selects what may pass.
	Environ []string
	// PassEnv names variables that pass although they may hold a GitHub token.
	PassEnv []string
	// HookEvents enables messages about hooks.
	HookEvents bool
	// SmallModel is for small requests such as titles; "" means the default of the runtime.
	SmallModel string
	// Disallowed names tools that the model does not get, such as "WebSearch".
	Disallowed []string
	// Agents are custom agents by their names, beside those that the runtime finds itself.
	Agents map[string]AgentDefinition
	// Tools, if it is not nil, are the only tools that there are besides those of MCP servers. NoServers means that there are no
	// MCP servers but Servers.
	Tools     []string
	NoServers bool
	// ToolServer is the name of the MCP server that parley itself is to the runtime, "" for none.
	ToolServer string
	// AddDirs are directories whose skills are loaded where Trusted, PluginDirs those of plugins that are loaded everywhere.
	AddDirs, PluginDirs []string
	// SkillsOff are the names of skills that the runtime does not use, PluginsOff those of plugins with their marketplaces.
	SkillsOff, PluginsOff []string
	// InstructionFiles says which of CLAUDE.md and AGENTS.md the runtime reads, as its option does; "" leaves that to the user's settings.
	InstructionFiles string
	// AppendSystem is appended to the runtime's system prompt.
	AppendSystem string
	// FreshPrompt makes a resumed conversation use the system prompt of this launch, not that of its first one. Older versions
	// always do.
	FreshPrompt bool

	serversFile string // contains Servers while the runtime starts
}
