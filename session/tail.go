package session

import (
	"context"
)

// Tail is the end of what is stored of a session, read without what comes before it.
type Tail struct {
	// Events are in order, oldest first. They may begin in the middle of anything.
	Events []Event
	// Before is what was chosen before them; its fields are empty where that is not known, or where nothing was.
	Before Settings
	// Todos is the agent's task list at the end, as far as that is known.
	Todos []Todo
	// Size is how many bytes all of it has.
	Size int64
	// Whole says that nothing comes before the events.
	Whole bool
}

// Tailer is a [Replayer] that can tell the end of a long session without reading all of it.
type Tailer interface {
	// Tail returns what is told by about the last n bytes of a stored session, as [Replayer] tells it: from the first turn
	// on that begins within them with a prompt, the events fold as they do at the end of what Replay returns, but for the
	// ids of turns that nobody prompted. An end of which that cannot be said is an error of kind [KindUnsupported]; the
	// others are those of Replay.
	Tail(ctx context.Context, id ID, n int64) (Tail, error)
}

// TailReader are journals whose end can be read by itself.
type TailReader interface {
	// ReadTail returns what about the last n bytes of a journal hold, without locking it; it may return no events if no
	// turn begins within them. What is damaged there, and a
	// journal of which it is not known what was chosen before, is an error of kind [KindCorrupt]; the others are those of
	// Read.
	ReadTail(ctx context.Context, id ID, n int64) (Meta, Tail, error)
}
