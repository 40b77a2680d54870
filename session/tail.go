package session

import "context"

// Tail is the end of a stored session, read without the rest.
type Tail struct {
	// Events are in order, oldest first. The first may belong to something that began before.
	Events []Event
	// Before are the choices before the events; a field is empty if its choice is unknown or was not made.
	Before Settings
	// Todos is the agent's task list at the end, if known.
	Todos []Todo
	// Size is the size of the whole record, in bytes.
	Size int64
	// Whole reports that nothing comes before the events.
	Whole bool
}

// Tailer is a [Replayer] that can read the end of a long session without reading all of it.
type Tailer interface {
	// Tail returns the end of a stored session, read from about its last n bytes. From the first prompted turn that
	// begins there, the events fold to the same turns as the end of Replay, apart from the ids of turns without a
	// prompt. The error is of kind [KindUnsupported] if that cannot be guaranteed, and otherwise that of Replay.
	Tail(ctx context.Context, id ID, n int64) (Tail, error)
}

// TailReader are journals whose end can be read separately.
type TailReader interface {
	// ReadTail returns the content of about the last n bytes of a journal without locking it, maybe no events if no
	// turn begins there. Damage in those bytes and unknown earlier choices are errors of kind [KindCorrupt]; other
	// errors are those of Read.
	ReadTail(ctx context.Context, id ID, n int64) (Meta, Tail, error)
}
