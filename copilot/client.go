package copilot

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/copilot/login"
)

const (
	// defaultIntegrationID is the id of GitHub's command-line client. The service refuses requests without a known id,
	// and accepts this one with both OAuth tokens and personal access tokens; it refuses editors' ids, which belong to
	// those editors, for the latter.
	defaultIntegrationID = "copilot-developer-cli"
	// defaultAPIVersion is the version that the same client sends. From 2026-06-01 on, models have token prices.
	defaultAPIVersion = "2026-07-01"
	// discoveryAPIVersion is the version of the REST API with /copilot_internal/user.
	discoveryAPIVersion = "2025-04-01"

	// NoIntegrationID, as the integration id of [Options], omits the header. Some tenants refuse unknown ids; most
	// endpoints refuse requests without one, or offer them fewer models.
	NoIntegrationID = "none"

	defaultHeaderTimeout = 2 * time.Minute
	defaultAnswerTimeout = 15 * time.Minute
	defaultStallAfter    = 5 * time.Minute
)

// Options configures a [Client]. Only Credential is required.
type Options struct {
	Credential login.Credential
	// Renew finds the credential again when the service refuses the current one, and when LoginStamp has changed. It
	// runs once for all callers that need it, outside any caller's context. Nil: the credential stays the same.
	Renew func(context.Context) (login.Credential, error)
	// LoginStamp returns a text that changes with the login of this machine, such as [login.Stamp]. It is compared
	// before calls, at most once a second, and must not block. Nil: only a refusal renews the credential.
	LoginStamp func() string
	// GitHubAPIURL replaces the REST base of the credential's host; loopback only.
	GitHubAPIURL string
	// CopilotAPIURL replaces the discovered endpoint; loopback only. It disables discovery, whatever else is set.
	CopilotAPIURL string
	// IntegrationID, EditorVersion, APIVersion and UserAgent identify this program. Empty: the package's defaults.
	// UserAgent and EditorVersion have the form "parley/1.2.3". The IntegrationID [NoIntegrationID] sends none.
	IntegrationID, EditorVersion, APIVersion, UserAgent string
	// Getenv reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case, for both services; nil: os.Getenv.
	// Loopback addresses are reached directly. It is unused if HTTP is set.
	Getenv func(string) string
	// RootCAs are PEM files with certificate authorities to trust besides those of the system, such as that of a
	// company's proxy. Unused if HTTP is set. As always in Go, SSL_CERT_FILE and SSL_CERT_DIR replace the system's on
	// Linux and the BSDs.
	RootCAs []string
	// HTTP is the transport; nil: a separate one for this client. Redirects are never followed. Its Timeout also
	// applies to streams and should be 0.
	HTTP *http.Client
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// HeaderTimeout bounds the time until a streaming answer, a model list or the account begins to arrive; 0 means two
	// minutes, less than 0 no bound. It is never longer than StallAfter.
	HeaderTimeout time.Duration
	// AnswerTimeout bounds the time until an answer of Messages begins to arrive, when the model is done; 0 means
	// fifteen minutes, less than 0 no bound.
	AnswerTimeout time.Duration
	// StallAfter bounds the silence of the service while the client waits, from the request on or, for a whole answer,
	// from its beginning on. 0 means five minutes, less than 0 no bound.
	StallAfter time.Duration
}

// Client talks to the Copilot API for one credential, which [Client.SignIn] and [Options.Renew] can replace. It is safe for concurrent use.
type Client struct {
	githubReplace string // override of the REST base, or ""
	fixedBase     string // endpoint override, or ""

	integrationID, editorVersion, apiVersion, userAgent string

	http          *http.Client
	ownsTransport bool
	now           func() time.Time

	headerTimeout, answerTimeout, stallAfter time.Duration

	secrets  login.Masker
	drains   drains
	renewals *renewals

	account atomic.Pointer[account]
	signIns atomic.Int64 // begun so far
	swap    sync.Mutex   // held while the account is replaced
	closed  bool         // guarded by swap
}

// New returns a client without sending anything. Errors: an [*OverrideError] for an override that is not loopback, one
// that wraps [ErrNoToken] without a token, and a [*CertificateError] for an unusable certificate file.
func New(o Options) (*Client, error) {
	c := &Client{now: o.Now}
	var err error
	if c.githubReplace, err = login.ParseOverride("GitHubAPIURL", o.GitHubAPIURL); err != nil {
		return nil, err
	}
	if c.fixedBase, err = login.ParseOverride("CopilotAPIURL", o.CopilotAPIURL); err != nil {
		return nil, err
	}
	if c.now == nil {
		c.now = time.Now
	}
	c.userAgent = orElse(o.UserAgent, "parley/"+buildVersion())
	c.editorVersion = orElse(o.EditorVersion, productOf(c.userAgent))
	c.integrationID = orElse(o.IntegrationID, defaultIntegrationID)
	c.apiVersion = orElse(o.APIVersion, defaultAPIVersion)
	for _, v := range []string{c.userAgent, c.editorVersion, c.integrationID, c.apiVersion} {
		if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil, errors.New("the integration id, editor version, API version and user agent must be plain ASCII")
		}
	}
	if c.integrationID == NoIntegrationID {
		c.integrationID = ""
	}
	c.headerTimeout = orElse(o.HeaderTimeout, defaultHeaderTimeout)
	c.answerTimeout = orElse(o.AnswerTimeout, defaultAnswerTimeout)
	c.stallAfter = orElse(o.StallAfter, defaultStallAfter)
	if c.stallAfter > 0 && (c.headerTimeout < 0 || c.headerTimeout > c.stallAfter) {
		c.headerTimeout = c.stallAfter
	}
	a, err := c.newAccount(o.Credential)
	if err != nil {
		return nil, err
	}
	if c.http, c.ownsTransport, err = newHTTP(o); err != nil {
		return nil, err
	}
	c.account.Store(a)
	c.renewals = newRenewals(c, o)
	return c, nil
}

// Close ends the client's shared work, discovery and model fetches, and closes idle connections. Calls that wait for
// that work fail, as do later ones; open streams continue.
func (c *Client) Close() {
	c.swap.Lock()
	c.closed = true
	c.swap.Unlock()
	c.renewals.close()
	c.current().close(errShutdown)
	c.drains.close()
	if c.ownsTransport {
		c.http.CloseIdleConnections()
	}
}

// Forget drops the cached account, endpoint and model list, minted tokens and model sessions, so that the next call
// asks the service again.
func (c *Client) Forget() { c.current().forget() }

// Credential returns the credential in use.
func (c *Client) Credential() login.Credential { return c.current().cred }

// orElse returns v, or the default if v is the zero value.
func orElse[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// productOf returns the first product of a User-Agent.
func productOf(userAgent string) string {
	product, _, _ := strings.Cut(userAgent, " ")
	return product
}

// buildVersion returns the version of this build, "dev" if unknown.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "dev"
}
