package session

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// Endpoint is the address to which an agent sends its model requests: the proxy, with a bearer for this session only. Agents never see
// a GitHub token.
type Endpoint struct {
	BaseURL string // such as "http://127.0.0.1:41234", without a path
	Bearer  string // sent as "Authorization: Bearer ..."
}

// OpenOptions holds the facts that an agent needs for one conversation.
type OpenOptions struct {
	Session ID
	// Gen is the generation of the conversation. Every head it emits carries it.
	Gen Generation
	// Dir is the working directory, absolute; Dirs are further directories the tools may use.
	Dir  string
	Dirs []string
	// Settings are the choices of the user; an empty model means the agent's default.
	Settings Settings
	Endpoint Endpoint
	// History is the conversation so far, without the turn that is about to be sent; nil if there is none. It includes
	// turns that failed before anything was delivered, with a prompt and no entries. The agent may read it while
	// opening, and must neither retain nor change it.
	History *Transcript
	// Files keeps images of what calls change; nil for none. The agent tells it of every call that may change files before
	// the call runs, off the path of the stream. The manager tells it of their ends.
	Files FileTracker
	// Limits bound what all turns of the conversation may use together. The zero value bounds nothing.
	Limits Limits
	// Tools are the tools of parley itself that the agent gets, if it can have some. One of limited tools gets fewer.
	Tools []ClientTool
	// Answer is the JSON Schema that the last answer of each turn has to follow, which the prompt says too; "" for none. An
	// agent holds the model to it where the service can.
	Answer string
	// Emit receives every event of the conversation, in order. It never blocks and may be called from any goroutine;
	// the agent orders its own calls, and makes none after Close has returned.
	Emit func(Event)
}

// Agent holds conversations. Implementations are safe for concurrent use.
type Agent interface {
	// Name is "builtin", "claude" or "copilot".
	Name() string
	// Open begins a conversation or, with History, continues one. It may start a process. Errors are of kind
	// [KindRuntime], [KindAuth], [KindInvalid] or [KindUnsupported], or the error of the context.
	Open(ctx context.Context, o OpenOptions) (Conversation, error)
}

// Conversation is one session held by an agent. Only one goroutine at a time calls Send; all other methods may be
// called from any goroutine at any time, also while Send runs, and never wait for it.
type Conversation interface {
	// Send delivers a prompt and returns once its turn has ended and TurnEnded was emitted. It does not repeat a
	// TurnStarted that the manager published before. The error is nil exactly if a TurnEnded was emitted, whatever its
	// outcome; otherwise nothing was delivered. Cancelling ctx acts like Abort.
	Send(ctx context.Context, turn TurnID, p Prompt, o Origin) error
	// Abort stops the running turn, settles its asks as cancelled and returns at once. It does nothing without a turn.
	Abort()
	// Answer answers an open ask. An unknown or settled ask is an error of kind [KindNotFound].
	Answer(ask AskID, a Answer) error
	// Configure changes model, effort and mode, starting with the next request.
	Configure(ctx context.Context, s Settings) error
	// Close stops a running turn, waits until everything that the conversation owns is gone, and returns.
	Close(ctx context.Context) error
}

// Replayer is an agent that stores its own transcripts on disk. Its replay decides what happened; our journal only adds
// to it.
type Replayer interface {
	// Replay returns the events of a stored session, oldest first.
	Replay(ctx context.Context, id ID) ([]Event, error)
	// Sessions lists the stored sessions, newest first, without starting or installing anything.
	Sessions(ctx context.Context) ([]Meta, error)
}

// Describer is a [Replayer] that can describe one stored session without listing them all.
type Describer interface {
	// Describe describes a stored session. The error is of kind [KindNotFound] if the agent does not have it.
	Describe(ctx context.Context, id ID) (Meta, error)
}

// Forker is an agent that can copy a session up to and including a turn.
type Forker interface {
	// Fork copies a stored session up to and including a turn, or whole for an empty turn, and returns the id of the
	// copy. The session may be running. Errors are of kind [KindNotFound], or [KindInvalid] for an unanswered turn.
	Fork(ctx context.Context, id ID, upTo TurnID) (ID, error)
}

