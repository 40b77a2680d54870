package claude

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/claude/driver"
	"parley/session/extensions/inventory"
	"parley/session/extensions/skill"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/proc/pipe"
	"parley/session/process"
	"parley/session/sources"
	"parley/session/terminals"
)

// Program is an installed runtime.
type Program struct {
	// Argv is the command without arguments: {"/usr/bin/node", ".../cli.js"} or {".../claude"}.
	Argv []string
	// Version is empty if unknown.
	Version string
}

// Options configures an [Agent]. Everything but Runtime is optional.
type Options struct {
	// Runtime finds the runtime. It is called before each start of a process and should return at once after the first
	// call. Opening a conversation fails with its error. Stored sessions are listed and read without it.
	Runtime func(ctx context.Context) (Program, error)
	// Found looks for the runtime without starting anything. It returns the version, empty if unknown, or why there is none.
	Found func() (version string, err error)
	// Models lists the models of the login: the default Claude model, and the effort levels of each. It is called at the
	// start of a process and when settings change, and should use a cache. If it is nil or fails, the runtime gets the
	// user's choice unchanged.
	Models func(ctx context.Context) ([]session.Model, error)
	// ConfigDir is the runtime's directory with its transcripts; empty: CLAUDE_CONFIG_DIR of Environ, else .claude below
	// Home.
	ConfigDir string
	// Home is the user's home directory.
	Home string
	// TempDir is a private directory for the runtime's temporary files and sockets, with a short path. It is created when
	// needed. Empty: the runtime's default.
	TempDir string
	// LinkDir is the directory for links to skills that the runtime does not find itself, which may have a long path. Empty: TempDir.
	LinkDir string
	// Environ is the user's environment as "key=value". The runtime gets what it needs of it and no GitHub token. Nil: the
	// environment of this process.
	Environ []string
	// Terminals has what came with the prompts of sessions from the environments of their terminals, in place of that in Environ. Nil: nothing.
	Terminals *terminals.Book
	// PassEnv names variables that the runtime gets although they may hold a GitHub token.
	PassEnv []string
	// HookEvents reports what hooks print. What they block is always reported.
	HookEvents bool
	// Spent returns the cost of a session so far with its child agents, in nano AI units. It is called at the end of each
	// turn and must not block. Nil: unknown.
	Spent func(id session.ID) int64
	// Settle waits until all requests of a session count in Spent, or ctx ends. Nil: they always do.
	Settle func(ctx context.Context, id session.ID)
	// Trusted reports whether the user trusts the settings of a directory. Nil: none is trusted.
	Trusted func(dir string) bool
	// OwnServers returns the user's MCP servers for a directory that is not trusted, as the value of "mcpServers"; nil: none.
	// It is called at each start of a process.
	OwnServers func(dir string) json.RawMessage
	// Described shows the MCP servers of a directory before the runtime runs; nil: nothing does.
	Described func(dir string) session.ServerKeeper
	// Managed reports whether the administrator of the machine has set the MCP servers; nil: [driver.Managed].
	Managed func() bool
	// ManagedSettings reports whether the administrator may have settings for the runtime; nil: [driver.ManagedSettings].
	ManagedSettings func() bool
	// Customs finds custom agents; nil: there are none but those that the runtime finds itself.
	Customs session.CustomFinder
	// Skills finds skills and commands, to hand over those that the runtime does not find itself; nil: there are none.
	Skills *skill.Finder
	// Plugins returns the folders of plugins that the runtime does not find itself; nil: there are none.
	Plugins func(ctx context.Context) []string
	// Extends returns what stands for the files of the user and of a directory that the runtime reads when it starts, such as its settings:
	// with another value, a session gets another process between turns. It is called before each prompt. Nil: that is never looked at.
	Extends func(ctx context.Context, dir string) string
	// Off returns what is off in a session: plugins and skills. It is called before each prompt. Nil: nothing is.
	Off func(id session.ID) inventory.Off
	// Instructions returns the text of the AGENTS.md files that hold in a directory, for runtimes that do not read them; nil: there are none.
	Instructions func(ctx context.Context, dir string) string
	// Repository finds the settings of directories and stores the user's decisions about them. Nil: there are none.
	Repository session.RepositoryTruster
	// Grace is the time from an interrupt until a runtime that has not ended the turn is killed; 0: 5 s.
	Grace time.Duration
	// IdleAfter is the time for which a process without work is kept; 0: half an hour, negative: forever.
	IdleAfter time.Duration
	// Processes starts runtimes and ends what they leave behind; required unless Start is set.
	Processes *proc.Group
	// Start, if set, starts a runtime instead of Processes, such as a simulated one in tests.
	Start pipe.Starter
	// Limits bound the waits of the driver; zero fields have defaults.
	Limits driver.Limits
	// Rules returns the rules that are kept for a directory. It is called for each tool call and should use a cache. Nil:
	// there are none.
	Rules func(dir string) permission.Kept
	// Version is that of parley, which the runtime is given.
	Version string
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Log is for maintainers; nil: nothing is logged.
	Log *slog.Logger
}

