package proxy

import (
	"context"
	"net/http"
	"time"

	"parley/copilot"
)

// frames is a streaming answer: what [*copilot.Stream] is. Close may be called from any goroutine and makes Next return.
type frames interface {
	Next() (copilot.Frame, error)
	Close() error
}

// backend is [Upstream] with a stream that tests can make.
type backend interface {
	stream(ctx context.Context, r copilot.Request) (frames, http.Header, error)
	message(ctx context.Context, r copilot.Request) (*copilot.Response, error)
	models(ctx context.Context) ([]copilot.Model, error)
}

// clientBackend is the backend of the program.
type clientBackend struct{ up Upstream }

func (b clientBackend) stream(ctx context.Context, r copilot.Request) (frames, http.Header, error) {
	s, err := b.up.StreamMessages(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return s, s.Header, nil
}

func (b clientBackend) message(ctx context.Context, r copilot.Request) (*copilot.Response, error) {
	return b.up.Messages(ctx, r)
}

func (b clientBackend) models(ctx context.Context) ([]copilot.Model, error) { return b.up.Models(ctx) }

// clock is the time as the server needs it.
type clock struct {
	now func() time.Time
	// body is how long a request's body may take to arrive; after that the connection is cut.
	body time.Duration
	// ticks delivers a tick three times in the longest silence a client may see, until stop is called. A nil channel
	// means that no pings are wanted.
	ticks func() (ch <-chan time.Time, stop func())
}

func newClock(every time.Duration) clock {
	c := clock{now: time.Now, body: bodyTimeout}
	if every == 0 {
		every = defaultPingEvery
	}
	c.ticks = func() (<-chan time.Time, func()) {
		if every < 0 {
			return nil, func() {}
		}
		t := time.NewTicker(max(every/quietTicks, 1))
		return t.C, t.Stop
	}
	return c
}
