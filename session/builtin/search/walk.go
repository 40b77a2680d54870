package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

	tree    safefs.Walk[job]
	files   atomic.Int64
	cut     atomic.Bool // something was left out because there is too much
	ignored atomic.Bool // something was left out because it is ignored
	folders atomic.Int64

	mu      sync.Mutex
	order   []*node // what is taken next is the last
	ended   bool    // take wants no more
	failure any     // a panic of a worker
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
	next  []safefs.Step[job]
	mine  any // memory of look
}

// run goes through the place, and reports whether it went through all of it. An error concerns the place itself. It returns
// with its context; what is found afterwards is dropped.
func (w *walk) run(top tool.Place) (whole bool, err error) {
	in, first, err := w.first(top)
	if err != nil {
		return false, err
	}
	w.order = []*node{first.node}
	workers := make([]*worker, min(runtime.GOMAXPROCS(0), maxWorkers))
	visits := make([]func(safefs.Step[job]) []safefs.Step[job], len(workers))
	for i := range workers {
		workers[i] = &worker{walk: w, below: w.below.Fork()}
		visits[i] = workers[i].visit
	}
	ended, step := make(chan struct{}), safefs.Below(in, "", first)
	in.Release()
	crash.Go(func() {
		defer close(ended)
		w.tree.Run(step, visits...)
	})
	select {
	case <-ended:
	case <-w.ctx.Done(): // workers end behind the file that they are in
		w.tree.Stop()
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

// first returns the job of the place, which is a file or a folder, and the folder, which the caller releases.
func (w *walk) first(top tool.Place) (*safefs.Descent, job, error) {
	if top.Err != nil {
		return nil, job{}, top.Err
	}
	in, err := safefs.Descend(filepath.Dir(top.Real))
	if err != nil {
		return nil, job{}, err
	}
	whole := job{node: &node{}, batch: batch{dir: top.Path}, depth: 1, ignore: w.choice.above(w.ctx, top.Real)}
	name := top.Name()
	if name == "." {
		return in, whole, nil
	}
	var s safefs.Scratch
	info, err := in.Stat(name, &s)
	if err == nil && info.Mode.IsRegular() { // a file that the call names is looked at under any name
		return in, job{node: &node{}, batch: batch{dir: filepath.Dir(top.Path), files: []string{name}, named: true}}, nil
	}
	defer in.Release()
	if err != nil {
		return nil, job{}, err
	}
	sub, err := in.Sub(name, &s)
	switch {
	case err == nil:
		return sub, whole, nil
	case info.Mode.Type() == fs.ModeSymlink:
		return nil, job{}, safefs.ErrLink
	}
	return nil, job{}, errors.New("it is neither a regular file nor a directory")
}

// visit does a job and returns the jobs that come of it. A panic belongs to the goroutine that waits for the walk.
func (k *worker) visit(s safefs.Step[job]) (next []safefs.Step[job]) {
	k.next = k.next[:0]
	defer func() {
		next = k.next
		r := recover()
		if r != nil {
			k.tree.Stop()
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if r != nil && k.failure == nil {
			k.failure = fmt.Sprint(r)
		}
		k.advance(s.Data.node)
	}()
	if k.late() {
		return nil
	}
	here, err := s.Open(&k.Scratch)
	if err != nil {
		return nil // not permitted, or no longer a directory
	}
	defer here.Release()
	j := s.Data
	j.in = here
	if j.files != nil {
		j.found = k.look(k, j.batch)
	} else {
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
			w.tree.Stop()
		}
		n.found, n.kids = nil, nil
	}
}

// late reports whether the walk has to end.
func (k *worker) late() bool {
	if k.ctx.Err() != nil {
		k.tree.Stop()
	}
	return k.tree.Stopped()
}

// enter lists a folder, looks at its first files, and makes jobs of the others and of the folders in it.
func (k *worker) enter(j job) {
	here := j.batch
	k.folders.Add(1)
	var err error
	if k.names, err = here.in.List(k.names[:0], maxFiles, &k.Scratch); errors.Is(err, safefs.ErrTooLarge) { // what else cannot be listed is left out
		k.cut.Store(true)
	}
	slices.SortFunc(k.names, func(a, b safefs.Name) int { return strings.Compare(a.Text, b.Text) })
	ignore := j.ignore.in(k, here, j.depth)
	k.choose(here, ignore)
	if k.walk.files.Add(int64(len(k.files))) > maxFiles {
		k.cut.Store(true)
		k.tree.Stop()
		return
	}
	files := k.files
	if len(files) > batchFiles {
		files = files[:batchFiles]
		for rest := range slices.Chunk(slices.Clone(k.files[batchFiles:]), batchFiles) {
			more := here
			more.files = rest
			k.push(j, "", job{batch: more})
		}
	}
	k.enterBelow(j, here, ignore)
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
		below := batch{dir: here.dir + string(filepath.Separator) + n.Text, rel: rel}
		if strings.HasSuffix(here.dir, string(filepath.Separator)) {
			below.dir = here.dir + n.Text
		}
		k.push(j, n.Text, job{batch: below, depth: j.depth + 1, ignore: ignore})
	}
}

// push adds a job in the folder name, or in the same folder for "", to those that the worker found, after those before it in order.
func (k *worker) push(j job, name string, next job) {
	next.node = &node{}
	j.kids = append(j.kids, next.node)
	k.next = append(k.next, safefs.Below(j.in, name, next))
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
