package worktree

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"parley/internal/git"
	"parley/internal/safefs"
)

// deepest is the number of directories below each other that a walk enters; more are taken for a loop.
const deepest = 256

// maxWorkers bounds the goroutines of a walk.
const maxWorkers = 4

// walk is one walk of a directory tree.
type walk struct {
	look *Tree
	ctx  context.Context
	now  time.Time // when the look began
	end  time.Time // when it gives up
	// keeping reports that files are to be told apart by the index, and those that it does not know collected.
	keeping bool
	inner   map[string]bool // directories that other walks begin in
	shallow bool            // directories are not entered

	files *atomic.Int64 // seen in all walks of the look
	most  int64

	tree   safefs.Walk[job]
	gaps   gaps
	unkept []candidate
}

// job is a directory to be read.
type job struct {
	folder *folder
	was    *folder // the directory in the last walk; nil if it was not there
	// low and high are the entries of the index below the directory, whose path has prefix bytes, with the slash.
	low, high, prefix int
	attributes        converts
	depth             int
	device            uint64 // of the directory above; 0 at the top of the walk
}

// candidate is a file whose content is not surely known.
type candidate struct {
	folder *folder
	item   *item
}

// run walks a tree whose top is the folder of a job.
func (w *walk) run(top job) {
	in, err := safefs.Descend(top.folder.name)
	if err != nil {
		w.gaps.unopened(top.folder, err)
		return
	}
	first := safefs.Below(in, "", top)
	in.Release()
	workers := make([]worker, min(runtime.GOMAXPROCS(0), maxWorkers))
	visits := make([]func(safefs.Step[job]) []safefs.Step[job], len(workers))
	for i := range workers {
		workers[i].walk, workers[i].next = w, make([]safefs.Step[job], 0, 64)
		visits[i] = workers[i].visit
	}
	w.tree.Run(first, visits...)
	for _, k := range workers {
		w.unkept = append(w.unkept, k.unkept...)
		w.gaps.add(k.gaps)
		w.look.listed.Add(k.listed)
	}
}

// worker is a goroutine of a walk with its memory.
type worker struct {
	*walk
	safefs.Scratch
	names   []safefs.Name
	path    []byte
	items   []item
	folders []folder
	next    []safefs.Step[job] // directories in the one that is visited
	unkept  []candidate
	gaps    gaps
	listed  int64 // directories whose names were read
}

// late reports whether the walk has to stop, and why.
func (k *worker) late() bool {
	switch {
	case k.tree.Stopped():
	case k.ctx.Err() != nil:
		k.gaps.cancelled = true
	case time.Now().After(k.end):
		k.gaps.late = true
	case k.files.Load() > k.most:
		k.gaps.many = true
	default:
		return false
	}
	k.tree.Stop()
	return true
}

// visit reads a directory, and returns jobs for those in it.
func (k *worker) visit(s safefs.Step[job]) []safefs.Step[job] {
	k.next = k.next[:0]
	j := s.Data
	f := j.folder
	if k.late() {
		return nil
	}
	here, err := s.Open(&k.Scratch)
	if err != nil {
		k.gaps.unopened(f, err)
		return nil
	}
	defer here.Release()
	self, err := here.Self(&k.Scratch)
	switch {
	case err != nil:
		k.gaps.unread++
		return nil
	case j.device != 0 && j.device != self.Device:
		k.gaps.mounted++
		return nil
	}
	j.device = self.Device
	switch err := k.list(j, here, self); {
	case errors.Is(err, safefs.ErrTooLarge):
		k.gaps.many = true
		k.tree.Stop()
		return nil
	case err != nil:
		k.gaps.unread++
		return nil
	}
	if f.listing == nil || f.listing.special {
		k.special(&j, here)
	}
	f.items = k.slab(len(k.names))
	f.whole = k.examine(j, here)
	if k.files.Add(int64(len(f.items))) > k.most {
		k.late()
	}
	return k.next
}

// list reads the names of a directory, in order, unless they are surely those of the last walk.
func (k *worker) list(j job, here *safefs.Descent, self safefs.Self) (err error) {
	f, stamp := j.folder, signature(self.Info)
	if was := j.was; was != nil && was.listing != nil && self.Exact && was.listing.dir == stamp {
		f.listing = was.listing
		k.names = append(k.names[:0], was.listing.names...)
		return nil
	}
	if k.names, err = here.List(k.names[:0], int(k.most), &k.Scratch); err != nil {
		return err
	}
	k.listed++
	special := false
	for i := range k.names {
		n := &k.names[i]
		special = special || strings.HasPrefix(n.Text, ".git")
		if n.Kind == safefs.Link {
			n.Kind = safefs.File
		}
	}
	slices.SortFunc(k.names, func(a, b safefs.Name) int {
		return compareKeys(a.Text, a.Kind == safefs.Dir, b.Text, b.Kind == safefs.Dir)
	})
	if self.Exact && !stamp.fresh(k.now) {
		f.listing = &listing{stamp, slices.Clone(k.names), special}
	}
	return nil
}

// special takes note of git's own files in a directory.
func (k *worker) special(j *job, here *safefs.Descent) {
	f := j.folder
	var ignore, attributes, git *safefs.Name
	for i := range k.names {
		switch l := &k.names[i]; l.Text {
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
	f.repo, f.top = k.look.repository(k.ctx, r, dir, k.now), true
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
func (k *worker) textOf(f *folder, here *safefs.Descent, l safefs.Name) string {
	info, err := here.Stat(l.Text, &k.Scratch)
	if err != nil || !info.Mode.IsRegular() {
		return ""
	}
	return k.look.text(k.ctx, filepath.Join(f.path(), l.Text), signature(info), k.now)
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