// Agent drives the official Claude Code runtime, one process per conversation. It is safe for concurrent use.
type Agent struct {
	process.Directories
	*archive.Archive // the runtime's sessions on disk

	o           Options
	transcripts string // the runtime's directory, empty if unknown

	// spawn starts a process and returns after its handshake.
	spawn func(ctx context.Context, o driver.Options) (runtime, error)

	mu   sync.Mutex
	warm *warmed // at most one

}

var (
	_ session.Agent             = (*Agent)(nil)
	_ session.Warmer            = (*Agent)(nil)
	_ session.ModeLister        = (*Agent)(nil)
	_ session.RepositoryTruster = (*Agent)(nil)
)

// New returns the agent without starting anything.
func New(o Options) *Agent {
	if o.Extends == nil {
		o.Extends = func(context.Context, string) string { return "" }
	}
	if o.Off == nil {
		o.Off = func(session.ID) inventory.Off { return nil }
	}
	if o.Models == nil {
		o.Models = func(context.Context) ([]session.Model, error) { return nil, nil }
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	transcripts := o.ConfigDir
	if transcripts == "" {
		transcripts = proc.Lookup(o.Environ, "CLAUDE_CONFIG_DIR")
	}
	if transcripts == "" && o.Home != "" {
		transcripts = filepath.Join(o.Home, ".claude")
	}
	if o.Trusted == nil {
		o.Trusted = func(string) bool { return false }
	}
	if o.OwnServers == nil {
		o.OwnServers = func(string) json.RawMessage { return nil }
	}
	if o.Managed == nil {
		o.Managed = driver.Managed
	}
	if o.ManagedSettings == nil {
		o.ManagedSettings = driver.ManagedSettings
	}
	if o.Spent == nil {
		o.Spent = func(session.ID) int64 { return 0 }
	}
	if o.Settle == nil {
		o.Settle = func(context.Context, session.ID) {}
	}
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	if o.IdleAfter == 0 {
		o.IdleAfter = 30 * time.Minute
	}
	if o.Rules == nil {
		o.Rules = func(string) permission.Kept { return permission.Kept{} }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Agent{Directories: process.Directories{Repository: o.Repository, Finder: o.Customs}, o: o, Archive: archive.New(transcripts), transcripts: transcripts, spawn: func(ctx context.Context, o driver.Options) (runtime, error) {
		p, err := driver.Start(ctx, o)
		if err != nil {
			return nil, err
		}
		return p, nil
	}}
}

// Name returns "claude".
func (a *Agent) Name() string { return "claude" }

// Steers returns true: the runtime takes prompts into a running turn.
func (a *Agent) Steers() bool { return true }

// Info describes the agent and the runtime that a session would use now.
func (a *Agent) Info() session.AgentInfo {
	info := session.AgentInfo{Name: a.Name(), About: "Claude Code with all its tools, on the login's Claude models"}
	if a.o.Found == nil {
		return info
	}
	version, err := a.o.Found()
	info.Version = version
	if err != nil {
		info.Missing = err.Error()
	}
	return info
}

// Unsupported returns why a mode cannot be used, or "".
func (a *Agent) Unsupported(m session.Mode) string {
	if m != session.ModeBypass {
		return ""
	}
	l := driver.Launch{Environ: a.o.Environ, Root: os.Geteuid() == 0}
	if l.MayBypass() {
		return ""
	}
	return "Claude Code does not run as root without asking: take default, acceptEdits or plan, or set IS_SANDBOX=1 if this is a sandbox"
}

// Open starts a runtime for the conversation, or takes the warm one of the same options, and returns after its handshake.
// Until then only the start of the runtime is emitted, and cancelling ctx ends the process.
func (a *Agent) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	if sources.Marked(o.Session) {
		return nil, sources.ReadOnly(opOpen, session.AgentTitle(a.Name()), o.Session)
	}
	if err := a.checkOpen(ctx, o); err != nil {
		return nil, err
	}
	if o.Emit == nil {
		return nil, process.Invalid(opOpen, errors.New("no function to emit events to"))
	}
	if o.Settings.Mode == "" {
		o.Settings.Mode = session.ModeDefault
	}
	c := newConversation(a, o)
	if err := c.start(ctx, session.RuntimeStarting, ""); err != nil {
		c.Drop()
		return nil, err
	}
	c.warnOfOthers()
	return c, nil
}

const opOpen = "start Claude Code"

func (a *Agent) checkOpen(ctx context.Context, o session.OpenOptions) error {
	if err := process.CheckOpen(ctx, opOpen, o.Dir); err != nil {
		return err
	}
	if a.o.Runtime == nil {
		return &session.Error{Op: opOpen, Kind: session.KindRuntime, Err: errors.New("there is no runtime")}
	}
	if o.Endpoint.BaseURL == "" {
		return process.Invalid(opOpen, errors.New("no endpoint"))
	}
	if why := a.Unsupported(o.Settings.Mode); why != "" {
		return session.UnusableMode(opOpen, why)
	}
	return nil
}
