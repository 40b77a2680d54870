package core

import (
	"context"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/session/live"
	"parley/session/store/marks"
	"parley/session/words"
)

// CommandsTimeout is the time for which a command waits for an agent's commands to be known: its runtime takes seconds to start.
const CommandsTimeout = time.Minute

// Manager manages the sessions of this process, as far as the chat needs it; *live.Manager has it. Methods that take no context
// return at once, apart from Agents, which may look for runtimes on disk.
type Manager interface {
	// Draft creates a session, Resume loads a stored one, Fork copies one up to and including a turn, or all of it for an
	// empty turn.
	Draft(o live.DraftOptions) (*live.Session, error)
	Resume(ctx context.Context, id session.ID) (*live.Session, error)
	Fork(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error)
	// Listing lists the stored sessions, Preview reads the end of one; false if that is not possible.
	Listing(ctx context.Context) live.Listing
	Known() []session.Meta
	Preview(ctx context.Context, id session.ID) (live.Preview, bool)
	// Read reads a stored session, Holder returns the process that has one, also this one.
	Read(ctx context.Context, id session.ID) (session.Meta, []session.Event, error)
	Holder(ctx context.Context, id session.ID) (pid int, held bool)
	// Newest returns some of the newest sessions without reading them. Narrow divides sessions into those that are likely to have some
	// words and others, Find looks for words in what was said in a session, all in the background.
	Newest(ctx context.Context, dir string, most int) []session.Meta
	Narrow(ctx context.Context, q *words.Query, all []session.Meta) (likely, rest []session.Meta, err error)
	Find(ctx context.Context, q *words.Query, m session.Meta) (library.Hit, bool)
	// Rename gives a stored session a title and returns it as it is kept. Discard moves one into the bin, with what its agent stores only if
	// kept is set; Removal returns what that would be, or why it cannot. Deleted lists the bin, RestoreFrom brings back the session that was
	// deleted at a time, zero for the last one, Empty deletes for good.
	Rename(ctx context.Context, id session.ID, title string) (string, error)
	// Mark changes the tags of a session, whether it is pinned and whether it is archived, also of one that is open elsewhere.
	Mark(ctx context.Context, id session.ID, change func(*marks.Marks)) (marks.Marks, error)
	Removal(ctx context.Context, id session.ID) (library.Removal, error)
	Discard(ctx context.Context, id session.ID, kept bool) error
	Deleted(ctx context.Context) ([]session.Meta, error)
	RestoreFrom(ctx context.Context, id session.ID, at time.Time) error
	Empty(ctx context.Context, which func(session.Meta) bool) (int, error)

	// Prompts yields the prompts of all sessions and those of a directory that agents store themselves, one session at a time,
	// roughly the newest first, until yield returns false.
	Prompts(ctx context.Context, dir string, yield func([]session.PastPrompt) bool) error

	// Agents describes the agents that new sessions can have.
	Agents() []session.AgentInfo
	// CanFork reports whether Fork can copy sessions of an agent, Steers whether an agent takes prompts into a running turn.
	CanFork(agent string) bool
	Steers(agent string) bool
	// ModeProblem returns why an agent cannot work in a mode, "" if it can.
	ModeProblem(agent string, m session.Mode) string
	// Truster returns what stores decisions about the directories of an agent's sessions, nil for an agent that loads nothing
	// from them. Its methods may block.
	Truster(agent string) session.RepositoryTruster
	// TakesCustoms reports whether custom agents can hold sessions of an agent. Customs reads those of a directory from disk.
	TakesCustoms(agent string) bool
	Customs(ctx context.Context, agent, dir string) session.Customs
	// Remote returns the agent of that name if it works at a service, else nil; RemoteName returns the name of the first such
	// agent, "" if there is none.
	Remote(agent string) session.RemoteAgent
	RemoteName() string
	RemoteMissing() string
	// Refresh asks the services of agents for their sessions, which Listing returns from then on.
	Refresh(ctx context.Context) error
	// Commands returns the slash commands of an agent in a directory, as far as they are known. AwaitCommands returns a
	// function that blocks until they are known, nil if they are or never will be.
	Commands(agent, dir string) []session.SlashCommand
	AwaitCommands(agent, dir string) func(ctx context.Context) error
}

var _ Manager = (*live.Manager)(nil)
