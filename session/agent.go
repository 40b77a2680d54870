package session

import (
	"context"
	"time"
)

// Endpoint is where an agent sends its model requests: the proxy, with a bearer of the session's own. Agents never see a
// GitHub token.
type Endpoint struct {
	BaseURL string // such as "http://127.0.0.1:41234", without a path
	Bearer  string // sent as "Authorization: Bearer ..."
}

// OpenOptions is what an agent needs to hold one conversation.
type OpenOptions struct {
	Session ID
	// Gen is the generation the conversation speaks as, in every head it emits.
	Gen Generation
	// Dir is the working directory, absolute; Dirs are further directories the tools may use.
	Dir  string
	Dirs []string
	// Settings are what the user chose; an empty model means the agent's default.
	Settings Settings
	Endpoint Endpoint
	// History is the conversation so far without the turn that is about to be sent, nil if there is none. Turns that failed
	// before anything was delivered are among it, with a prompt and no entries. The agent may read it while opening and must
	// not keep or change it.
	History *Transcript
	// Emit takes every event of the conversation, in order. It never blocks and may be called from any goroutine; the agent
	// orders its own calls. After Close has returned the agent calls it no more.
	Emit func(Event)
}

// Agent holds conversations. Implementations are safe for concurrent use.
type Agent interface {
	// Name is "builtin", "claude" or "copilot".
	Name() string
	// Open begins or, with History, continues a conversation. It may start a process. Errors are of kind [KindRuntime],
	// [KindAuth], [KindInvalid], [KindUnsupported] or what the context says.
	Open(ctx context.Context, o OpenOptions) (Conversation, error)
}

// Conversation is one session held by an agent. Send is called by one goroutine at a time; all other methods may be
// called at any time, by anyone, also while Send runs, and never wait for it.
type Conversation interface {
	// Send delivers one prompt and returns when its turn has ended (its TurnStarted, which the manager has told already to
	// show and keep the prompt at once, is not told twice) and TurnEnded has been emitted. The error is nil
	// whenever a TurnEnded was emitted, whatever its outcome; otherwise nothing was delivered. Cancelling ctx is an Abort.
	Send(ctx context.Context, turn TurnID, p Prompt, o Origin) error
	// Abort stops the running turn, settles its asks as cancelled and returns at once. Without a turn it does nothing.
	Abort()
	// Answer answers an open ask. An unknown or settled ask is an error of kind [KindNotFound].
	Answer(ask AskID, a Answer) error
	// Configure changes model, effort and mode. It holds starting with the next request.
	Configure(ctx context.Context, s Settings) error
	// Close stops the turn if one runs, waits until everything the conversation owns is gone, and returns.
	Close(ctx context.Context) error
}

// Replayer is an agent that keeps its own transcripts on disk. What it replays decides what exists; our journal only
// adds to it.
type Replayer interface {
	// Replay returns the events of a stored session, oldest first.
	Replay(ctx context.Context, id ID) ([]Event, error)
	// Sessions lists the stored sessions, newest first, without starting or installing anything.
	Sessions(ctx context.Context) ([]Meta, error)
}

// Describer is a [Replayer] that can describe one stored session without listing them all.
type Describer interface {
	// Describe describes a stored session. The error is of kind [KindNotFound] if the agent has none of that id.
	Describe(ctx context.Context, id ID) (Meta, error)
}

// Forker is an agent that can copy a session up to and including a turn.
type Forker interface {
	// Fork copies a stored session up to and including a turn, all of it for an empty turn, and returns the id of the copy.
	// The session may be running. Errors are of kind [KindNotFound], or [KindInvalid] for a turn nobody answered.
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
	// Info returns the description; Name may be empty. It may look for a runtime on disk.
	Info() AgentInfo
}

// AgentInfo describes an agent for users.
type AgentInfo struct {
	// Name is the agent's name, such as "claude"; About describes it in a few words.
	Name, About string
	// Version is that of its runtime, as far as it is known; empty for an agent without one.
	Version string
	// Missing is why it cannot be used now, such as that its runtime is not installed; empty if it can.
	Missing string
}

// Warmer is an agent that can prepare for a conversation before its first prompt, unannounced. Warming twice, or for
// options that change later, costs time and nothing else.
type Warmer interface {
	Warm(ctx context.Context, o OpenOptions) (release func(), err error)
}

// Waker is a conversation that can prepare for its next prompt, because the user has begun to type.
type Waker interface {
	// Wake takes up again what was given back while nobody needed it, and tells what others have added to the conversation
	// meanwhile. Where there is nothing to do it returns soon; while a turn runs it does nothing.
	Wake(ctx context.Context) error
}

// Commander is an agent whose prompts may be slash commands of its own: a prompt that begins with a slash and such a name.
type Commander interface {
	// Commands returns the slash commands known in a directory so far, by name. It returns at once.
	Commands(dir string) []SlashCommand
}

