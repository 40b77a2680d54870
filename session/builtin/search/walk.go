package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"parley/internal/crash"
	"parley/internal/safefs"
	"parley/session/builtin/tool"
)

const (
	// maxFiles bounds the files of a walk.
	maxFiles = 1_000_000
	// maxDeep bounds the depth of a walk, which may hold every folder on its path open.
	maxDeep = 100
	// maxWorkers bounds the goroutines of a walk.
	maxWorkers = 8
	// batchFiles bounds the files that a worker looks at in one piece.
	batchFiles = 128
)

// walk is one walk of a tree. Workers list its folders and look at the files in them, and what they find is taken in order:
// the files of a folder by name, then the folders in it.
type walk struct {
	ctx context.Context
	// choice decides which names are entered and looked at.
	choice choice
	below  *tool.Searched
	// look returns what is found in files, nil for nothing. Workers call it at the same time.
	look func(k *worker, b batch) any
	// folder, if set, is called with each folder in one that is not ignored, entered or not. Workers call it at the same time.
	folder func(k *worker, here batch, name string)
	// take, if set, receives what look returned, in order. It returns false to end the walk.
	take func(found any) bool
	// collect, if set, receives the memory of each worker at the end.
	collect func(mine any)

	mu      sync.Mutex
	more    sync.Cond
	jobs    []job // the next is the last
	busy    int
	order   []*node // what is taken next is the last
	ended   bool    // take wants no more
	stopped atomic.Bool
	files   atomic.Int64
	cut     atomic.Bool // something was left out because there is too much
	ignored atomic.Bool // something was left out because it is ignored
	failure any         // a panic of a worker
	folders atomic.Int64
}

// batch is files of one folder.
type batch struct {
	in *safefs.Descent
	// dir is the path of the folder, rel its path from the top with slashes, empty for the top.
	dir, rel string
	// files are the paths of the files from the top, with slashes.
	files []string
	named bool // the call names the file
}

// node is a place in the order of a walk: a folder or a batch.
type node struct {
	ready bool
	found any
	kids  []*node
}

// job is a folder to go through or, with files, a batch to look at.
type job struct {
	*node
	batch
	name   string // of a folder, in b.in
	depth  int
	ignore ignores
}

// worker is a goroutine of a walk with its memory.
type worker struct {
	*walk
	safefs.Scratch
	below *tool.Searched
	names []safefs.Name
	files []string
	paths []byte
	next  []job
	mine  any // memory of look
}

// run goes through the place, and reports whether it went through all of it. An error concerns the place itself. It returns
// with its context; what is found afterwards is dropped.
func (w *walk) run(top tool.Place) (whole bool, err error) {
	first, err := w.first(top)
	if err != nil {
		return false, err
	}
	w.more.L = &w.mu
	w.jobs, w.order = []job{first}, []*node{first.node}
	workers := make([]*worker, min(runtime.GOMAXPROCS(0), maxWorkers))
	var all sync.WaitGroup
	for i := range workers {
		workers[i] = &worker{walk: w, below: w.below.Fork()}
		all.Go(crash.Guarded(workers[i].work))
	}
	ended := make(chan struct{})
	crash.Go(func() {
		defer close(ended)
		all.Wait()
		for _, j := range w.jobs {
			j.in.Release()
		}
	})
	select {
	case <-ended:
	case <-w.ctx.Done(): // workers end behind the file that they are in
		w.stopped.Store(true)
		return false, nil
	}
	for _, k := range workers {
		w.below.Join(k.below)
		if w.collect != nil && k.mine != nil {
			w.collect(k.mine)
		}
	}
	if w.failure != nil {
		panic(w.failure)
	}
	return w.ctx.Err() == nil && !w.cut.Load(), nil
}

// first returns the job of the place, which is a file or a folder.
func (w *walk) first(top tool.Place) (job, error) {
	if top.Err != nil {
		return job{}, top.Err
	}
	in, err := safefs.Descend(filepath.Dir(top.Real))
	if err != nil {
		return job{}, err
	}
	name := top.Name()
	if name != "." {
		var s safefs.Scratch
		switch _, err := in.Stat(name, &s); {
		case err == nil: // a file that the call names is looked at under any name
			return job{node: &node{}, batch: batch{in: in, dir: filepath.Dir(top.Path), files: []string{name}, named: true}}, nil
		case errors.Is(err, safefs.ErrNotFile):
			sub, err := in.Sub(name, &s)
			in.Release()
			if info, now := os.Lstat(top.Real); err != nil && now == nil && info.Mode()&fs.ModeSymlink != 0 {
				return job{}, safefs.ErrLink
			} else if err != nil {
				return job{}, errors.New("it is neither a regular file nor a directory")
			}
			in = sub
		default:
			in.Release()
			return job{}, err
		}
	}
	return job{node: &node{}, batch: batch{in: in, dir: top.Path}, depth: 1, ignore: w.choice.above(w.ctx, top.Real)}, nil
}

// work does jobs until there are none.
func (k *worker) work() {
	w := k.walk
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.jobs) == 0 && w.busy > 0 && !w.stopped.Load() {
			w.more.Wait()
		}
		if len(w.jobs) == 0 || w.stopped.Load() {
			w.more.Broadcast()
			return
		}
		j := w.jobs[len(w.jobs)-1]
		w.jobs = w.jobs[:len(w.jobs)-1]
		w.busy++
		w.mu.Unlock()
		k.next = k.next[:0]
		failure := k.safely(j)
		w.mu.Lock()
		w.busy--
		w.failure = cmp.Or(w.failure, failure)
		w.jobs = append(w.jobs, k.next...)
		w.advance(j.node)
		if len(k.next) > 1 || len(w.jobs) == 0 && w.busy == 0 {
			w.more.Broadcast()
		}
	}
}

