package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/copilot/archive"
	"parley/session/copilot/driver"
	"parley/session/extensions/inventory"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/proc/pipe"
	"parley/session/process"
	"parley/session/sources"
	"parley/session/terminals"
)

// Program is an installed runtime.
type Program struct {
	// Argv is the command without arguments: {".../copilot-runtime"}, {"/usr/bin/node", ".../index.js"} or {".../copilot"}.
	Argv []string
	// Version is empty if unknown.
	Version string
}

// Options configures an [Agent]. Everything but Runtime is optional.
type Options struct {
	// Runtime finds the runtime. It is called before each start of a process and should return at once after the first call.
	// Opening a conversation fails with its error. Stored sessions are listed and read without it.
	Runtime func(ctx context.Context) (Program, error)
	// Found looks for the runtime without starting anything. It returns the version, empty if unknown, or why there is none.
	Found func() (version string, err error)
	// Models lists the models of the login. It is called when a session is opened and when settings change, and should use a
	// cache. If it is nil or fails, the runtime gets the user's choice unchanged.
	Models func(ctx context.Context) ([]session.Model, error)
	// Token returns the GitHub token with which the runtime sends its model requests to Copilot itself. Nil: it gets none, and
	// sends them to the session's endpoint.
	Token func(ctx context.Context) (string, error)
	// APIURL and GitHubURL redirect the Copilot API and the GitHub API of a runtime with a token; empty: it finds them.
	APIURL, GitHubURL string
	// Home is the runtime's directory with its sessions and settings; empty: COPILOT_HOME of Environ, else .copilot below
	// UserHome.
	Home string
	// UserHome is the user's home directory.
	UserHome string
	// Environ is the user's environment as "key=value". The runtime gets what it needs of it and no GitHub token. Nil: the
	// environment of this process.
	Environ []string
	// Terminals has what came with the prompts of sessions from the environments of their terminals, in place of that in Environ. Nil: nothing.
	Terminals *terminals.Book
	// PassEnv names variables that the runtime gets although they may hold a GitHub token.
	PassEnv []string
	// Spent returns the cost of a session's requests to its endpoint so far, in nano AI units. It must not block. Nil: unknown.
	Spent func(id session.ID) int64
	// Settle waits until all requests of a session count in Spent, or ctx ends. Nil: they always do.
	Settle func(ctx context.Context, id session.ID)
	// Trusted reports whether the user trusts the settings of a directory. Nil: none is trusted.
	Trusted func(dir string) bool
	// Servers returns the MCP servers that a session in a directory gets besides those that the runtime finds, as the value of
	// "mcpServers". Nil, or nil: none.
	Servers func(dir string, trusted bool) json.RawMessage
	// Described shows the MCP servers of a directory before the runtime runs; nil: nothing does.
	Described func(dir string) session.ServerKeeper
	// Repository finds the settings of directories and stores the user's decisions about them. Nil: there are none.
	Repository session.RepositoryTruster
	// SkillDirs are folders with skills of the user, of which the runtime gets those that it does not read itself.
	SkillDirs []string
	// Plugins returns the folders of plugins that the runtime does not find itself. Nil: there are none.
	Plugins func(ctx context.Context) []string
	// Extends returns what stands for the files of the user and of a directory that the runtime reads when it opens a session, such as
	// its settings: with another value, a session is opened again between turns. It is called before each prompt. Nil: that is never
	// looked at.
	Extends func(ctx context.Context, dir string) string
	// Off returns what is off in a session: plugins of parley's and skills. It is called before each prompt. Nil: nothing is.
	Off func(id session.ID) inventory.Off
	// Customs finds custom agents. Nil: there are none.
	Customs session.CustomFinder
	// Rules returns the rules that are kept for a directory. It is called for each tool call and should use a cache. Nil:
	// there are none.
	Rules func(dir string) permission.Kept
	// Grace is the time from an interrupt until a turn that has not ended is given up; 0: 5 s.
	Grace time.Duration
	// IdleAfter is the time for which a session without work stays open in the runtime; 0: half an hour, negative: until it is closed.
	IdleAfter time.Duration
	// Quiet is the silence of a turn after which the user is told of it, and Stalled until a silent model request is given
	// up; 0: 3 and 10 minutes, negative: forever.
	Quiet, Stalled time.Duration
	// Processes starts runtimes and ends what they leave behind; required unless Start is set.
	Processes *proc.Group
	// Start, if set, starts a runtime instead of Processes, such as a simulated one in tests.
	Start pipe.Starter
	// Limits bound the waits of the driver; zero fields have defaults.
	Limits driver.Limits
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Log is for maintainers; nil: nothing is logged.
	Log *slog.Logger
}

