package builtin

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"time"

	"parley/session"
	"parley/session/builtin/lsp"
	"parley/session/extensions"
	"parley/session/extensions/inventory"
	"parley/session/extensions/skill"
	"parley/session/extensions/style"
	"parley/session/hooks"
	"parley/session/mcp/signin"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/process"
	"parley/session/terminals"
)

// Options configures an [Agent]. Everything is optional.
type Options struct {
	// Models lists the models of the login: limits, thinking and effort of the chosen one, and the default. It is
	// called at the start of each turn and should use a cache. If it is nil or fails, requests use cautious
	// assumptions.
	Models func(ctx context.Context) ([]session.Model, error)
	// ConfigDir is parley's configuration directory, which may contain the user's own AGENTS.md. Empty: none.
	ConfigDir string
	// Home is the user's home directory. Empty: unknown.
	Home string
	// OutputDir stores the whole output of commands of which the model gets only a part. Empty: nothing is stored.
	OutputDir string
	// Environ is the user's environment, as "key=value". Commands get it without GitHub tokens. Nil: the environment of
	// this process.
	Environ []string
	// Terminals has what came with the prompts of sessions from the environments of their terminals, in place of that in Environ. Nil: nothing.
	Terminals *terminals.Book
	// PassEnv names variables that commands get although they may hold a GitHub token.
	PassEnv []string
	// Processes starts commands and ends those that it can find, see [proc]; the caller closes it. Nil: each
	// conversation has a separate one.
	Processes *proc.Group
	// Servers finds the MCP servers for a directory; nil: there are none.
	Servers func(ctx context.Context, dir string) []extensions.Server
	// AgentServers finds those that a custom agent brings, which run while it is in use; nil: it brings none.
	AgentServers func(ctx context.Context, dir string, a session.CustomAgent) []extensions.Server
	// SignIns keeps the sign-ins to MCP services; nil: none is possible.
	SignIns *signin.Store
	// Hooks finds the hooks for a directory; nil: there are none. HooksPass lets a call run although a hook before it took too long.
	Hooks     func(ctx context.Context, dir string) hooks.Set
	HooksPass bool
	// Styles finds output styles; nil: there are none but the default.
	Styles *style.Finder
	// Off returns what of these and of Skills is off in a session. It is called with each turn. Nil: nothing is.
	Off func(id session.ID) inventory.Off
	// LSP configures language servers. Nil: there are none.
	LSP *lsp.Options
	// BashTimeout bounds a command for which the model sets no timeout; 0: two minutes.
	BashTimeout time.Duration
	// Unattended reports whether nobody answers and a session ends with the last answer: no tool that asks is offered.
	Unattended bool
	// MaxRounds bounds the requests of one turn; 0: 200.
	MaxRounds int
	// MaxAttempts bounds the attempts of one request; 0: 5.
	MaxAttempts int
	// Version names this program in the User-Agent; empty: "dev".
	Version string
	// Rules returns the rules that are kept for a directory. It is called for each tool call and should use a cache. Nil:
	// there are none.
	Rules func(dir string) permission.Kept
	// Jitter returns a random wait below a bound, which is added to waits between attempts; nil: the generator of math/rand.
	Jitter func(below time.Duration) time.Duration
	// Skills finds skills and commands; nil: there are none.
	Skills *skill.Finder
	// Customs finds custom agents; nil: there are none.
	Customs session.CustomFinder
	// Repository remembers what the user said about the instructions of directories; nil: nothing is asked.
	Repository session.RepositoryTruster
	// Trusted reports whether the user has agreed to the instructions of a directory's project. Nil: always.
	Trusted func(dir string) bool
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Sleep waits between attempts for a duration or until ctx ends, and then returns the error of ctx; nil: a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Agent is parley's own agent. It is safe for concurrent use.
type Agent struct {
	o Options
	// prompts are the prompts of MCP servers by directory.
	prompts *process.Commands
}

var (
	_ session.Agent         = (*Agent)(nil)
	_ session.LimitKeeper   = (*Agent)(nil)
	_ session.EndpointTuner = (*Agent)(nil)
	_ session.ToolOwner     = (*Agent)(nil)
)

// EndpointTuning returns that requests say by whom they count.
func (a *Agent) EndpointTuning() session.EndpointTuning {
	return session.EndpointTuning{Initiates: true}
}

// New returns the agent without starting anything.
func New(o Options) *Agent {
	if o.Models == nil {
		o.Models = func(context.Context) ([]session.Model, error) { return nil, nil }
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.MaxRounds == 0 {
		o.MaxRounds = 200
	}
	if o.MaxAttempts == 0 {
		o.MaxAttempts = 5
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Rules == nil {
		o.Rules = func(string) permission.Kept { return permission.Kept{} }
	}
	if o.Jitter == nil {
		o.Jitter = rand.N[time.Duration]
	}
	if o.Trusted == nil {
		o.Trusted = func(string) bool { return true }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Agent{o: o, prompts: &process.Commands{}}
}

// Name returns "builtin".
func (a *Agent) Name() string { return "builtin" }

// Untrusted lists the instructions of a directory about which the user has not decided.
func (a *Agent) Untrusted(ctx context.Context, dir string) ([]session.RepositoryItem, error) {
	if a.o.Repository == nil {
		return nil, nil
	}
	return a.o.Repository.Untrusted(ctx, dir)
}

// Trust records the user's decision about the instructions of a directory.
func (a *Agent) Trust(ctx context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	if a.o.Repository == nil {
		return nil
	}
	return a.o.Repository.Trust(ctx, dir, items, yes)
}

// Steers returns true: a running turn takes prompts at its next boundary.
func (a *Agent) Steers() bool { return true }

// Info describes the agent.
func (a *Agent) Info() session.AgentInfo {
	return session.AgentInfo{Name: a.Name(), About: "parley's own agent: every model of the login, nothing to install"}
}

// OwnsTool reports whether the agent has a tool in place of one of parley's for all agents.
func (a *Agent) OwnsTool(name string) bool { return name == "ask_user" || name == "code_lookup" }

// KeepsLimits returns true.
func (a *Agent) KeepsLimits() bool { return true }

// Open begins or continues a conversation without starting or sending anything. An unusable directory is an error of
// kind [session.KindInvalid].
func (a *Agent) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	const op = "open conversation"
	if err := process.CheckOpen(ctx, op, o.Dir); err != nil {
		return nil, err
	}
	if o.Emit == nil || o.Endpoint.BaseURL == "" {
		return nil, process.Invalid(op, errors.New("the endpoint or the event listener is missing"))
	}
	if o.Settings.Mode == "" {
		o.Settings.Mode = session.ModeDefault
	}
	return newConversation(ctx, within(a.o, o.Session), o, a.prompts), nil
}

// newTransport returns a separate transport for the conversation, so that closing it leaves no idle connection. The
// endpoint is on this machine: no proxy, no compression.
func newTransport() *http.Transport {
	return &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
