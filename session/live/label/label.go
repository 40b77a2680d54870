package label

import (
	"context"
	"sync"
	"time"

	"parley/internal/crash"
)

// wait bounds the time to store a title.
const wait = 10 * time.Second

// Label is the title of one session beside its journal. It is safe for concurrent use.
type Label struct {
	set  func(ctx context.Context, title string) error
	rest func() bool

	mu   sync.Mutex
	want string        // "" once the record has it
	busy chan struct{} // closed when the one writer is done; nil without one
}

// New returns the label of a session. set stores a title, rest reports whether no turn runs; they are called with no lock held.
func New(set func(ctx context.Context, title string) error, rest func() bool) *Label {
	return &Label{set: set, rest: rest}
}

// Set chooses the title, which the record gets once it can.
func (l *Label) Set(title string) {
	l.mu.Lock()
	l.want = title
	l.mu.Unlock()
	l.Consider()
}

// Consider starts to write what is left, if no turn runs.
func (l *Label) Consider() {
	l.mu.Lock()
	idle := l.want == "" || l.busy != nil
	l.mu.Unlock()
	if idle {
		return
	}
	resting := l.rest()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !resting || l.want == "" || l.busy != nil {
		return
	}
	l.busy = make(chan struct{})
	crash.Go(l.write)
}

// write writes the newest title until the record has it. Without a record yet, the next turn's end tries again.
func (l *Label) write() {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() {
		close(l.busy)
		l.busy = nil
	}()
	for l.want != "" {
		title := l.want
		if err := l.tell(ctx, title); err != nil {
			return
		}
		if l.want == title {
			l.want = ""
		}
	}
}

// tell stores a title. The lock, which is held, is free meanwhile.
func (l *Label) tell(ctx context.Context, title string) error {
	l.mu.Unlock()
	defer l.mu.Lock() // also when that panics
	return l.set(ctx, title)
}

// Finish returns after a last try, when nothing is written any more, or with the error of ctx.
func (l *Label) Finish(ctx context.Context) error {
	l.Consider()
	l.mu.Lock()
	busy := l.busy
	l.mu.Unlock()
	if busy == nil {
		return nil
	}
	select {
	case <-busy:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