// Agent drives the official Copilot runtime, one process for all its conversations. It is safe for concurrent use.
type Agent struct {
	process.Directories
	*archive.Archive // the runtime's sessions on disk

	o    Options
	runs runtimes
	home string // the runtime's directory, empty if unknown
}

var (
	_ session.Agent             = (*Agent)(nil)
	_ session.Warmer            = (*Agent)(nil)
	_ session.RepositoryTruster = (*Agent)(nil)
)

// New returns the agent without starting anything.
func New(o Options) *Agent {
	if o.Models == nil {
		o.Models = func(context.Context) ([]session.Model, error) { return nil, nil }
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	home := o.Home
	if home == "" {
		home = proc.Lookup(o.Environ, "COPILOT_HOME")
	}
	if home == "" && o.UserHome != "" {
		home = filepath.Join(o.UserHome, ".copilot")
	}
	if o.Trusted == nil {
		o.Trusted = func(string) bool { return false }
	}
	if o.SkillDirs == nil && home != "" {
		o.SkillDirs = []string{filepath.Join(home, "skills")}
	}
	if o.Spent == nil {
		o.Spent = func(session.ID) int64 { return 0 }
	}
	if o.Settle == nil {
		o.Settle = func(context.Context, session.ID) {}
	}
	if o.Rules == nil {
		o.Rules = func(string) permission.Kept { return permission.Kept{} }
	}
	for _, d := range []struct {
		of *time.Duration
		is time.Duration
	}{{&o.Grace, 5 * time.Second}, {&o.IdleAfter, 30 * time.Minute}, {&o.Quiet, 3 * time.Minute}, {&o.Stalled, 10 * time.Minute}} {
		if *d.of == 0 {
			*d.of = d.is
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a := &Agent{Directories: process.Directories{Repository: o.Repository, Finder: o.Customs}, o: o, home: home, Archive: archive.New(home)}
	a.runs.start = a.process
	return a
}

// Name returns "copilot".
func (a *Agent) Name() string { return "copilot" }

// Steers returns true: the runtime takes prompts into a running turn.
func (a *Agent) Steers() bool { return true }

// Info describes the agent and the runtime that a session would use now.
func (a *Agent) Info() session.AgentInfo {
	info := session.AgentInfo{Name: a.Name(), About: "GitHub Copilot's own agent with all its tools, on every model of the login"}
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

// Open opens the conversation's session in the runtime, which is started if it does not run. Until then only the start of the
// runtime is emitted.
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
	if err := attach(ctx, c, session.RuntimeStarting, ""); err != nil {
		c.Drop()
		return nil, err
	}
	return c, nil
}

// Warm starts the runtime, which release lets go again. Until then it answers who waits for the commands of the directory.
func (a *Agent) Warm(ctx context.Context, o session.OpenOptions) (release func(), err error) {
	if err := a.checkOpen(ctx, o); err != nil {
		return nil, err
	}
	client, leave, err := a.runs.of(a, o.Session).Acquire(ctx)
	if err != nil {
		return nil, err
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	over := make(chan struct{})
	crash.Go(func() {
		defer close(over)
		a.learnAhead(life, client, o)
	})
	return func() {
		cancel()
		<-over
		leave()
	}, nil
}

// Close ends the runtime once all conversations are closed.
func (a *Agent) Close(ctx context.Context) error { return a.runs.close(ctx) }

const opOpen = "start Copilot"

func (a *Agent) checkOpen(ctx context.Context, o session.OpenOptions) error {
	if err := process.CheckOpen(ctx, opOpen, o.Dir); err != nil {
		return err
	}
	if o.Endpoint.BaseURL == "" && a.o.Token == nil {
		return process.Invalid(opOpen, errors.New("no endpoint"))
	}
	return nil
}
