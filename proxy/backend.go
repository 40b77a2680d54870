package proxy

import (
	"context"
	"net/http"

	"parley/copilot"
)

// frames is a streaming answer, such as [*copilot.Stream]. Close may be called from any goroutine and makes Next
// return.
type frames interface {
	Next() (copilot.Frame, error)
	Close() error
}

// hurried is a stream that knows whether its next frame has already arrived.
type hurried interface {
	Ready() bool
}

// backend is an [Upstream] whose streams tests can replace.
type backend interface {
	stream(ctx context.Context, r copilot.Request) (frames, http.Header, error)
	message(ctx context.Context, r copilot.Request) (*copilot.Response, error)
	models(ctx context.Context) ([]copilot.Model, error)
}

// clientBackend is the backend of a real Upstream.
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