// Truncater is a conversation that can forget everything after a turn.
type Truncater interface {
	Truncate(ctx context.Context, after TurnID) error
}

// Steerer is a conversation that can take a prompt into the running turn.
type Steerer interface {
	// Steer delivers p now and emits Steered once the agent has taken it. It reports false if no turn runs.
	Steer(ctx context.Context, p Prompt) (bool, error)
}

// TurnSteerer is an agent that knows before a conversation is open whether its conversations are [Steerer]s.
type TurnSteerer interface {
	Steers() bool
}

// Informer is an agent that describes itself for users.
type Informer interface {
	// Info returns the description; Name may be empty. It may search the disk for a runtime.
	Info() AgentInfo
}

// AgentInfo describes an agent for users.
type AgentInfo struct {
	// Name is the agent's name, such as "claude"; About describes it in a few words.
	Name, About string
	// Version is the version of its runtime, empty if unknown or if it has none.
	Version string
	// Missing is the reason why the agent cannot be used now, such as a runtime that is not installed; empty if it can.
	Missing string
}

// Warmer is an agent that can prepare for a conversation before its first prompt, unannounced. Warming twice, or for
// options that change later, only costs time.
type Warmer interface {
	Warm(ctx context.Context, o OpenOptions) (release func(), err error)
}

// Waker is a conversation that can prepare for its next prompt when the user begins to type.
type Waker interface {
	// Wake reacquires what the conversation released while idle, and emits what others have added to it meanwhile. It
	// returns soon if there is nothing to do, and does nothing while a turn runs.
	Wake(ctx context.Context) error
}

// Commander is an agent that understands slash commands: prompts that begin with a slash and the name of a command.
type Commander interface {
	// Commands returns the slash commands known in a directory so far, by name. It returns at once.
	Commands(dir string) []SlashCommand
}

// CommandWaiter is a [Commander] that learns its commands from a runtime, which takes time to start.
type CommandWaiter interface {
	// AwaitCommands returns once Commands returns the commands of a directory. It starts nothing. It fails if a runtime
	// could not be started there meanwhile, and when ctx ends.
	AwaitCommands(ctx context.Context, dir string) error
}

// SlashCommand is a command that an agent understands as a prompt.
type SlashCommand struct {
	// Name has no slash. Arguments hints at what may follow, such as "[file]". Arguments and About may be empty.
	Name, Arguments, About string
}

// Bare reports whether the command can run without arguments: it takes none, or they are optional.
func (c SlashCommand) Bare() bool {
	return c.Arguments == "" || strings.HasPrefix(c.Arguments, "[") && strings.HasSuffix(c.Arguments, "]") ||
		strings.Contains(strings.ToLower(c.Arguments), "optional")
}

// ModelAliaser is an agent that knows models by other names than those of the service.
type ModelAliaser interface {
	// ModelAliases returns these names, in lower case, such as "opus".
	ModelAliases() []string
}

// ModeLister is an agent that does not support every permission mode.
type ModeLister interface {
	// Unsupported returns why the mode cannot be used, or "".
	Unsupported(m Mode) string
}

// Titler names conversations.
type Titler interface {
	// Title returns a short title for a conversation that began with the prompt and the answer, "" for none. It does
	// not use up the user's allowance, and ends with ctx.
	Title(ctx context.Context, prompt, answer string) (string, error)
}

// Endpoints opens and closes the endpoints of sessions. Opening may start the proxy; it happens at the first send,
// never for drafts.
type Endpoints interface {
	Open(ctx context.Context, id ID) (Endpoint, error)
	// Close revokes the session's bearer.
	Close(id ID)
}

// TunedEndpoints are endpoints that can be tuned for an agent.
type TunedEndpoints interface {
	// OpenTuned opens the endpoint as [Endpoints] does.
	OpenTuned(ctx context.Context, id ID, t EndpointTuning) (Endpoint, error)
}

// EndpointTuner is an agent whose endpoints need tuning.
type EndpointTuner interface {
	EndpointTuning() EndpointTuning
}

