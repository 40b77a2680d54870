package worktree

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/internal/git"
	"parley/internal/safefs"
)

// deepest is the number of directories below each other that a walk enters; more are taken for a loop.
const deepest = 256

// maxWorkers bounds the goroutines of a walk.
const maxWorkers = 4

// walk is one walk of a directory tree.
type walk struct {
	tree *Tree
	ctx  context.Context
	now  time.Time // when the look began
	end  time.Time // when it gives up
	// keeping reports that files are to be told apart by the index, and those that it does not know collected.
	keeping bool
	inner   map[string]bool // directories that other walks begin in
	shallow bool            // directories are not entered

	files *atomic.Int64 // seen in all walks of the look
	most  int64

	mu      sync.Mutex
	more    sync.Cond
	jobs    []job // the next is the last
	busy    int
	stopped atomic.Bool
	gaps    gaps
	unkept  []candidate
}

// job is a directory to be read.
type job struct {
	folder *folder
	parent *place  // nil at the top of the walk
	was    *folder // the directory in the last walk; nil if it was not there
	// low and high are the entries of the index below the directory, whose path has prefix bytes, with the slash.
	low, high, prefix int
	attributes        converts
	depth             int
}

// candidate is a file whose content is not surely known.
type candidate struct {
	folder *folder
	item   *item
}

// run walks a tree whose top is the folder of a job.
func (w *walk) run(top job) {
	w.more.L = &w.mu
	w.jobs = append(w.jobs, top)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		all.Go(crash.Guarded(w.work))
	}
	all.Wait()
}

// work processes jobs until there are none.
func (w *walk) work() {
	k := worker{walk: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.jobs) == 0 && w.busy > 0 {
			w.more.Wait()
		}
		if len(w.jobs) == 0 {
			w.unkept = append(w.unkept, k.unkept...)
			w.gaps.add(k.gaps)
			w.tree.listed.Add(k.listed)
			w.more.Broadcast()
			return
		}
		j := w.jobs[len(w.jobs)-1]
		w.jobs = w.jobs[:len(w.jobs)-1]
		w.busy++
		w.mu.Unlock()
		k.next = k.next[:0]
		k.process(j)
		w.mu.Lock()
		w.busy--
		w.jobs = append(w.jobs, k.next...)
		if len(k.next) > 1 || len(w.jobs) == 0 && w.busy == 0 {
			w.more.Broadcast()
		}
	}
}

// worker is a goroutine of a walk with its memory.
type worker struct {
	*walk
	scratch
	items   []item
	folders []folder
	next    []job // directories in the one that is processed
	unkept  []candidate
	gaps    gaps
	listed  int64 // directories whose names were read
}

// late reports whether the walk has to stop, and why.
func (k *worker) late() bool {
	switch {
	case k.stopped.Load():
	case k.ctx.Err() != nil:
		k.gaps.cancelled = true
	case time.Now().After(k.end):
		k.gaps.late = true
	case k.files.Load() > k.most:
		k.gaps.many = true
	default:
		return false
	}
	k.stopped.Store(true)
	return true
}

// process reads a directory, and makes jobs of those in it.
func (k *worker) process(j job) {
	if j.parent != nil {
		defer j.parent.release()
	}
	f := j.folder
	if k.late() {
		return
	}
	here, err := k.open(j)
	if here == nil {
		f.absent = errors.Is(err, fs.ErrNotExist)
		if f.whole = f.absent; !f.whole {
			k.gaps.unread++
		}
		return
	}
	defer here.release()
	if j.parent != nil && here.elsewhere(j.parent) {
		k.gaps.mounted++
		return
	}
	if err := k.list(j, here); err != nil {
		k.gaps.unread++
		return
	}
	if f.listing == nil || f.listing.special {
		k.special(&j, here)
	}
	f.items = k.slab(len(k.names))
	f.whole = k.examine(j, here)
	if k.files.Add(int64(len(f.items))) > k.most {
		k.late()
	}
	here.use(len(k.next))
	for i := range k.next {
		k.next[i].parent = here
	}
}