// CommandWaiter is a [Commander] that learns its commands from a runtime, which takes a while to start.
type CommandWaiter interface {
	// AwaitCommands returns once Commands tells what is known in a directory. It starts nothing: it fails when a runtime could
	// not be started there meanwhile, and with ctx.
	AwaitCommands(ctx context.Context, dir string) error
}

// SlashCommand is a command that an agent understands as a prompt.
type SlashCommand struct {
	// Name is without the slash; Arguments hints at what may follow, such as "[file]"; both texts may be empty.
	Name, Arguments, About string
}

// ClientTools is a conversation that can call tools which parley itself provides.
type ClientTools interface {
	SetTools(ctx context.Context, tools []ClientTool) error
}

// ClientTool is a tool provided by parley to an agent.
type ClientTool struct {
	Name        string
	Description string
	Schema      []byte // JSON Schema of the input
	Call        func(ctx context.Context, input []byte) (ToolResult, error)
}

// ModelAliaser is an agent whose models have names besides those of the service.
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
	// Title returns a short title for a conversation that began with the prompt and the answer, "" if it has none to give. It
	// costs the user nothing, and ends with ctx.
	Title(ctx context.Context, prompt, answer string) (string, error)
}

// Endpoints opens and closes the endpoint of a session. Opening may start the proxy; it is called at the first send, never
// for drafts.
type Endpoints interface {
	Open(ctx context.Context, id ID) (Endpoint, error)
	// Close makes the session's bearer useless.
	Close(id ID)
}

// TunedEndpoints are endpoints that can be tuned for an agent.
type TunedEndpoints interface {
	// OpenTuned opens the endpoint as [Endpoints] does.
	OpenTuned(ctx context.Context, id ID, t EndpointTuning) (Endpoint, error)
}

// EndpointTuner is an agent that wants its endpoints tuned.
type EndpointTuner interface {
	EndpointTuning() EndpointTuning
}

// EndpointTuning is what an agent wants of its endpoints. The zero value wants nothing.
type EndpointTuning struct {
	// MarkErrors appends a marker of package errmark to error messages: the agent keeps nothing else of an error.
	MarkErrors bool
	// Coalesce is how long deltas may wait to be merged, at least; 0 leaves it to the endpoints.
	Coalesce time.Duration
}

// Catalog lists what this login can use.
type Catalog interface {
	Models(ctx context.Context) ([]Model, error)
	Account(ctx context.Context) (Account, error)
}

// QuotaReporter is a [Catalog] that knows what is left of the account's plan from the newest answer of the service,
// whichever session that was for.
type QuotaReporter interface {
	// Quotas returns the newest figures, nil before the first. It returns at once.
	Quotas() []Quota
}

// SettingsChecker is a [Catalog] that can check a model and an effort before they are used.
type SettingsChecker interface {
	// SettingsProblem returns what is wrong with the model or the effort for an agent's session, "" if nothing is or nothing
	// is known. It may ask the service.
	SettingsProblem(ctx context.Context, agent string, v Settings) string
}

// Journals keeps the journals of all sessions. Implementations are safe for concurrent use.
type Journals interface {
	// Create makes the journal of a new session and locks it for this process.
	Create(ctx context.Context, m Meta) (Journal, error)
	// Open locks an existing journal for this process and returns what it holds. A journal that another living process has
	// is an error of kind [KindLocked] that names the process. Damage, such as a torn last line, is repaired by leaving
	// the damaged lines out and told as notices among the events.
	Open(ctx context.Context, id ID) (Journal, Meta, []Event, error)
	// Read returns what a journal holds without locking it.
	Read(ctx context.Context, id ID) (Meta, []Event, error)
	// List describes all sessions, most recently updated first. One unreadable journal hides no other: with an error, what
	// could be listed is returned all the same.
	List(ctx context.Context) ([]Meta, error)
	// Remove deletes a session's journal. A locked one is refused.
	Remove(ctx context.Context, id ID) error
}

// HolderReporter are journals that report which process has a session, without locking it.
type HolderReporter interface {
	// Holder returns the living process that has the session locked, this one included; pid is 0 if it is not known. It is
	// cheap, and where it cannot be told, false.
	Holder(ctx context.Context, id ID) (pid int, held bool)
}

// TurnCounter is a journal that describes its session with the number of its turns.
type TurnCounter interface {
	// CountTurns says how many turns the session has before what is appended next: those that only the agent's own
	// transcript holds are among them.
	CountTurns(n int)
}

// Journal is the append-only record of one session. It is used by one goroutine.
type Journal interface {
	// Append records e. Everything but deltas is written before Append returns; deltas are written by the next Flush or
	// non-delta Append. A failed write keeps what it could not write and tries again with the next.
	Append(e Event) error
	// Flush writes what is pending.
	Flush() error
	// Close flushes and gives the lock back.
	Close() error
}
