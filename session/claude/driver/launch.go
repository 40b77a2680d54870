package driver

import "encoding/json"

// Launch is everything that decides how a runtime is started: its arguments ([Args]), its environment ([Environ]) and its
// initialize request ([InitRequest]). All three are pure.
type Launch struct {
	// Program is what to run before the arguments: {"/usr/bin/node", ".../cli.js"} or {".../claude"}.
	Program []string
	// Version is that of the runtime, "" if unknown. It is used in messages only.
	Version string
	// Dir is the working directory, absolute; Dirs are further ones its tools may use.
	Dir  string
	Dirs []string
	// Session is the conversation's id, a UUID. With Resume the conversation exists already. With Fork its chain is copied
	// into a new conversation; ForkSession is that one's id, "" to let the runtime choose.
	Session     string
	Resume      bool
	Fork        bool
	ForkSession string
	// ResumeAt is the uuid of the assistant message after which a resumed conversation is cut off; "" for none.
	ResumeAt string
	// Model, Effort, Mode and FallbackModel are taken as they are; "" leaves the runtime its default.
	Model, Effort, Mode string
	FallbackModel       string
	// Thinking is "adaptive", "disabled" or a budget in tokens; "" leaves the runtime its default.
	Thinking string
	// AllowBypass makes a later switch to the mode bypassPermissions possible. The runtime refuses to start with it as
	// root outside of a sandbox; see [Launch.MayBypass].
	AllowBypass bool
	// Root says that the process will run as root. [Start] fills it in.
	Root bool
	// Trusted says that the user trusts the repository: its settings, hooks and MCP servers are loaded.
	Trusted bool
	// Servers are the user's own MCP servers, the value of "mcpServers", for a repository that is not trusted; nil for none. A
	// trusted one gets them from the runtime itself.
	Servers json.RawMessage
	// Managed says that the administrator has set MCP servers, see [Managed].
	Managed bool
	// BaseURL and Bearer are where model requests go and what they carry.
	BaseURL, Bearer string
	// ConfigDir is the runtime's configuration directory; "" means its default, or what Environ says.
	ConfigDir string
	// TempDir is a private directory for the runtime's temporary files and sockets. It should be short: the path of a
	// socket may have about 100 bytes.
	TempDir string
	// Environ is the user's environment, as os.Environ gives it. [Environ] picks what may pass.
	Environ []string
	// PassEnv names variables that pass although they may hold a GitHub token.
	PassEnv []string
	// HookEvents asks for messages about hooks that ran.
	HookEvents bool
	// SmallModel is used for small jobs such as titles; "" leaves the runtime its default.
	SmallModel string
	// Disallowed are names of tools that the model does not get, such as "WebSearch".
	Disallowed []string
	// AppendSystem is appended to the runtime's own system prompt.
	AppendSystem string

	serversFile string // holds Servers while the runtime starts
}
