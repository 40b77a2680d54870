package proc

import "runtime"

// forker runs functions on one thread that lives until it is stopped. The parent-death signal of a child is sent when the
// thread that forked it ends, not when the program does, and Go ends threads as it likes.
type forker struct {
	jobs chan func()
	done chan struct{}
}

func newForker() *forker {
	f := &forker{jobs: make(chan func()), done: make(chan struct{})}
	go f.loop()
	return f
}

func (f *forker) loop() {
	// Never unlocked: the thread ends with this function, and children that are still there with it.
	runtime.LockOSThread()
	defer close(f.done)
	for job := range f.jobs {
		job()
	}
}

// do runs the function on the thread and returns when it has run. Not after stop.
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
