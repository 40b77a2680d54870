package live

import (
	"context"

	"parley/session"
)

// Session is one conversation for the user's side, wherever it runs: in this process, or in a host. It is safe for concurrent use.
type Session struct{ Transport }

// Transport does what a [Session] does. The comments at the methods of a session of this process are its contract; one that runs
// elsewhere may also fail with kind [session.KindRuntime], and its Controls, Draft, Elsewhere, Held, Meta and Settings are as of
// the last event. Close, Wait, Settle, Recorded and methods with a context block.
type Transport interface {
	ID() session.ID
	Meta() session.Meta
	Draft() bool
	Settings() session.Settings
	Held() map[session.PromptID]bool
	Controls() session.WorkControls
	Extensions() session.Extensions
	Elsewhere() (pid int, elsewhere bool)
	Rejoin(ctx context.Context) (elsewhere bool, err error)

	Read(wake func(text bool)) (history []session.Event, r *session.Reader)
	Attach(call func(session.Event)) (history []session.Event, detach func())

	Send(p session.Prompt) (session.PromptID, error)
	Steer(p session.Prompt) (session.PromptID, error)
	Ask(ctx context.Context, p session.Prompt) (session.TurnEnded, error)
	AskAside(ctx context.Context, question string, emit func(text string)) error
	Stored(ctx context.Context) error
	Unqueue(id session.PromptID) (session.Prompt, bool)
	Move(id session.PromptID, step int) bool
	Hold() int
	Release() int

	Answer(ask session.AskID, answer session.Answer) error
	RevokeRule(rule session.Rule, asks []session.AskID) error
	Abort()
	Configure(v session.Settings) error
	Rename(title string) error
	Bound(l session.Limits)
	Shape(schema string)
	Warm()

	StopCall(ctx context.Context, call session.CallID) error
	ToBackground(ctx context.Context, call session.CallID) error
	SteerChild(ctx context.Context, child session.ChildID, p session.Prompt) error
	ResumeChild(ctx context.Context, child session.ChildID, p session.Prompt) error
	Follow(ctx context.Context, call session.CallID)

	Wait(ctx context.Context) error
	Settle(ctx context.Context) error
	Recorded(ctx context.Context) error
	Close(ctx context.Context) error
}
