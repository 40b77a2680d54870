package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"parley/internal/crash"
	"parley/internal/git"
)

// Options are what a Finder needs to know. The zero value will do.
type Options struct {
	// Above are the ignore files that apply in the directory from outside.
	Above git.Ignores
	// Limit is the most files and directories that are remembered; 0 means 500,000.
	Limit int
	// Changed, if not nil, is called when a walk has found more, at most about twenty times in a walk, and when it has
	// ended. It is called from the walk, must not block, and must not call the Finder.
	Changed func()
}

// Finder finds paths in a directory. All methods are safe for concurrent use.
type Finder struct {
	fsys fs.FS
	opts Options

	mu     sync.Mutex
	shown  *index // what is searched: the last index that is whole, or the first one while it grows
	grows  bool   // shown is still growing
	full   bool   // there was more than the limit
	err    error
	cancel context.CancelFunc // of the walk under way; nil if there is none
	done   chan struct{}      // closed when that walk has ended
	closed bool
}

// New returns a Finder for the tree, which it does not read before Refresh is called.
func New(fsys fs.FS, o Options) *Finder {
	if o.Limit <= 0 {
		o.Limit = 500_000
	}
	return &Finder{fsys: fsys, opts: o, shown: &index{}}
}

// Refresh walks the directory in the background, so that what came since is found and what went is not. A walk that is
// under way goes on instead.
func (f *Finder) Refresh() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	f.cancel, f.done = cancel, done
	x := &index{}
	first := len(f.shown.entries) == 0
	if first {
		f.shown, f.grows = x, true
	}
	crash.Go(func() { f.walk(ctx, x, done) })
}

// Close ends the walk that is under way and waits for its end. What was found can still be searched.
func (f *Finder) Close() {
	f.mu.Lock()
	f.closed = true
	cancel, done := f.cancel, f.done
	f.mu.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
}

// Wait waits for the end of the walk that is under way, if there is one.
func (f *Finder) Wait(ctx context.Context) error {
	f.mu.Lock()
	done := f.done
	f.mu.Unlock()
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// State is the progress of a Finder.
type State struct {
	// Entries is the number of files and directories that can be found.
	Entries int
	// Walking reports whether a walk is under way, Full whether there is more than the limit.
	Walking, Full bool
	// Err is the reason why the last walk ended early, nil if it did not.
	Err error
}

// State returns how far it is.
func (f *Finder) State() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return State{len(f.shown.entries), f.cancel != nil, f.full, f.err}
}

// walk fills the index and then shows it.
func (f *Finder) walk(ctx context.Context, x *index, done chan struct{}) {
	defer close(done)
	tell := 256
	w := &walker{fsys: f.fsys, outer: f.opts.Above}
	w.add = func(parent int32, name string, dir bool) (int32, error) {
		f.mu.Lock()
		if len(x.entries) >= f.opts.Limit {
			f.mu.Unlock()
			return 0, errFull
		}
		i, ok := x.add(parent, name, dir)
		shown := f.shown == x
		f.mu.Unlock()
		if !ok {
			return 0, errFull
		}
		if int(i)+1 >= tell && shown && f.opts.Changed != nil {
			tell *= 2
			f.opts.Changed()
		}
		return i, nil
	}
	err := w.walk(ctx)
	f.mu.Lock()
	f.cancel()
	f.cancel, f.grows = nil, false
	f.full = errors.Is(err, errFull)
	if f.err = nil; err != nil && !f.full {
		f.err = fmt.Errorf("reading the directory: %w", err)
	}
	if f.err == nil {
		f.shown = x
	}
	f.mu.Unlock()
	if f.opts.Changed != nil {
		f.opts.Changed()
	}
}

// snapshot returns the index as it is now.
func (f *Finder) snapshot() (x index, complete bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return *f.shown, !f.grows
}
