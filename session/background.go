package session

import (
	"context"
	"time"
)

// LimitNext names the next step for a user after a run that has reached its limit.
const LimitNext = "Raise the limit, or go on in another run with `parley -p -c`."

// Limits bound what one run may use: all its turns together, with their children. A field that is 0 bounds nothing. A turn in which
// the run reaches a limit ends with [TurnLimit].
type Limits struct {
	Rounds  int           // requests to the model
	Tokens  int64         // input and output together
	NanoAIU int64         // credits, in nano AI units
	Time    time.Duration // wall time
}

// LimitKeeper is an agent that knows whether its conversations keep to [OpenOptions.Limits].
type LimitKeeper interface {
	KeepsLimits() bool
}

// Work in the background is a command or a child agent, named by the call that started it. A [Transcript] has it: the call's
// result says Background until another [ToolEnded] reports its end, and [ToolOutput] may come between the two.

// Stopper is a conversation that can stop one call: a command or a child agent, in the foreground or in the background.
type Stopper interface {
	// Stop stops the call and returns at once; events report its end. An unknown or ended call is an error of kind
	// [KindNotFound].
	Stop(ctx context.Context, call CallID) error
}

// Backgrounder is a conversation that can send a running command or child agent to the background, so that its turn goes on.
type Backgrounder interface {
	// ToBackground returns at once; a [ToolEnded] with Background reports that the call is there. A call that does not run
	// or cannot go there is an error of kind [KindNotFound] or [KindUnsupported].
	ToBackground(ctx context.Context, call CallID) error
}

// ChildSteerer is a conversation whose running child agents take prompts.
type ChildSteerer interface {
	// SteerChild delivers p at the child's next tool boundary. An ended child is an error of kind [KindNotFound].
	SteerChild(ctx context.Context, child ChildID, p Prompt) error
}

// ChildResumer is a conversation that can continue a child agent that has ended.
type ChildResumer interface {
	// ResumeChild starts the child again in the background, with its history and p. An unknown or running child is an error
	// of kind [KindNotFound].
	ResumeChild(ctx context.Context, child ChildID, p Prompt) error
}

// Settler is a conversation that begins turns by itself when child agents in the background have ended, and knows when none is due.
type Settler interface {
	// Settle returns once no child agent works and no turn of the conversation's own runs or is due, or with the error of ctx.
	// Commands do not count. It is called between turns, and no prompt is sent before it has returned.
	Settle(ctx context.Context) error
}

// WorkControls lists the actions of a conversation on what runs.
type WorkControls struct {
	Stop        bool // [Stopper]
	Background  bool // [Backgrounder]
	SteerChild  bool // [ChildSteerer]
	ResumeChild bool // [ChildResumer]
}

// WorkController is a conversation that cannot do all that its methods are for, because its runtime cannot.
type WorkController interface {
	// WorkControls returns what it can do now. It returns at once.
	WorkControls() WorkControls
}

// ControlsOf returns what a conversation can do with what runs; nothing for nil.
func ControlsOf(c Conversation) WorkControls {
	var w WorkControls
	_, w.Stop = c.(Stopper)
	_, w.Background = c.(Backgrounder)
	_, w.SteerChild = c.(ChildSteerer)
	_, w.ResumeChild = c.(ChildResumer)
	if limited, ok := c.(WorkController); ok {
		can := limited.WorkControls()
		w = WorkControls{w.Stop && can.Stop, w.Background && can.Background, w.SteerChild && can.SteerChild, w.ResumeChild && can.ResumeChild}
	}
	return w
}

// OutputFollower is a conversation that reads the output of commands in the background only while it is wanted.
type OutputFollower interface {
	// Follow publishes the output of a call in the background as it comes, until ctx ends or the call does, in [ToolOutput]
	// events. It returns at once; a call that is unknown or has no output to follow is ignored.
	Follow(ctx context.Context, call CallID)
}

// The summaries of the results of what ended in the background without a result.
const (
	WhyWithParley = "ended with parley"
	WhyWithAgent  = "ended with the agent's process"
)
