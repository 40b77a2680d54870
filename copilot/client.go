package copilot

import (
	"context"
	"net/http"
	"time"
)

// Options configures a [Client]. Only Credential is required.
type Options struct {
	Credential Credential
	// GitHubAPIURL replaces the REST base of the credential's host; loopback only.
	GitHubAPIURL string
	// CopilotAPIURL replaces the discovered endpoint; loopback only. With it nothing is discovered.
	CopilotAPIURL string
	// IntegrationID, EditorVersion, APIVersion and UserAgent identify this program. Empty: the package's defaults.
	IntegrationID, EditorVersion, APIVersion, UserAgent string
	// HTTP is the transport; nil: one made for this client.
	HTTP *http.Client
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Client talks to the Copilot API for one credential. It is safe for concurrent use.
type Client struct{}

// New makes a client. Nothing is sent until the first call. An override that is not loopback is an error.
func New(o Options) (*Client, error) { panic("being written") }

// Request is one call of the Messages API.
type Request struct {
	// Body is the Anthropic request, sent as it is but for "stream" and a string "system" (see Messages).
	Body []byte
	// Header holds caller headers; those the service or this client owns are replaced.
	Header http.Header
}

// Frame is one server-sent event as it came.
type Frame struct {
	// Event is the event's type: the "event:" field, or else the "type" of the data.
	Event string
	// Data is the data field, without the trailing newline. It is valid until the next call of Next.
	Data []byte
}

// Stream is a streaming answer. It is used by one goroutine; Close may be called from any.
type Stream struct {
	// Header is the header of the HTTP response: request ids, quota, rate limits.
	Header http.Header
}

// Next returns the next frame, io.EOF after message_stop, and an [*Error] if the service reported one in the stream
// (status 520), the stream broke, or ended without message_stop.
func (s *Stream) Next() (Frame, error) { panic("being written") }

// Close releases the connection. It may be called more than once.
func (s *Stream) Close() error { panic("being written") }

// Response is a whole answer.
type Response struct {
	Header http.Header
	Body   []byte
}

// StreamMessages posts to /v1/messages with stream true. An HTTP status other than 2xx is an [*Error].
func (c *Client) StreamMessages(ctx context.Context, r Request) (*Stream, error) { panic("being written") }

// Messages posts to /v1/messages with stream false.
func (c *Client) Messages(ctx context.Context, r Request) (*Response, error) { panic("being written") }

// Models lists what the login can use, as the service describes it. The list is shared by callers and cached for a while.
func (c *Client) Models(ctx context.Context) ([]Model, error) { panic("being written") }

// User returns who is signed in, with plan, endpoint and quotas, from discovery.
func (c *Client) User(ctx context.Context) (User, error) { panic("being written") }
