package builtin

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"parley/session"
	"parley/session/builtin/hook"
	"parley/session/builtin/instruct"
	"parley/session/builtin/lsp"
	"parley/session/builtin/role"
	"parley/session/builtin/shell"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/shell/state"
	"parley/session/builtin/skilltool"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
	"parley/session/extensions/style"
	"parley/session/mcp"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/process"
)

// conversation is one session. Between turns it has no goroutines except those of its commands.
type conversation struct {
	o    Options
	open session.OpenOptions
	out  *outbox
	http *http.Transport
	// top is the loop of the conversation itself.
	top *loop
	// commands, if set, are processes of this conversation only, and end with it.
	commands *proc.Group
	asks     asks
	lent     loan
	// jobs are the commands of all agents, lost those that ended with an earlier process. Only the next turn uses lost.
	jobs *job.Table
	lost []session.ToolEnded
	// servers are the language servers, nil for none. has is what its agents may use.
	servers *lsp.Pool
	has     equipment
	// hooks are the user's hooks, nil for none.
	hooks *hook.Session
	// kinds are the agents that children can be of. chosen is the custom agent that the top is; only the running turn uses it.
	kinds  role.List
	chosen string
	// release ends the use of its servers; it is never nil.
	release func()
	// prompts takes the prompts of MCP servers, for all conversations.
	prompts *process.Commands
	// styled is the output style, nil for the default.
	styled atomic.Pointer[style.Style]
	// git detects changes of the repository since the conversation was opened.
	git *permission.GitWatch
	// before is the usage of the session before it was opened.
	before session.Usage
	facts  facts
	// left are the instruction files that were not sent.
	left leftOut
	// calls are the ids of the calls of the whole session.
	calls *callIDs
	// children are the agents that this one has started.
	children *children
	// life ends when the conversation is closed; busy counts the goroutines that it starts.
	life context.Context
	end  context.CancelCauseFunc
	busy tally

	// searches reports that a model of the login can search the web, as the newest list of models says.
	searches atomic.Bool

	mu       sync.Mutex
	settings session.Settings
	told     session.Settings // as last reported by an event
	now      *running         // the running turn, nil between turns
	alone    int              // turns that began without a prompt since the newest one
	closed   bool
	quotas   map[string]session.Quota
}

func newConversation(ctx context.Context, o Options, open session.OpenOptions, prompts *process.Commands) *conversation {
	c := &conversation{open: open, release: func() {}, jobs: job.NewTable(), settings: open.Settings, out: newOutbox(open.Emit), http: newTransport(),
		calls: &callIDs{taken: map[session.CallID]bool{}}, quotas: map[string]session.Quota{}, left: leftOut{warned: map[string]bool{}},
		git: permission.WatchGit(ctx, open.Dir)}
	if o.Processes == nil {
		c.commands = proc.New(proc.Options{})
		o.Processes = c.commands
	}
	c.o, c.children, c.prompts = o, newChildren(), prompts
	c.life, c.end = context.WithCancelCause(context.Background())
	ws := newWorkspace(o, open, c)
	warn := func(text string) {
		c.out.emit(session.Notice{Head: c.between(), Severity: session.Warning, Text: text})
	}
	c.servers = lsp.Open(ws, o.LSP, warn)
	c.kinds = role.Find(ctx, o.Customs, open.Dir)
	c.has = equipment{own: given(o.Unattended, c.kinds.Among(slices.Concat(tools, c.servers.Tools(ctx)))), customs: o.Customs, dir: open.Dir}
	_ = c.SetTools(ctx, open.Tools) // it cannot fail
	c.has.connect(o, environOf(c), warn, func(ctx context.Context, s mcp.Sampling) (mcp.Sampled, error) { return sample(ctx, c, s) })
	c.has.skills = skilltool.New(skilltool.Options{Finder: o.Skills, Dir: filepath.Clean(open.Dir), Session: open.Session, Models: c.models, Off: o.offIn(open.Session)})
	c.hooks = openHooks(c, o)
	c.top = newLoop(c, role.Top, ws)
	var rules []permission.Rule
	if h := open.History; h != nil {
		c.top.past = wire.Pieces(h.Turns, false)
		c.before = h.Usage
		c.children.restore(ctx, c, h)
		c.top.todos.Set(h.Todos)
		c.calls.addAll(h)
		c.top.ws.Files.Restore(h, open.Dir)
		c.has.kit.Restore(h)
		c.top.recall(h)
		c.lost = lost(h)
		rules = permission.Granted(h)
		c.told = h.Settings
		c.top.modes.Restore(h)
		restyle(ctx, c, h)
	}
	c.facts.restore(open.History)
	c.asks.book, c.asks.policy = process.NewBook[askedFor](rules), c.policy
	c.open.History = nil
	return c
}

