package session

import (
	"context"
	"encoding/json"
)

// FileKeeper keeps images of the files that the tool calls of sessions change, so that changes can be shown and taken back.
// Implementations are safe for concurrent use.
type FileKeeper interface {
	// Track returns the tracker of a session that is about to run calls. It touches no file. changed receives what the
	// tracker finds, in order, from a goroutine of the tracker and without a lock; it may call the tracker.
	Track(m Meta, changed func(FilesChanged)) FileTracker
	// Copy gives a copied session the changes of the original that a function of the call accepts.
	Copy(ctx context.Context, from, to ID, wanted func(CallID) bool) error
	// Remove forgets the changes of a removed session. Images that no session needs any more are swept later.
	Remove(ctx context.Context, id ID) error
}

// FileTracker keeps the images of one session's tool calls. It is safe for concurrent use, and never fails: what could
// not be kept is part of what it reports, and of what can be taken back later.
type FileTracker interface {
	// Before keeps what the call may change as it is now, and returns when the call may run. Calls of it wait for what
	// Ended has begun. A second one for the same call, as after the user's answer, replaces the first.
	Before(ctx context.Context, c FileCall)
	// Drop forgets a call that will not run.
	Drop(call CallID)
	// Ended finds out in the background what the call changed. It returns at once.
	Ended(e ToolEnded)
	// Unaccepted returns the number of files with changes that the user has not accepted. It may read the disk once.
	Unaccepted(ctx context.Context) int
	// Close waits for what Ended has begun, until ctx ends.
	Close(ctx context.Context) error
}

// FileRecorder is a [FileTracker] that knows when it has recorded what the calls that have ended changed.
type FileRecorder interface {
	// Recorded returns once it has recorded and reported that, or with the error of ctx.
	Recorded(ctx context.Context) error
}

// FileCall is a tool call that may change files.
type FileCall struct {
	Call  CallID
	Turn  TurnID
	Child ChildID
	// Tool is the name of the tool as the agent gives it, Input its input.
	Tool  string
	Input json.RawMessage
	// Paths are the files that the call names, absolute. Command is set for a call that runs a command line, which may
	// change any file of the work tree.
	Paths   []string
	Command string
	// Model is the model that made the call; may be empty.
	Model string
}

// EditReplayer is an agent whose stored transcripts hold what files contained before calls changed them.
type EditReplayer interface {
	// ReplayEdits returns the ends of the calls of a stored session that changed files, oldest first, with
	// [FileEdit.Before] where the transcript has it. The heads name turn and child.
	ReplayEdits(ctx context.Context, id ID) ([]ToolEnded, error)
}
