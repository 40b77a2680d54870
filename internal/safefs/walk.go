package safefs

import (
	"slices"
	"sync"
	"sync/atomic"

	"parley/internal/crash"
)

// Walk goes through a tree of directories with several goroutines. What was found last is done first, so that few directories are
// open at once. D is what the caller knows about a step.
type Walk[D any] struct {
	mu      sync.Mutex
	more    sync.Cond
	steps   []Step[D] // the next is the last
	busy    int
	stopped atomic.Bool
}

// Step is a directory of a walk, or further work in one.
type Step[D any] struct {
	Data D
	in   *Descent
	name string // "" for the directory itself
}

// Below returns the step into a directory in one that is open, or with name "" another step in that one. The walk that gets it
// releases it.
func Below[D any](in *Descent, name string, data D) Step[D] {
	in.retain(1)
	return Step[D]{data, in, name}
}

// Open returns the directory of a step, unless a link or another kind of file stands there. The caller releases it.
func (s Step[D]) Open(scratch *Scratch) (*Descent, error) {
	if s.name == "" {
		s.in.retain(1)
		return s.in, nil
	}
	return s.in.Sub(s.name, scratch)
}

// Run does a step and those that come of it, and returns when none is left or all goroutines have noticed [Walk.Stop]. Each visit
// has a goroutine of its own. It returns the steps that come of one, in their order, and may use their memory for its next call.
func (w *Walk[D]) Run(first Step[D], visits ...func(Step[D]) []Step[D]) {
	w.more.L = &w.mu
	w.steps = append(w.steps, first)
	var all sync.WaitGroup
	for _, visit := range visits {
		all.Go(crash.Guarded(func() { w.work(visit) }))
	}
	all.Wait()
	for _, s := range w.steps {
		s.in.Release()
	}
}

// Stop ends the walk after the steps that are under way.
func (w *Walk[D]) Stop() { w.stopped.Store(true) }

// Stopped reports whether the walk is to end early.
func (w *Walk[D]) Stopped() bool { return w.stopped.Load() }

// work does steps until there are none.
func (w *Walk[D]) work(visit func(Step[D]) []Step[D]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.steps) == 0 && w.busy > 0 && !w.Stopped() {
			w.more.Wait()
		}
		if len(w.steps) == 0 || w.Stopped() {
			w.more.Broadcast()
			return
		}
		s := w.steps[len(w.steps)-1]
		w.steps = w.steps[:len(w.steps)-1]
		w.busy++
		w.mu.Unlock()
		next := visit(s)
		s.in.Release()
		w.mu.Lock()
		w.busy--
		for _, s := range slices.Backward(next) {
			w.steps = append(w.steps, s)
		}
		if len(next) > 1 || len(w.steps) == 0 && w.busy == 0 {
			w.more.Broadcast()
		}
	}
}
