package driver

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"time"

	"parley/session/proc"
)

// Options is what a process needs.
type Options struct {
	Launch

	// Line is called with every line that is not a control message, in order and from one goroutine. It must not keep the
	// slice and should not block: lines that wait for it are kept in memory, up to a bound above which reading pauses.
	// Lines may come before [Start] has returned.
	Line func(line []byte)
	// Ask is called, in order with Line and from the same goroutine, with each control request of the runtime. It must
	// return at once: the answer goes through [Process.Reply] or [Process.ReplyError], from wherever and whenever. False
	// says that it will not be answered; the driver then does so, with an error. Control requests of ours from within Ask
	// are refused, because the runtime may not answer them before it has got its own answer.
	Ask func(r Request) (taken bool)
	// Cancel is called, in order with Line and Ask, when the runtime takes a request back, and for every request that is
	// still open when it is gone. An answer is then too late. May be nil.
	Cancel func(requestID string)
	// Quiet is called when a turn runs, nothing waits for an answer of ours, and nothing has been heard for
	// [Limits.Quiet]; once per silence, from a goroutine of its own. Nothing is ended because of it. May be nil.
	Quiet func(silent time.Duration)

	// Log takes what is of interest to who maintains parley; nil means nowhere. Nothing secret goes there.
	Log *slog.Logger
	// Processes starts the process. Start, if set, does it instead: tests put a simulated runtime there.
	Processes *proc.Group
	Start     Starter
	// Limits bound the waiting; zero fields have defaults.
	Limits Limits
}

// Limits bound the waiting for a runtime.
type Limits struct {
	Handshake time.Duration // from the start to the answer to initialize; 60 s
	Control   time.Duration // for the answer to a control request; 60 s
	Interrupt time.Duration // at the end, for the result of an interrupted turn; 2 s
	Drain     time.Duration // at the end, from closing its input to asking it to terminate; 5 s
	Terminate time.Duration // at the end, from asking it to terminate to killing it; 3 s
	Quiet     time.Duration // of silence in a turn until it is reported; 3 min
	Queued    int           // bytes of lines that may wait for Line before reading pauses; 64 MiB
}

// Request is a control request of the runtime, such as can_use_tool, hook_callback, mcp_message or elicitation.
type Request struct {
	// ID is what the answer carries.
	ID string
	// Subtype says what is asked.
	Subtype string
	// Raw is the request object and Line the whole line it came in. Both must not be kept after Ask has returned.
	Raw, Line []byte
}

// Starter starts a process.
type Starter func(ctx context.Context, c proc.Command) (Child, error)

// Child is a started process: [proc.Child], or a simulated one.
type Child interface {
	// Pid is its process id, 0 for a simulated one.
	Pid() int
	// Stdin, Stdout and Stderr are our ends of its streams.
	Stdin() io.WriteCloser
	Stdout() io.ReadCloser
	Stderr() io.ReadCloser
	// Terminate asks it to end.
	Terminate() error
	// Kill ends it and everything it has started, and returns when that is done or cannot be.
	Kill() error
	// Done is closed when it has ended. Exit says how, after that.
	Done() <-chan struct{}
	Exit() proc.Exit
}

// Exit says how a runtime ended.
type Exit struct {
	// Code is the exit status, -1 if there is none; Signal names the signal that ended it, "" if none did.
	Code   int
	Signal string
	// Stderr is the last of what it wrote to its standard error, with secrets masked.
	Stderr string
	// Asked says that it ended because of [Process.Close] or a cancelled start.
	Asked bool
}

// UserMessage is one message of the user.
type UserMessage struct {
	// UUID identifies the message in the transcript, in cancellations and, with newer runtimes, in results. A message whose
	// UUID the runtime has seen before is dropped by it without a word.
	UUID string
	// Content is a JSON string or a list of content blocks of the Messages API.
	Content json.RawMessage
	// Priority says when a message that meets a running turn is taken in: "next" (the default, "") with the next request
	// of the turn, "later" after the turn, "now" by ending it.
	Priority string
}
