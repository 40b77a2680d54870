package proxy

import (
	"context"
	"log/slog"

	"parley/copilot"
)

// Upstream is what the proxy needs of the Copilot client. [*copilot.Client] is one.
type Upstream interface {
	StreamMessages(ctx context.Context, r copilot.Request) (*copilot.Stream, error)
	Messages(ctx context.Context, r copilot.Request) (*copilot.Response, error)
	Models(ctx context.Context) ([]copilot.Model, error)
}

// Options configures a [Server].
type Options struct {
	Upstream Upstream
	// Addr is where to listen, "127.0.0.1:0" if empty. Anything but a loopback address is refused.
	Addr string
	Log  *slog.Logger // nil: discarded. Bearers and bodies are never logged.
	// UserAgent is the product put before the client's own version, such as "parley".
	UserAgent string
	// Observe, if not nil, is told of every finished request; it must not block.
	Observe func(Exchange)
}

// Exchange is one finished request, for logs, quota display and tests.
type Exchange struct {
	Session string // the session id of the bearer
	Model   string // as asked for
	Status  int
	// further fields: usage, nano credits, quota headers, duration, bytes
}

// Server is the Anthropic Messages API on loopback. It is safe for concurrent use.
type Server struct{}

// Start listens and serves until Close.
func Start(o Options) (*Server, error) { panic("being written") }

// URL is the base URL, such as "http://127.0.0.1:41234".
func (s *Server) URL() string { panic("being written") }

// Open makes a fresh 256-bit secret for a session and returns the bearer "secret.id". An id already open gets a new
// secret; the old one is useless from then on.
func (s *Server) Open(id string) (bearer string, err error) { panic("being written") }

// Revoke makes the session's bearer useless and cancels its requests.
func (s *Server) Revoke(id string) { panic("being written") }

// Close stops listening, lets running requests end until ctx does, then cuts them.
func (s *Server) Close(ctx context.Context) error { panic("being written") }
