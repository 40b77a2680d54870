package watch

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"parley/internal/crash"
)

// The usual bounds.
const (
	defaultLimit  = 1000
	defaultSettle = 50 * time.Millisecond
	maxDirs       = 64 // whose changes are reported
)

// Options configures a [Watcher].
type Options struct {
	// Places returns the places of a directory. It may read files.
	Places func(ctx context.Context, dir string) []Place
	// Limit bounds the folders that are watched; 0: 1,000.
	Limit int
	// Settle is how long a burst of changes is waited for, three times that at most; 0: 50 ms.
	Settle time.Duration
	// Log gets why folders are not watched; nil: nothing does.
	Log *slog.Logger
}

// Watcher watches what extends agents in directories. It is safe for concurrent use. Close ends it.
type Watcher struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	begin sync.Once

	mu   sync.Mutex
	dirs map[string]*directory
	gone []string // watched folders that were removed or moved
	// news is closed and replaced with every change of a state.
	news chan struct{}
	// dirty has a value once something may have changed.
	dirty chan struct{}

	// calls guards what follows, and is held while the system is called. Who takes what the system reports never waits for it: on
	// Windows, a call waits for that one.
	calls sync.Mutex
	// system is the system's watcher, nil before the first folder and where there is none. folders are those that it watches.
	system  *fsnotify.Watcher
	folders map[string]bool
	missed  bool // some folder is not watched, which was logged
}

// directory is a directory that is looked at. Who has its slot owns known; the watcher's lock guards the rest.
type directory struct {
	slot  chan struct{}
	known map[string]seen

	state    State
	places   []Place
	folders  map[string]bool
	followed bool
}

// New returns a watcher that has started nothing and read no file.
func New(o Options) *Watcher {
	if o.Limit == 0 {
		o.Limit = defaultLimit
	}
	if o.Settle == 0 {
		o.Settle = defaultSettle
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	w := &Watcher{o: o, dirs: map[string]*directory{}, folders: map[string]bool{}, news: make(chan struct{}), dirty: make(chan struct{}, 1)}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// Close ends the watch and everything that waits for it, and returns when its goroutine has ended. Calling it again does nothing.
func (w *Watcher) Close() {
	w.stop()
	w.begin.Do(func() {})
	w.work.Wait()
}

// Look looks at the files of a directory and returns their state. Once ctx has ended, it returns the one of before.
func (w *Watcher) Look(ctx context.Context, dir string) State {
	dir = filepath.Clean(dir)
	d := w.directory(dir)
	select {
	case d.slot <- struct{}{}:
		defer func() { <-d.slot }()
	case <-ctx.Done():
		w.mu.Lock()
		defer w.mu.Unlock()
		return d.state
	}
	places, folders := w.o.Places(ctx, dir), map[string]bool{}
	s := scan{ctx: ctx, old: d.known, now: map[string]seen{}, sums: newSums(), enter: func(folder string) {
		if !folders[folder] {
			folders[folder] = true
			w.watch(folder)
		}
	}}
	state := s.look(places)
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return d.state
	}
	d.known, d.places, d.folders = s.now, places, folders
	if state != d.state {
		d.state = state
		close(w.news)
		w.news = make(chan struct{})
	}
	return state
}

// directory returns a directory that is known from now on. Of too many, those that nobody follows are forgotten.
func (w *Watcher) directory(dir string) *directory {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.dirs[dir]
	if d == nil {
		if len(w.dirs) >= maxDirs {
			maps.DeleteFunc(w.dirs, func(_ string, d *directory) bool { return !d.followed })
		}
		d = &directory{slot: make(chan struct{}, 1)}
		w.dirs[dir] = d
	}
	return d
}

// Follow returns a function that waits for changes of what extends agents in a directory. Its first call returns true once the files
// were looked at, each further one once something differs from what was then. It returns false once ctx or the watcher has ended.
// The function may be used by one goroutine at a time.
func (w *Watcher) Follow(dir string) (next func(ctx context.Context) bool) {
	dir = filepath.Clean(dir)
	var last State
	return func(ctx context.Context) bool {
		w.begin.Do(w.start)
		d := w.directory(dir)
		w.mu.Lock()
		fresh := !d.followed && len(w.dirs) <= maxDirs
		d.followed = d.followed || fresh
		w.mu.Unlock()
		if last == (State{}) || fresh {
			state := w.Look(ctx, dir)
			if ctx.Err() != nil || w.ctx.Err() != nil {
				return false
			}
			if last != state {
				last = state
				return true
			}
		}
		for {
			w.mu.Lock()
			state, news := d.state, w.news
			w.mu.Unlock()
			if state != last {
				last = state
				return true
			}
			select {
			case <-news:
			case <-ctx.Done():
				return false
			case <-w.ctx.Done():
				return false
			}
		}
	}
}

// start begins to take what the system reports.
func (w *Watcher) start() {
	if w.ctx.Err() != nil {
		return
	}
	w.calls.Lock()
	defer w.calls.Unlock()
	system, err := fsnotify.NewWatcher()
	if err != nil {
		w.miss("", err)
		return
	}
	w.system = system
	w.work.Go(crash.Guarded(func() { w.take(system) }))
	w.work.Go(crash.Guarded(w.settle))
}

// take takes what the system reports, until the watcher ends.
func (w *Watcher) take(system *fsnotify.Watcher) {
	for {
		changed := true
		select {
		case <-w.ctx.Done():
			return
		case e := <-system.Events:
			changed = w.matters(e)
		case err := <-system.Errors: // such as changes that were lost
			w.o.Log.Warn("watch skills, agents and settings", "error", err)
		}
		if changed {
			select {
			case w.dirty <- struct{}{}:
			default:
			}
		}
	}
}

// matters reports whether a change may be one of a place.
func (w *Watcher) matters(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.dirs {
		if slices.ContainsFunc(d.places, func(p Place) bool { return p.covers(e.Name) }) {
			if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
				w.gone = append(w.gone, e.Name)
			}
			return true
		}
	}
	return false
}

