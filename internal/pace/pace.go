package pace

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// slice is how long is worked without a pause.
const slice = 5 * time.Millisecond

// patience is how long work waits for other work: longer than that works, unless it waits for a lock that this one has.
const patience = time.Second

// The time after a key in which work waits for the next one, and the most that it waits for somebody who types on and on.
const (
	quiet    = 250 * time.Millisecond
	mostKeys = 2 * time.Second
)

// typed is when the newest key came, in nanoseconds since 1970.
var typed atomic.Int64

// Typed lets all work in the background wait for a moment: somebody types, and sees each key at once.
func Typed() { typed.Store(time.Now().UnixNano()) }

// listen waits until no key has come for a while, or for as long as keys may hold up work.
func listen(ctx context.Context) {
	for end := time.Now().Add(mostKeys); ctx.Err() == nil; {
		since := time.Since(time.Unix(0, typed.Load()))
		left := min(quiet-since, time.Until(end))
		if since < 0 || left <= 0 { // the clock was set back
			return
		}
		pause(ctx, left, nil)
	}
}

// turn is taken by the work that is at it, its pauses included: all work in the background together takes half of a processor.
var turn struct {
	mu      sync.Mutex
	taken   bool
	waiting []chan struct{} // of those that wait for it, in their order
}

type key struct{}

// pacer knows when the work since the last pause began.
type pacer struct {
	mu    sync.Mutex
	began time.Time // zero: it has to wait for its turn
	has   bool
}

// Gently returns a context for work in the background, with which [Rest] pauses, and a function that has to be called at its end.
func Gently(ctx context.Context) (gentle context.Context, done func()) {
	p := &pacer{}
	return context.WithValue(ctx, key{}, p), p.release
}

// Rest waits for as long as was worked since it last waited, if that is some milliseconds, while somebody types, and while other such work
// is at it, or until ctx ends. It returns at once without [Gently]. One goroutine at a time works with a gentle context.
func Rest(ctx context.Context) {
	p, gently := ctx.Value(key{}).(*pacer)
	if !gently {
		return
	}
	p.mu.Lock()
	worked := time.Since(p.began)
	first := p.began.IsZero()
	p.mu.Unlock()
	if !first && worked < slice {
		return
	}
	if !first {
		pause(ctx, worked, nil)
		p.release()
	}
	if ctx.Value(held{}) == nil {
		listen(ctx)
	}
	has := take(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began, p.has = time.Now(), has
}

type held struct{}

// Held returns a context for work that has what others wait for, such as a lock of a file: with it, [Rest] waits for nobody who types.
func Held(ctx context.Context) context.Context { return context.WithValue(ctx, held{}, true) }

// pause waits until a time is over, something comes, or ctx ends.
func pause(ctx context.Context, most time.Duration, comes <-chan struct{}) {
	end := time.NewTimer(most)
	defer end.Stop()
	select {
	case <-comes:
	case <-end.C:
	case <-ctx.Done():
	}
}

// take waits for the turn and reports whether it has it.
func take(ctx context.Context) bool {
	turn.mu.Lock()
	if !turn.taken {
		turn.taken = true
		turn.mu.Unlock()
		return true
	}
	mine := make(chan struct{}, 1)
	turn.waiting = append(turn.waiting, mine)
	turn.mu.Unlock()
	pause(ctx, patience, mine)
	turn.mu.Lock()
	defer turn.mu.Unlock()
	at := slices.Index(turn.waiting, mine)
	if at >= 0 {
		turn.waiting = slices.Delete(turn.waiting, at, at+1)
	}
	return at < 0
}

// release gives the turn to other work.
func (p *pacer) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.has {
		return
	}
	p.has = false
	turn.mu.Lock()
	defer turn.mu.Unlock()
	if turn.taken = len(turn.waiting) > 0; turn.taken {
		turn.waiting[0] <- struct{}{}
		turn.waiting = turn.waiting[1:]
	}
}

// Workers returns how many goroutines share work: as many as usual, and one with [Gently].
func Workers(ctx context.Context, usual int) int {
	if _, gently := ctx.Value(key{}).(*pacer); gently {
		return 1
	}
	return usual
}

// Reader returns a reader that rests before it reads.
func Reader(ctx context.Context, r io.Reader) io.Reader { return reader{ctx, r} }

type reader struct {
	ctx context.Context
	io.Reader
}

// Read rests and reads.
func (r reader) Read(b []byte) (int, error) {
	Rest(r.ctx)
	return r.Reader.Read(b)
}
