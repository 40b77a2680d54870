package builtin

import (
	"context"
	"sync"
)

// order lets calls that run at the same time begin one after the other, as the model made them. Only one goroutine adds.
type order struct{ last chan struct{} }

// spot is the place of a call in an order.
type spot struct {
	before chan struct{} // closed when the call before has begun or ended; nil for the first
	passed func()
}

type spotKey struct{}

// add adds a call. passed lets the next one begin; it may be called more than once, and has to be called in the end.
func (o *order) add(ctx context.Context) (_ context.Context, passed func()) {
	done := make(chan struct{})
	s := spot{o.last, sync.OnceFunc(func() { close(done) })}
	o.last = done
	return context.WithValue(ctx, spotKey{}, s), s.passed
}

// inOrder calls begin once the calls before have begun, or ctx has ended.
func inOrder(ctx context.Context, begin func()) {
	s, ok := ctx.Value(spotKey{}).(spot)
	if !ok {
		begin()
		return
	}
	if s.before != nil {
		select {
		case <-s.before:
		case <-ctx.Done():
		}
	}
	begin()
	s.passed()
}
