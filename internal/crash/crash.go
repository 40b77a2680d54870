package crash

import (
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Go calls f in a goroutine of its own, with the guard of [Guarded].
func Go(f func()) {
	go func() {
		defer caught()
		f()
	}()
}

// Guarded returns a function that calls f, for timers, contexts and groups that start goroutines themselves. A panic of f ends the
// program as [Handle] says.
func Guarded(f func()) func() {
	return func() {
		defer caught()
		f()
	}
}

// handler is called with a panic; nil: Go ends the program.
var handler atomic.Pointer[func(value any, stack []byte)]

// Handle sets what happens after a panic, once the functions of [Last] have run: handle reports it and exits. It is called at most
// once and with the stack of the goroutine that panicked. Without it, and in tests, Go ends the program as it always does.
func Handle(handle func(value any, stack []byte)) { handler.Store(&handle) }

// once holds back the panics of other goroutines while the first is reported.
var once sync.Mutex

// caught ends the program if the function that defers it panics.
func caught() {
	handle := handler.Load()
	if handle == nil {
		return // not recovered, so that Go prints the stacks of all goroutines
	}
	if value := recover(); value != nil {
		stack := debug.Stack()
		once.Lock() // for good
		runLast()
		(*handle)(value, stack)
	}
}

// lasts are the functions of Last, the newest at the end.
var lasts struct {
	sync.Mutex
	all []*func()
}

// Last registers what has to be done before the program ends by a panic, until forget is called. It runs while all other goroutines
// go on, may be called at any time, and has two seconds; what holds a lock that the panic left locked is left behind.
func Last(f func()) (forget func()) {
	own := &f
	lasts.Lock()
	defer lasts.Unlock()
	lasts.all = append(lasts.all, own)
	return func() {
		lasts.Lock()
		defer lasts.Unlock()
		lasts.all = slices.DeleteFunc(lasts.all, func(o *func()) bool { return o == own })
	}
}

// patience bounds the time of each function of Last.
const patience = 2 * time.Second

// runLast calls the functions of Last, the newest first. One that panics itself is left behind.
func runLast() {
	lasts.Lock()
	all := slices.Clone(lasts.all)
	lasts.Unlock()
	for _, f := range slices.Backward(all) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }()
			(*f)()
		}()
		select {
		case <-done:
		case <-time.After(patience):
		}
	}
}
