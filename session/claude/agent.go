package claude

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// Program is a runtime that can be started.
type Program struct {
	// Argv is what comes before the arguments: {"/usr/bin/node", ".../cli.js"} or {".../claude"}.
	Argv []string
	// Version is that of the runtime, empty if unknown.
	Version string
}

// Options configures an [Agent]. Everything but Runtime is optional.
type Options struct {
	// Runtime finds the runtime. It is asked before each start of a process and should answer at once from the second time
	// on. Its error is what opening a conversation fails with. Listing and reading stored sessions never asks.
	Runtime func(ctx context.Context) (Program, error)
	// Found looks for the runtime without starting anything, and returns its version as far as it is known, or why there is
	// none.
	Found func() (version string, err error)
	// Models tells what the login can use: which Claude model is the default, and which effort levels a model takes. It
	// is asked at the start of a process and when settings change, and should answer from a cache. Nil, or an error: the
	// runtime gets what the user chose, as it is.
	Models func(ctx context.Context) ([]session.Model, error)
	// ConfigDir is the runtime's own directory, where it keeps its transcripts; empty: CLAUDE_CONFIG_DIR of Environ, else
	// .claude below Home.
	ConfigDir string
	// Home is the user's home directory.
	Home string
	// TempDir is a private directory for the runtime's temporary files and sockets, with a short path. It is made when it
	// is needed. Empty: the runtime's default.
	TempDir string
	// Environ is the user's environment as "key=value", of which the runtime gets what it needs and no GitHub token. Nil: this
	// process's.
	Environ []string
	// PassEnv names variables that the runtime gets although they may hold a GitHub token.
	PassEnv []string
	// HookEvents tells what hooks print. What they block is told in any case.
	HookEvents bool
	// Titles lets the runtime name a session after its first turn, with a request to a small model.
	Titles bool
	// Spent tells what the requests of a session have cost so far, in nano AI units, those of its child agents included. It
	// is asked at the end of each turn and must not block. Nil: nobody knows.
	Spent func(id session.ID) int64
	// Trusted reports whether the user trusts what a directory brings along. Nil: nothing is trusted.
	Trusted func(dir string) bool
	// OwnServers returns the user's own MCP servers as they may be started for a directory that is not trusted, as the value of
	// "mcpServers"; nil: there are none. It is asked at each start of a process.
	OwnServers func(dir string) json.RawMessage
	// Managed reports whether this machine's administrator has set MCP servers, which then are the only ones; nil: look.
	Managed func() bool
	// Repository finds what directories bring along and remembers what the user said about it. Nil: there is nothing.
	Repository session.RepositoryTruster
	// Grace is how long the runtime may take to end an interrupted turn before it is killed; 0: 5 s.
	Grace time.Duration
	// IdleAfter is how long a process without work is kept; 0: half an hour, negative: for ever.
	IdleAfter time.Duration
	// Processes starts runtimes and sweeps away what they leave; required unless Start is set.
	Processes *proc.Group
	// Start, if set, starts a runtime in the place of Processes: tests put a simulated one there.
	Start driver.Starter
	// Limits bound the driver's waiting; zero fields have defaults.
	Limits driver.Limits
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Log takes what is of interest to who maintains parley; nil: nowhere.
	Log *slog.Logger
}

// Agent drives the official Claude Code runtime, one process per conversation. It is safe for concurrent use.
type Agent struct {
	o       Options
	archive *archive.Archive
	// transcripts is the directory in which the runtime keeps its own, empty if unknown.
	transcripts string

	// spawn starts a process and returns after its handshake.
	spawn func(ctx context.Context, o driver.Options) (process, error)

	// alive reports whether a process is a living runtime.
	alive func(pid int) bool

	mu   sync.Mutex
	warm *warmed // at most one

	commands commandList
}

var (
	_ session.Agent             = (*Agent)(nil)
	_ session.Warmer            = (*Agent)(nil)
	_ session.ModeLister        = (*Agent)(nil)
	_ session.RepositoryTruster = (*Agent)(nil)
)

// New makes the agent. Nothing is started.
func New(o Options) *Agent {
	if o.Models == nil {
		o.Models = func(context.Context) ([]session.Model, error) { return nil, nil }
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	transcripts := o.ConfigDir
	if transcripts == "" {
		transcripts = lookup(o.Environ, "CLAUDE_CONFIG_DIR")
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
	if o.Spent == nil {
		o.Spent = func(session.ID) int64 { return 0 }
	}
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	if o.IdleAfter == 0 {
		o.IdleAfter = 30 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Agent{o: o, archive: archive.New(transcripts), transcripts: transcripts, alive: livesAsClaude, spawn: func(ctx context.Context, o driver.Options) (process, error) {
		p, err := driver.Start(ctx, o)
		if err != nil {
			return nil, err
		}
		return p, nil
	}}
}

// lookup returns the value of a variable, the last one where there are several.
func lookup(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
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

// Untrusted lists what dir would bring along if the user trusted it.
func (a *Agent) Untrusted(ctx context.Context, dir string) ([]session.RepositoryItem, error) {
	if a.o.Repository == nil {
		return nil, nil
	}
	return a.o.Repository.Untrusted(ctx, dir)
}

// Trust remembers what the user said about what dir brings along. A running conversation in dir takes it up with its next
// prompt.
func (a *Agent) Trust(ctx context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	if a.o.Repository == nil {
		return &session.Error{Op: "trust " + dir, Kind: session.KindUnsupported, Err: errors.New("nothing remembers it")}
	}
	return a.o.Repository.Trust(ctx, dir, items, yes)
}

// Open starts a runtime for the conversation, or takes the one that was warmed up for the same options, and returns after
// its handshake. Nothing is emitted before that but that a runtime is starting; cancelling ctx before ends the process.
func (a *Agent) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	if err := a.checkOpen(ctx, o); err != nil {
		return nil, err
	}
	if o.Emit == nil {
		return nil, invalid(opOpen, errors.New("nobody to emit to"))
	}
	if o.Settings.Mode == "" {
		o.Settings.Mode = session.ModeDefault
	}
	c := newConversation(a, o)
	if err := c.start(ctx, session.RuntimeStarting, ""); err != nil {
		c.end()
		return nil, err
	}
	c.meetRivals()
	return c, nil
}

const opOpen = "start Claude Code"

func (a *Agent) checkOpen(ctx context.Context, o session.OpenOptions) error {
	if err := ctx.Err(); err != nil {
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: err}
	}
	if a.o.Runtime == nil {
		return &session.Error{Op: opOpen, Kind: session.KindRuntime, Err: errors.New("there is no runtime")}
	}
	if !filepath.IsAbs(o.Dir) {
		return invalid(opOpen, fmt.Errorf("the directory %q is not absolute", o.Dir))
	}
	if info, err := os.Stat(o.Dir); err != nil {
		return invalid(opOpen, err)
	} else if !info.IsDir() {
		return invalid(opOpen, fmt.Errorf("%s is not a directory", o.Dir))
	}
	if o.Endpoint.BaseURL == "" {
		return invalid(opOpen, errors.New("no endpoint"))
	}
	if why := a.Unsupported(o.Settings.Mode); why != "" {
		return session.UnusableMode(opOpen, why)
	}
	return nil
}

func invalid(op string, err error) error {
	return &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
}
