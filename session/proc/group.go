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
)

// ErrClosed is the error of a start in a group that is closed.
var ErrClosed = errors.New("parley is ending its child processes")

// Options configure a group.
type Options struct {
	// Dir is where the records are kept, made when the first child starts; "" for none.
	Dir string
	// Log takes what went wrong on the side; nil means nowhere.
	Log *slog.Logger
}

// Group owns the child processes of one program. It is safe for concurrent use.
type Group struct {
	dir string
	log *slog.Logger

	// first does what the first child needs.
	first  sync.Once
	run    string // what the marks of all children begin with
	self   ident
	here   string
	forker *forker
	guard  *guard

	mu       sync.Mutex
	closed   bool
	started  int             // children so far, which numbers them
	starting sync.WaitGroup  // starts under way; added to under mu while not closed
	children map[*Child]bool // not yet buried
	empty    chan struct{}   // closed when children has become empty; nil if nobody waits
	closing  func() error    // runs once
}

// New returns a group. It costs nothing until the first child is started.
func New(o Options) *Group {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	g := &Group{dir: o.Dir, log: o.Log, children: map[*Child]bool{}}
	g.closing = sync.OnceValue(g.close)
	return g
}

// begin starts what the children need: the thread that forks them, the guard, the record of this program. What fails is
// logged and done without.
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

// Start starts a child. Cancelling ctx before that is an error, afterwards it means nothing.
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

// open makes the pipes and returns the ends that are the child's.
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

// adopt takes a started process in.
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
	go c.wait()
}

// forget lets a buried child go.
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

// Close kills all children with everything they have started and returns when they are gone; the guard and the records
// with them. Nothing can be started afterwards. Calling it again returns the same.
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
	for _, c := range left { // those whose mark cannot be read
		c.KillGroup()
	}
	if err = errors.Join(err, awaitDone(empty)); err != nil {
		return err // the guard and the records stay, for what is left
	}
	if g.guard != nil {
		g.guard.dismiss()
	}
	g.removeRecord(g.run)
	g.forker.stop()
	return nil
}
