package proc

import (
	"context"
	"errors"
	"io"
	"log/slog"
)

// MarkVariable is the environment variable that marks a child and all it starts.
const MarkVariable = "PARLEY_RUN"

// Options configure a group.
type Options struct {
	// Dir is where the records are kept, made when the first child starts; "" for none.
	Dir string
	// Log takes what went wrong on the side; nil means nowhere.
	Log *slog.Logger
}

// Group owns the child processes of one program. It is safe for concurrent use.
type Group struct{}

// New returns a group. It costs nothing until the first child is started.
func New(o Options) *Group { return &Group{} }

var errNotYet = errors.New("being built")

// Start starts a child.
func (g *Group) Start(ctx context.Context, c Command) (*Child, error) { return nil, errNotYet }

// Sweep kills what earlier programs have left behind.
func (g *Group) Sweep(ctx context.Context) (killed int, err error) { return 0, errNotYet }

// Close kills all children with everything they have started and returns when they are gone.
func (g *Group) Close() error { return nil }

// Child is a started process.
type Child struct{ pipes }

// Pid is its process id.
func (c *Child) Pid() int { return 0 }

// Stdin is the pipe to its standard input.
func (c *Child) Stdin() io.WriteCloser { return c.stdin }

// Stdout is the pipe from its standard output.
func (c *Child) Stdout() io.ReadCloser { return c.stdout }

// Stderr is the pipe from its standard error.
func (c *Child) Stderr() io.ReadCloser { return c.stderr }

// Terminate asks the process to end.
func (c *Child) Terminate() error { return errNotYet }

// Kill ends the process and everything it has started.
func (c *Child) Kill() error { return errNotYet }

// Done is closed when it has ended.
func (c *Child) Done() <-chan struct{} { return nil }

// Exit says how it ended, after Done.
func (c *Child) Exit() Exit { return Exit{} }
