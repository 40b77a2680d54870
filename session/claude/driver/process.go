package driver

import (
	"context"
	"encoding/json"
	"errors"
)

// ErrUnsupported is in the chain of the error of a control request that this version of the runtime does not know.
var ErrUnsupported = errors.New("this version of the runtime cannot do that")

// Process is one running runtime. All methods are safe for concurrent use.
type Process struct{}

var errNotYet = errors.New("being built")

// Args returns the arguments for the launch, without the program.
func Args(l Launch) []string { return nil }

// Environ returns the whole environment for the launch.
func Environ(l Launch) []string { return nil }

// MayBypass reports whether a runtime so launched accepts the mode bypassPermissions at all: as root it does only in a
// sandbox, which the environment must say (IS_SANDBOX=1).
func (l Launch) MayBypass() bool { return true }

// Start starts a runtime and returns after the handshake. Cancelling ctx before that kills it; afterwards ctx means
// nothing. Errors are of type *session.Error.
func Start(ctx context.Context, o Options) (*Process, error) { return nil, errNotYet }

// Init is what the runtime said about itself.
func (p *Process) Init() Init { return Init{} }

// Send writes one message and returns when it is written.
func (p *Process) Send(ctx context.Context, m UserMessage) error { return errNotYet }

// Interrupt stops the running turn. With cancelQueued, messages that wait are dropped too, where the runtime can.
func (p *Process) Interrupt(ctx context.Context, cancelQueued bool) error { return errNotYet }

// SetModel changes the model, from the next turn or request on.
func (p *Process) SetModel(ctx context.Context, model string) error { return errNotYet }

// SetMode changes the permission mode.
func (p *Process) SetMode(ctx context.Context, mode string) error { return errNotYet }

// SetEffort changes the effort; "" clears it.
func (p *Process) SetEffort(ctx context.Context, effort string) error { return errNotYet }

// CancelMessage takes back a message that is still queued and reports whether it was.
func (p *Process) CancelMessage(ctx context.Context, uuid string) (bool, error) {
	return false, errNotYet
}

// ContextUsage asks what fills the model's window.
func (p *Process) ContextUsage(ctx context.Context) (json.RawMessage, error) { return nil, errNotYet }

// GenerateTitle asks for a title; "" if the runtime finds none.
func (p *Process) GenerateTitle(ctx context.Context, description string) (string, error) {
	return "", errNotYet
}

// StopTask ends a background task.
func (p *Process) StopTask(ctx context.Context, id string) error { return errNotYet }

// Control makes a control request and returns its answer.
func (p *Process) Control(ctx context.Context, subtype string, fields map[string]any) (json.RawMessage, error) {
	return nil, errNotYet
}

// Reply answers a request of the runtime.
func (p *Process) Reply(requestID string, response any) error { return errNotYet }

// ReplyError refuses a request of the runtime.
func (p *Process) ReplyError(requestID, message string) error { return errNotYet }

// Busy reports whether a turn runs, as far as the lines so far tell.
func (p *Process) Busy() bool { return false }

// Alive reports whether the process runs.
func (p *Process) Alive() bool { return false }

// Pid is the process id.
func (p *Process) Pid() int { return 0 }

// Done is closed when the process has ended, its last line has been given to Line and its open requests to Cancel.
func (p *Process) Done() <-chan struct{} { return nil }

// Exit says how it ended. Only after Done.
func (p *Process) Exit() Exit { return Exit{} }

// Close ends the process and returns when it is gone with everything it had started.
func (p *Process) Close(ctx context.Context) Exit { return Exit{} }
