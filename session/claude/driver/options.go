package driver

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"parley/session/proc"
	"parley/session/proc/pipe"
)

// Options configures a process.
type Options struct {
	Launch

	// Line is called with every line that is not a control message, in order and from one goroutine, also before [Start] has
	// returned. It must not keep the slice and should not block: [Limits.Queued] bounds the lines that wait for it.
	Line func(line []byte)
	// Ask is called in order with Line, from the same goroutine, with each control request of the runtime. It must return at
	// once; [Process.Reply] or [Process.ReplyError] answers later, from any goroutine. On false, the driver refuses the
	// request. Our control requests from within Ask fail: the runtime may answer them only after its own is answered.
	Ask func(r Request) (taken bool)
	// Cancel is called in order with Line and Ask when the runtime takes a request back, and for every open request at its
	// end. It may be nil.
	Cancel func(requestID string)
	// Message is called, in order with Ask, with each message for the server [Launch.ToolServer], which it may not keep. It returns the
	// answer, or what makes it in another goroutine; ctx ends when the runtime takes the message back and at its end. Nil: there is no server.
	Message func(ctx context.Context, message json.RawMessage) (reply any, later func() any)
	// Quiet is called, once per silence and from another goroutine, when a turn runs, no request waits for us, and the
	// runtime has printed nothing for [Limits.Quiet]. It may be nil.
	Quiet func(silent time.Duration)

	// Log is for maintainers and gets no secrets; nil: nothing is logged.
	Log *slog.Logger
	// Processes starts the process, or Start if it is set, such as a simulated one in tests.
	Processes *proc.Group
	Start     pipe.Starter
	// Limits bound the waits; zero fields have defaults.
	Limits Limits
}

// Limits bound the waits for a runtime.
type Limits struct {
	Handshake time.Duration // from the start to the answer to initialize; 30 s
	Odd       time.Duration // during it, from a first line that is no message until one is; 10 s
	Control   time.Duration // for the answer to a control request; 60 s
	Interrupt time.Duration // at the end, for the result of an interrupted turn; 2 s
	Drain     time.Duration // at the end, from closing its input to asking it to terminate; 5 s
	Terminate time.Duration // at the end, from asking it to terminate to killing it; 3 s
	Quiet     time.Duration // of silence in a turn until it is reported; 3 min
	Queued    int           // bytes of lines that may wait for Line before reading pauses; 64 MiB
}

// defaults are the default [Limits].
var defaults = Limits{Handshake: 30 * time.Second, Odd: 10 * time.Second, Control: time.Minute, Interrupt: 2 * time.Second, Drain: 5 * time.Second,
	Terminate: 3 * time.Second, Quiet: 3 * time.Minute, Queued: 64 << 20}

func (l Limits) orDefaults() Limits {
	or := func(d, fallback time.Duration) time.Duration {
		if d > 0 {
			return d
		}
		return fallback
	}
	l.Handshake, l.Control = or(l.Handshake, defaults.Handshake), or(l.Control, defaults.Control)
	l.Odd = or(l.Odd, defaults.Odd)
	l.Interrupt, l.Drain = or(l.Interrupt, defaults.Interrupt), or(l.Drain, defaults.Drain)
	l.Terminate, l.Quiet = or(l.Terminate, defaults.Terminate), or(l.Quiet, defaults.Quiet)
	if l.Queued <= 0 {
		l.Queued = defaults.Queued
	}
	return l
}

// Request is a control request of the runtime, such as can_use_tool, hook_callback or elicitation.
type Request struct {
	// ID is that of the answer.
	ID string
	// Subtype is the kind of the request.
	Subtype string
	// Raw is the request object and Line the whole line it came in. Both must not be kept after Ask has returned.
	Raw, Line []byte
}

// Exit describes the end of a runtime.
type Exit struct {
	proc.Exit
	// Stderr is the end of its standard error, with secrets masked.
	Stderr string
	// Asked reports whether [Process.Close] or a cancelled start ended it.
	Asked bool
}

// UserMessage is one message of the user.
type UserMessage struct {
	// UUID identifies the message in the transcript, in cancellations and, with newer runtimes, in results. The runtime drops
	// a message whose UUID it has seen.
	UUID string
	// Content is a JSON string or a list of content blocks of the Messages API.
	Content json.RawMessage
	// Priority is the point at which a running turn takes the message up: "next", the default, with its next request, "later" after it,
	// "now" by ending it.
	Priority string
}