// settle looks again after each burst of changes, until the watcher ends.
func (w *Watcher) settle() {
	due := time.NewTimer(0)
	due.Stop()
	var first time.Time // of the burst
	for {
		select {
		case <-w.ctx.Done():
			w.calls.Lock()
			defer w.calls.Unlock()
			_ = w.system.Close()
			return
		case <-w.dirty:
			if now := time.Now(); first.IsZero() || now.Sub(first) < 2*w.o.Settle {
				due.Reset(w.o.Settle)
				if first.IsZero() {
					first = now
				}
			}
		case <-due.C:
			first = time.Time{}
			w.lookAgain()
		}
	}
}

// lookAgain looks at all directories that are followed.
func (w *Watcher) lookAgain() {
	w.mu.Lock()
	gone := w.gone
	w.gone = nil
	var dirs []string
	for dir, d := range w.dirs {
		if d.followed {
			dirs = append(dirs, dir)
		}
	}
	w.mu.Unlock()
	w.unwatch(func(folder string) bool { // one that was moved is still watched where it is now
		return slices.ContainsFunc(gone, func(name string) bool { return folder == name || below(folder, name) })
	})
	for _, dir := range dirs {
		w.Look(w.ctx, dir)
	}
}

// watch watches a folder from now on, where there are watches.
func (w *Watcher) watch(folder string) {
	w.calls.Lock()
	defer w.calls.Unlock()
	if w.system == nil || w.folders[folder] || w.ctx.Err() != nil {
		return
	}
	err := errTooMany
	if len(w.folders) < w.o.Limit {
		err = w.system.Add(folder)
	}
	if err == nil {
		w.folders[folder] = true
	} else if isDir(folder) {
		w.miss(folder, err)
	}
}

// unwatch ends the watch of some folders.
func (w *Watcher) unwatch(which func(folder string) bool) {
	w.calls.Lock()
	defer w.calls.Unlock()
	maps.DeleteFunc(w.folders, func(folder string, _ bool) bool {
		if !which(folder) {
			return false
		}
		_ = w.system.Remove(folder)
		return true
	})
}

var errTooMany = errors.New("as many folders are watched as may be")

// miss logs once that changes are seen only before a prompt. The system's lock is held.
func (w *Watcher) miss(folder string, err error) {
	if !w.missed {
		w.missed = true
		w.o.Log.Warn("some changes of skills, agents and settings are seen only with the next prompt", "folder", folder, "error", err)
	}
}
