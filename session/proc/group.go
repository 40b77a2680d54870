package proc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"sync"

	"parley/internal/crash"
)

// ErrClosed is the error of a start in a closed group.
var ErrClosed = errors.New("parley is ending its child processes")

// Options configures a [Group].
type Options struct {
	// Dir is the directory of the records, created with the first child; "": no records.
	Dir string
	// Log gets failures that are not returned; nil: nothing is logged.
	Log *slog.Logger
}

// Group owns the child processes of one program. It is safe for concurrent use.
type Group struct {
	dir string
	log *slog.Logger

	// first runs begin before the first child.
	first  sync.Once
	run    string // the beginning of the marks of all children
	self   ident
	here   string
	forker *forker
	guard  *guard

	mu       sync.Mutex
	closed   bool
	started  int             // children so far; numbers them
	starting sync.WaitGroup  // running starts; added to under mu while not closed
	children map[*Child]bool // not yet reaped
	empty    chan struct{}   // closed when children becomes empty; nil without a waiter
	closing  func() error    // runs once
}

// New returns a group. The first child starts its thread and its guard.
func New(o Options) *Group {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	g := &Group{dir: o.Dir, log: o.Log, children: map[*Child]bool{}}
	g.closing = sync.OnceValue(g.close)
	return g
}

// begin starts the thread that forks the children and the guard, and writes the record of this program. Failures are logged,
// and the group works without.
func (g *Group) begin() {
	g.self, g.here = ident{ownPid, startOf(ownPid)}, place()
	g.run = newRun(g.self)
	g.forker = newForker()
	var err error
	if g.guard, err = startGuard(g.run); err != nil {
		g.log.Warn("no guard for child processes", "error", err)
	}
	if err := g.writeRecord(g.record(ident{}, g.run, "program")); err != nil {
		g.log.Warn("child processes go without records", "error", err)
	}
}

// Start starts a child. It fails if ctx was cancelled; a later cancellation has no effect.
func (g *Group) Start(ctx context.Context, c Command) (*Child, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(c.Argv) == 0 {
		return nil, errors.New("no program to start")
	}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil, ErrClosed
	}
	g.starting.Add(1)
	g.started++
	number := g.started
	g.mu.Unlock()
	defer g.starting.Done()

	g.first.Do(g.begin)
	child := &Child{group: g, mark: g.run + strconv.Itoa(number) + ".", done: make(chan struct{})}
	child.cmd = exec.Command(c.Argv[0], c.Argv[1:]...)
	child.cmd.Dir, child.cmd.Env = c.Dir, marked(c.Env, child.mark)
	setAttributes(child.cmd, c)
	theirs, err := child.open(c)
	if err != nil {
		return nil, fmt.Errorf("pipes for %s: %w", c.Argv[0], err)
	}
	g.forker.do(func() { err = child.cmd.Start() })
	closeAll(theirs)
	if err != nil {
		closeAll([]*os.File{child.stdin, child.stdout, child.stderr})
		return nil, err
	}
	g.adopt(child, c.Label)
	return child, nil
}

// open creates the pipes and returns the child's ends.
func (c *Child) open(o Command) (theirs []*os.File, err error) {
	defer func() {
		if err != nil {
			closeAll(append(theirs, c.stdin, c.stdout, c.stderr))
		}
	}()
	var r, w *os.File
	if !o.NoInput {
		if r, c.stdin, err = os.Pipe(); err != nil {
			return theirs, err
		}
		c.cmd.Stdin, theirs = r, append(theirs, r)
	}
	if c.stdout, w, err = os.Pipe(); err != nil {
		return theirs, err
	}
	c.cmd.Stdout, theirs = w, append(theirs, w)
	if o.Merge {
		c.cmd.Stderr = w
		return theirs, nil
	}
	if c.stderr, w, err = os.Pipe(); err != nil {
		return theirs, err
	}
	c.cmd.Stderr, theirs = w, append(theirs, w)
	return theirs, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// adopt adds a started process.
func (g *Group) adopt(c *Child, label string) {
	pid := c.cmd.Process.Pid
	c.id = ident{pid, startOf(pid)}
	var err error
	if c.hold, err = holdChild(c.cmd); err != nil {
		g.log.Warn("child is held by its process id only", "label", label, "error", err)
	}
	if err := g.writeRecord(g.record(c.id, c.mark, label)); err != nil {
		g.log.Warn("child has no record", "label", label, "error", err)
	}
	g.mu.Lock()
	g.children[c] = true
	g.mu.Unlock()
	crash.Go(c.wait)
}

// forget removes a reaped child.
func (g *Group) forget(c *Child) {
	g.removeRecord(c.mark)
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.children, c)
	if len(g.children) == 0 && g.empty != nil {
		close(g.empty)
		g.empty = nil
	}
}

// Close kills all children with all they have started, ends the guard and removes the records. It returns when the processes
// have ended. Later starts fail. Calling it again returns the same.
func (g *Group) Close() error { return g.closing() }

func (g *Group) close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.starting.Wait()
	if g.run == "" { // no child was ever started
		return nil
	}
	_, err := killClaimed(g.run, ident{})
	g.mu.Lock()
	left := make([]*Child, 0, len(g.children))
	for c := range g.children {
		left = append(left, c)
	}
	empty := make(chan struct{})
	if len(left) == 0 {
		close(empty)
	} else {
		g.empty = empty
	}
	g.mu.Unlock()
	for _, c := range left { // their marks are unreadable
		c.KillGroup()
	}
	if err = errors.Join(err, awaitDone(empty)); err != nil {
		return err // guard and records stay for the remaining processes
	}
	if g.guard != nil {
		g.guard.dismiss()
	}
	g.removeRecord(g.run)
	g.forker.stop()
	return nil
}