// head returns the head of an event of the running turn.
func (c *conversation) head() session.Head {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.between()
	if c.now != nil {
		h.Turn = c.now.turn
	}
	return h
}

// between returns the head of an event of no turn.
func (c *conversation) between() session.Head {
	return session.Head{Session: c.open.Session, Gen: c.open.Gen, At: c.o.Now()}
}

// Configure changes the settings. It settles open asks about which it would not have asked with them.
func (c *conversation) Configure(ctx context.Context, s session.Settings) error {
	s, err := process.WithMode(s)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.settings = s
	c.mu.Unlock()
	c.tell(s)
	c.asks.reconsider(ctx)
	return nil
}

// tell reports changed settings. It reports an empty model once the turn has chosen one.
func (c *conversation) tell(s session.Settings) {
	head := c.head()
	c.mu.Lock()
	before := c.told
	if s.Model == "" {
		s.Model, s.Effort = before.Model, before.Effort
	}
	c.told = s
	c.mu.Unlock()
	if s.Model != before.Model || s.Effort != before.Effort {
		c.out.emit(session.ModelChanged{Head: head, Model: s.Model, Effort: s.Effort})
	}
	if s.Mode != before.Mode && (before.Mode != "" || s.Mode != session.ModeDefault) {
		c.out.emit(session.ModeChanged{Head: head, Mode: s.Mode})
	}
}

func (c *conversation) current() session.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings
}

// policy returns the current policy about tool calls of the agent that works at w. Command lines are judged by the directory and
// the environment in which they would run now.
func (c *conversation) policy(ctx context.Context, w *tool.Workspace) permission.Policy {
	kept, dir := c.o.Rules(c.open.Dir), w.Shell.Dir()
	return permission.Policy{
		Mode: c.current().Mode, Dirs: append([]string{c.open.Dir}, further(c)...), Home: c.o.Home,
		Rules: slices.Concat(kept.Rules, c.asks.book.Rules(), c.lent.now()), Locked: kept.Locked,
		Shell: shell.Name(w), Git: func() bool { return c.git.QuietIn(ctx, dir) },
	}.AfterCommands(dir, w.Shell.Changed(), w.Shell.Functions()).OnDisk(w.Shell.Environ())
}

// environOf returns what returns the environment of what a conversation starts now.
func environOf(c *conversation) func() []string {
	return func() []string { return c.o.environ(c.open.Session) }
}

// environ returns the environment of what a session starts now: that of the terminal of its newest prompt.
func (o Options) environ(id session.ID) []string {
	return proc.AgentEnviron(o.Terminals.In(id, o.Environ), o.PassEnv)
}

// further returns the further directories of now.
func further(c *conversation) []string { return c.current().Dirs.Or(c.open.Dirs) }

// newWorkspace returns a place of work of the conversation's tools.
func newWorkspace(o Options, open session.OpenOptions, c *conversation) *tool.Workspace {
	dir, environ := filepath.Clean(open.Dir), o.environ(open.Session)
	return &tool.Workspace{Dir: dir, Further: func() []string { return further(c) }, Home: o.Home, OutputDir: o.OutputDir, Shell: state.New(dir, environ),
		BashTimeout: o.BashTimeout, Unattended: o.Unattended, Environ: environ, Proxy: o.Terminals.Proxy(open.Session), BashPath: shell.FindBash(), Processes: o.Processes,
		Session: open.Session, Now: o.Now, Files: tool.NewFileLog()}
}

// sources says where the instructions of the conversation are.
func (c *conversation) sources() instruct.Options {
	return instruct.Options{ConfigDir: c.o.ConfigDir, Home: c.o.Home, Dir: filepath.Clean(c.open.Dir), Skip: !c.o.Trusted(c.open.Dir)}
}
