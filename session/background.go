package session

import (
	"context"
	"time"
)

// Limits bound what one turn may use, with its children. A field that is 0 bounds nothing. A turn that reaches a limit ends
// with [TurnLimit].
type Limits struct {
	Rounds  int           // requests to the model
	Tokens  int64         // input and output together
	NanoAIU int64         // credits, in nano AI units
	Time    time.Duration // wall time
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
