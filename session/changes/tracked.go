package changes

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"parley/session"
	"parley/session/changes/snapshot"
	"parley/session/changes/worktree"
)

// maxPaths bounds the files that one call names.
const maxPaths = 100

// tracked is a call before its end is recorded. The tracker's lock guards ended; what look makes is valid once looked is
// closed.
type tracked struct {
	call  session.FileCall
	seq   int
	paths []string // files that the call names, absolute
	ended bool     // its end is being recorded
	back  bool     // that end means that it goes on in the background

	looked   chan struct{} // closed when the images are made
	files    []*trackedFile
	snapshot *worktree.Snapshot // of a command
	position Position           // of the log when the images were made
	cut      bool               // the images are not whole

	made findings // what was reported; only jobs use it

	mu   sync.Mutex
	late bool // the call did not wait for its images
}

// trackedFile is a file that a call names, as it was before the call.
type trackedFile struct {
	path string   // with links resolved
	dirs []string // directories above that were missing, outermost first

	once   sync.Once
	staged *snapshot.Staged
	state  snapshot.State
	why    string // why the state is unknown
}

// unseen returns a call whose images nobody made.
func unseen(e session.ToolEnded) *tracked {
	p := &tracked{call: session.FileCall{Call: e.Call, Turn: e.Turn, Child: e.Child, Tool: "Edit"}, looked: make(chan struct{})}
	close(p.looked)
	return p
}

// filesOf returns the files that a call names, absolute and clean. Paths may be relative to dir or to the home directory.
func filesOf(c session.FileCall, dir string) []string {
	var out []string
	for _, path := range c.Paths {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				path = filepath.Join(home, rest)
			}
		}
		if path == "" || strings.ContainsRune(path, 0) {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if path = filepath.Clean(path); !slices.Contains(out, path) && len(out) < maxPaths {
			out = append(out, path)
		}
	}
	return out
}

// look makes the images of a call.
func (t *tracker) look(ctx context.Context, p *tracked) {
	// What is recorded from here on counts as after the images. A log that cannot be read has nothing to compare with.
	p.position, _ = t.log.Position(ctx)
	for _, path := range p.paths {
		p.stage(ctx, t.lib.o.Store, path)
	}
	if p.call.Command != "" {
		p.snapshot = t.tree().Look(ctx)
	}
}

// stage keeps what stands at a path, and where links lead from there.
func (p *tracked) stage(ctx context.Context, store *snapshot.Store, path string) {
	path = resolve(path)
	for _, path := range slices.Compact([]string{path, target(path)}) {
		if !slices.ContainsFunc(p.files, func(f *trackedFile) bool { return f.path == path }) {
			p.files = append(p.files, &trackedFile{path: path, dirs: missingAbove(path), staged: store.Stage(ctx, path)})
		}
	}
}

// giveUp records that the call does not wait for its images, unless they have just been made.
func (p *tracked) giveUp() {
	select {
	case <-p.looked:
		return
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late = true
}

// isLate reports whether the images may be of a time after the beginning of the call. They must have been made.
func (p *tracked) isLate() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.late || p.cut
}

// isLooked reports whether the images have been made.
func (p *tracked) isLooked() bool {
	select {
	case <-p.looked:
		return true
	default:
		return false
	}
}

// drop drops the images that were not used. They must have been made.
func (p *tracked) drop() {
	for _, f := range p.files {
		f.once.Do(func() {
			f.why = "it was dropped"
			if f.staged != nil {
				f.staged.Drop()
			}
		})
	}
}

// before returns what stood at the path, and why that is unknown; "" if it is known.
func (f *trackedFile) before(ctx context.Context) (snapshot.State, string) {
	f.once.Do(func() {
		var err error
		if f.staged == nil {
			f.why = "it was not copied before the call"
		} else if f.state, err = f.staged.Keep(ctx); err != nil {
			f.why = err.Error()
		}
	})
	return f.state, f.why
}

// head returns the place of a call: that of its announcement, or of its end.
func (p *tracked) head(e session.ToolEnded, id session.ID) session.Head {
	return session.Head{Session: id, Turn: cmp.Or(p.call.Turn, e.Turn), Child: cmp.Or(p.call.Child, e.Child)}
}

// open returns the calls whose end has not come, in their order. The lock is held.
func (t *tracker) open() []*tracked {
	var out []*tracked
	for _, p := range t.calls {
		if !p.ended {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *tracked) int { return cmp.Compare(a.seq, b.seq) })
	return out
}

// later returns what stood at a path when the first call after p that names it, and that p's file has changed for, began;
// false if there is none.
func (t *tracker) later(ctx context.Context, p *tracked, path string, before snapshot.State) (snapshot.State, bool) {
	t.mu.Lock()
	others := slices.Collect(maps.Values(t.calls))
	t.mu.Unlock()
	slices.SortFunc(others, func(a, b *tracked) int { return cmp.Compare(a.seq, b.seq) })
	for _, o := range others {
		if o.seq <= p.seq || !o.isLooked() || o.isLate() {
			continue
		}
		for _, f := range o.files {
			if f.path != path {
				continue
			}
			if state, why := f.before(ctx); why == "" && !alike(state, before) {
				return state, true
			}
		}
	}
	return snapshot.State{}, false
}

// target returns where a path leads, its links resolved. What is at its end need not exist.
func target(path string) string {
	const maxLinks = 16
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = resolve(filepath.Clean(to))
	}
	return path
}

// missingAbove returns the directories above a path that do not exist, outermost first.
func missingAbove(path string) []string {
	var out []string
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || !os.IsNotExist(err) {
			break
		}
		out = append(out, dir)
	}
	slices.Reverse(out)
	return out
}