// safely does a job and returns its panic, which belongs to the goroutine that waits for the walk.
func (k *worker) safely(j job) (failure any) {
	defer j.in.Release()
	defer func() {
		if r := recover(); r != nil {
			failure = fmt.Sprint(r)
			k.stopped.Store(true)
		}
	}()
	switch {
	case k.late():
	case j.batch.files != nil:
		j.found = k.look(k, j.batch)
	default:
		k.enter(j)
	}
	return nil
}

// advance takes what is ready and next in order.
func (w *walk) advance(n *node) {
	n.ready = true
	for !w.ended && len(w.order) > 0 {
		n := w.order[len(w.order)-1]
		if !n.ready {
			return
		}
		w.order = w.order[:len(w.order)-1]
		for _, kid := range slices.Backward(n.kids) {
			w.order = append(w.order, kid)
		}
		if n.found != nil && w.take != nil && !w.take(n.found) {
			w.ended = true
			w.stopped.Store(true)
		}
		n.found, n.kids = nil, nil
	}
}

// late reports whether the walk has to end.
func (k *worker) late() bool {
	if k.ctx.Err() != nil {
		k.stopped.Store(true)
	}
	return k.stopped.Load()
}

// enter lists a folder, looks at its first files, and makes jobs of the others and of the folders in it.
func (k *worker) enter(j job) {
	here := j.batch
	if j.name != "" {
		in, err := j.in.Sub(j.name, &k.Scratch)
		if err != nil {
			return // not permitted, or no longer a directory
		}
		defer in.Release()
		here.in = in
	}
	k.folders.Add(1)
	k.names, _ = here.in.List(k.names[:0], &k.Scratch) // what cannot be listed is left out
	slices.SortFunc(k.names, func(a, b safefs.Name) int { return strings.Compare(a.Text, b.Text) })
	ignore := j.ignore.in(k, here, j.depth)
	k.choose(here, ignore)
	if k.walk.files.Add(int64(len(k.files))) > maxFiles {
		k.cut.Store(true)
		k.stopped.Store(true)
		return
	}
	files := k.files
	if len(files) > batchFiles {
		files = files[:batchFiles]
		for rest := range slices.Chunk(slices.Clone(k.files[batchFiles:]), batchFiles) {
			more := here
			more.files = rest
			k.push(j, job{batch: more})
		}
	}
	k.enterBelow(j, here, ignore)
	here.in.Retain(len(k.next))
	slices.Reverse(k.next) // the first is done first
	if len(files) > 0 {
		here.files = files
		j.found = k.look(k, here)
	}
}

// enterBelow makes jobs of the folders in one.
func (k *worker) enterBelow(j job, here batch, ignore ignores) {
	for _, n := range k.names {
		if n.Kind != safefs.Dir || n.Text == ".git" {
			continue
		}
		rel := join(here.rel, n.Text)
		if k.folder != nil && k.choice.enters(rel, ignore) {
			k.folder(k, here, n.Text)
		}
		if k.choice.could != nil && !k.choice.could(rel) {
			continue
		}
		if !k.choice.enters(rel, ignore) {
			k.ignored.Store(true)
			continue
		}
		if j.depth == maxDeep {
			k.cut.Store(true)
			continue
		}
		below := batch{in: here.in, dir: here.dir + string(filepath.Separator) + n.Text, rel: rel}
		if strings.HasSuffix(here.dir, string(filepath.Separator)) {
			below.dir = here.dir + n.Text
		}
		k.push(j, job{batch: below, name: n.Text, depth: j.depth + 1, ignore: ignore})
	}
}

// push adds a job to those that the worker found, after those before it in order.
func (k *worker) push(j, next job) {
	next.node = &node{}
	j.kids = append(j.kids, next.node)
	k.next = append(k.next, next)
}

// choose collects the files in a folder that are looked at.
func (k *worker) choose(here batch, ignore ignores) {
	k.files, k.paths = k.files[:0], k.paths[:0]
	for _, n := range k.names {
		if n.Kind == safefs.File {
			if here.rel != "" {
				k.paths = append(append(k.paths, here.rel...), '/')
			}
			k.paths = append(k.paths, n.Text...)
		}
	}
	paths := string(k.paths) // one allocation for all files of the folder
	for _, n := range k.names {
		if n.Kind != safefs.File {
			continue
		}
		size := here.skip() + len(n.Text)
		rel := paths[:size]
		paths = paths[size:]
		switch verdict := k.choice.file(rel, n.Text, ignore); {
		case verdict == wanted && !k.hide(here, n.Text),
			verdict == rescued && !k.hides(here, n.Text):
			k.files = append(k.files, rel)
		case verdict == unwanted:
			k.hide(here, n.Text)
		case verdict == left:
			k.ignored.Store(true)
		}
	}
}

// hide reports whether a file may not be read, and counts it; hides does not count it.
func (k *worker) hide(b batch, name string) bool {
	return k.below.Rules() && k.below.Hide(b.path(name))
}

func (k *worker) hides(b batch, name string) bool {
	return k.below.Rules() && k.below.Hides(b.path(name))
}

// skip returns the length of the folder's path in the paths of its files.
func (b *batch) skip() int {
	if b.rel == "" {
		return 0
	}
	return len(b.rel) + 1
}

// path returns the path of a file in the folder.
func (b batch) path(name string) string {
	if strings.HasSuffix(b.dir, string(filepath.Separator)) {
		return b.dir + name
	}
	return b.dir + string(filepath.Separator) + name
}

// join returns a path from the top with slashes.
func join(rel, name string) string {
	if rel == "" {
		return name
	}
	return rel + "/" + name
}
