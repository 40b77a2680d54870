package proc

import (
	"runtime"

	"parley/internal/crash"
)

// forker runs functions on one thread until it is stopped. A child gets its parent-death signal when the thread that forked
// it ends, and Go may end threads at any time.
type forker struct {
	jobs chan func()
	done chan struct{}
}

func newForker() *forker {
	f := &forker{jobs: make(chan func()), done: make(chan struct{})}
	crash.Go(f.loop)
	return f
}

func (f *forker) loop() {
	// It is never unlocked: the thread ends with this function, and remaining children with it.
	runtime.LockOSThread()
	defer close(f.done)
	for job := range f.jobs {
		job()
	}
}

// do runs a function on the thread and returns when it has run. It must not be called after stop.
func (f *forker) do(job func()) {
	ran := make(chan struct{})
	f.jobs <- func() {
		defer close(ran)
		job()
	}
	<-ran
}

// stop ends the thread.
func (f *forker) stop() {
	close(f.jobs)
	<-f.done
}