func (k *worker) open(j job) (*place, error) {
	if j.parent == nil {
		return openPlace(j.folder.name)
	}
	return j.parent.child(j.folder.name)
}

// list reads the names of a directory, in order, unless they are surely those of the last walk. Then it takes note of git's own
// files among them.
func (k *worker) list(j job, here *place) error {
	f := j.folder
	stamp, exact := here.stamp()
	if was := j.was; was != nil && was.listing != nil && exact && was.listing.dir == stamp {
		f.listing = was.listing
		k.names = append(k.names[:0], was.listing.names...)
	} else {
		if err := here.list(&k.scratch); err != nil {
			return err
		}
		k.listed++
		special := k.resolve(here)
		slices.SortFunc(k.names, func(a, b listed) int {
			return compareKeys(a.name, a.kind == kindDir, b.name, b.kind == kindDir)
		})
		if exact && !stamp.fresh(k.now) {
			f.listing = &listing{stamp, slices.Clone(k.names), special}
		}
	}
	return nil
}

// resolve finds out about names whose kind is unknown, and reports whether a name begins with ".git".
func (k *worker) resolve(here *place) (special bool) {
	for i := range k.names {
		l := &k.names[i]
		special = special || strings.HasPrefix(l.name, ".git")
		if l.kind != kindUnknown {
			continue
		}
		l.kind = kindOther
		if s, err := here.stat(*l); err == nil {
			switch s.mode.Type() {
			case 0, fs.ModeSymlink:
				l.kind = kindFile
			case fs.ModeDir:
				l.kind = kindDir
			}
		}
	}
	return special
}

// special takes note of git's own files in a directory.
func (k *worker) special(j *job, here *place) {
	f := j.folder
	var ignore, attributes, git *listed
	for i := range k.names {
		switch l := &k.names[i]; l.name {
		case ".git":
			git = l
		case ".gitignore":
			ignore = l
		case ".gitattributes":
			attributes = l
		}
	}
	if git != nil && !(f.repo != nil && f.up == nil && j.prefix == 0) {
		k.nested(j)
	}
	if f.repo == nil {
		return
	}
	if ignore != nil {
		f.rules = f.rules.With(k.base(f), k.textOf(f, here, *ignore))
	}
	if attributes != nil {
		j.attributes = j.attributes.with(k.base(f), "", k.textOf(f, here, *attributes))
	}
}

// nested makes the directory the top of a repository in the walk, if it is one.
func (k *worker) nested(j *job) {
	dir := j.folder.path()
	r, err := git.At(k.ctx, dir, safefs.NoLinks)
	if err != nil || !r.HasHead() {
		return
	}
	f := j.folder
	f.repo, f.top = k.tree.repository(k.ctx, r, dir, k.now), true
	f.rules, j.attributes = f.repo.rules, f.repo.attributes
	j.prefix = 0
	j.low, j.high = f.repo.below("")
	if f.repo.unread {
		k.gaps.index = true
	}
}

// base returns the path of a folder from where rules begin, with slashes.
func (k *worker) base(f *folder) string {
	b := f.within(nil)
	return string(b[:max(len(b)-1, 0)])
}

// textOf returns the content of a small file in the directory.
func (k *worker) textOf(f *folder, here *place, l listed) string {
	s, err := here.stat(l)
	if err != nil || !s.mode.IsRegular() {
		return ""
	}
	return k.tree.text(k.ctx, filepath.Join(f.path(), l.name), s, k.now)
}

// slab returns room for items, of which many directories share one allocation.
func (k *worker) slab(n int) []item {
	const size = 1024
	if n > cap(k.items)-len(k.items) {
		if n > size/4 {
			return make([]item, 0, n)
		}
		k.items = make([]item, 0, size)
	}
	at := len(k.items)
	k.items = k.items[:at+n]
	return k.items[at : at : at+n]
}

// folder returns a new folder, of which many share one allocation.
func (k *worker) folder() *folder {
	if len(k.folders) == 0 {
		k.folders = make([]folder, 128)
	}
	f := &k.folders[0]
	k.folders = k.folders[1:]
	return f
}