// EndpointTuning configures an agent's endpoints. The zero value changes nothing.
type EndpointTuning struct {
	// MarkErrors appends a marker of package errmark to error messages, for an agent that passes on only the message of
	// an error.
	MarkErrors bool
	// Coalesce is the minimum time that deltas may wait to be merged; 0 leaves it to the endpoints.
	Coalesce time.Duration
	// Initiates is set for an agent whose header X-Initiator is right in every request; the endpoints judge others' by what a
	// request contains.
	Initiates bool
}

// Catalog lists what the login can use.
type Catalog interface {
	Models(ctx context.Context) ([]Model, error)
	Account(ctx context.Context) (Account, error)
}

// QuotaReporter is a [Catalog] that knows what is left of the account's plan from the newest answer of the service to
// any session.
type QuotaReporter interface {
	// Quotas returns the newest figures, nil before the first. It returns at once.
	Quotas() []Quota
}

// TermsAccepter is a [Catalog] that can agree to the terms of a model in the user's name.
type TermsAccepter interface {
	// AcceptTerms agrees to the [Model.Terms] of a model, which the service remembers. Errors are of this package.
	AcceptTerms(ctx context.Context, model string) error
}

// SettingsChecker is a [Catalog] that can check a model and an effort before they are used.
type SettingsChecker interface {
	// SettingsProblem returns what is wrong with the model or the effort for an agent's session, "" if nothing is known
	// to be wrong. It may ask the service.
	SettingsProblem(ctx context.Context, agent string, v Settings) string
}

// Journals stores the journals of all sessions. Implementations are safe for concurrent use.
type Journals interface {
	// Create creates the journal of a new session and locks it for this process.
	Create(ctx context.Context, m Meta) (Journal, error)
	// Open locks an existing journal for this process and returns its content. If another running process has it, the
	// error is of kind [KindLocked] and names the process. Damaged lines, such as a torn last line, are left out and
	// reported as notices among the events.
	Open(ctx context.Context, id ID) (Journal, Meta, []Event, error)
	// Read returns the content of a journal without locking it.
	Read(ctx context.Context, id ID) (Meta, []Event, error)
	// List describes all sessions, most recently updated first. With an error it still returns all sessions that it
	// could read.
	List(ctx context.Context) ([]Meta, error)
	// Remove deletes a session's journal, unless it is locked.
	Remove(ctx context.Context, id ID) error
}

// HolderReporter are journals that report which process has a session, without locking it.
type HolderReporter interface {
	// Holder returns the running process that has the session locked, which may be this one. pid is 0 if unknown; held
	// is false if the lock cannot be read. The call is cheap.
	Holder(ctx context.Context, id ID) (pid int, held bool)
}

// TurnCounter is a journal that describes its session with the number of its turns.
type TurnCounter interface {
	// CountTurns sets the number of turns before the next event, including those that only the agent's transcript has.
	CountTurns(n int)
}

// Journal is the append-only record of one session. Only one goroutine uses it.
type Journal interface {
	// Append records e. Everything but deltas is written before Append returns; deltas are written by the next Flush or
	// by the next Append of another event. What a failed write could not write stays pending for the next one.
	Append(e Event) error
	// Flush writes pending events.
	Flush() error
	// Close flushes and releases the lock.
	Close() error
}

// Syncer is a [Journal] whose bytes a loss of power could take.
type Syncer interface {
	// Sync puts what was written on the disk itself. It may block for long, and runs beside all other methods but Close.
	Sync() error
}

// agentTitles are the names of agents for people. The ids stay in settings, commands and files.
var agentTitles = map[string]string{"builtin": "parley", "claude": "Claude Code", "copilot": "Copilot", "cloud": "Copilot cloud agent",
	"codex": "Codex", "opencode": "opencode", "crush": "crush", "gemini": "Gemini CLI", "goose": "goose", "antigravity": "Antigravity"}

// Foreign reports whether an agent stands for a program that parley does not drive. Its sessions are read, and copied for parley's own
// agent; only the program itself continues them.
func Foreign(agent string) bool {
	return slices.Contains([]string{"codex", "opencode", "crush", "gemini", "goose", "antigravity"}, agent)
}

// AgentTitle returns the name of an agent for people, or the name itself if it has no other.
func AgentTitle(agent string) string { return cmp.Or(agentTitles[agent], agent) }
