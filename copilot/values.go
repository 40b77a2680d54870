package copilot

import (
	"net/http"
	"time"
)

// Secret is a token. Printing, formatting or marshalling it in any way gives "***".
type Secret struct{ v string }

// Credential is a GitHub token and where it came from.
type Credential struct {
	Token Secret
	// Source is the name of the environment variable, "oauth_token" for gh's configuration, "gh" for gh's keyring.
	Source string
	// Host is the GitHub host it belongs to, such as "github.com".
	Host string
}

// Kind sorts errors by what can be done about them.
type Kind string

// The kinds of errors.
const (
	KindAuth       Kind = "auth"
	KindForbidden  Kind = "forbidden"
	KindQuota      Kind = "quota"
	KindRateLimit  Kind = "rate_limit"
	KindOverloaded Kind = "overloaded"
	KindServer     Kind = "server"
	KindNetwork    Kind = "network"
	KindStalled    Kind = "stalled"
	KindBadRequest Kind = "bad_request"
	KindTooLong    Kind = "too_long"
	KindModel      Kind = "model"
	KindMisrouted  Kind = "misrouted" // 421: the account lives on another host
	KindCancelled  Kind = "cancelled"
	KindProtocol   Kind = "protocol" // the service answered something that makes no sense
)

// Error is a failed call. It never holds a token.
type Error struct {
	// Op is what was being done: "discover endpoint", "list models", "stream messages", "send message".
	Op   string
	Kind Kind
	// Status is the HTTP status, 520 for an error event within a stream, 0 if no answer came.
	Status int
	// Envelope is the Anthropic error envelope: the service's own bytes if it sent a valid one, else a synthesised one.
	// Nil for transport failures.
	Envelope []byte
	// Code and Message are the service's own, where it gave any.
	Code, Message string
	RetryAfter    time.Duration // clamped to sensible values; 0 if not given
	RequestID     string
	Header        http.Header // of the response, nil if none came
	Err           error       // the cause, if any
}

// Model is one entry of the service's model list. Everything but ID may be missing.
type Model struct {
	ID, Name, Vendor, Version string
	Endpoints                 []string // such as "/v1/messages"
	// further fields as facts section 3.1 has them
}

// User is the account as discovery tells it.
type User struct {
	Login, Plan, SKU string
	Endpoint         string // the API base URL in use
	// quotas and the rest as facts section 1.1 has them
}
