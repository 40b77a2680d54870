package proxy

import (
	"context"
	"net/http"

	"parley/copilot"
)

// frames is a streaming answer: what [*copilot.Stream] is. Close may be called from any goroutine and makes Next return.
type frames interface {
	Next() (copilot.Frame, error)
	Close() error
}

// hurried is a stream that knows whether its next frame has arrived already.
type hurried interface {
	Ready() bool
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
