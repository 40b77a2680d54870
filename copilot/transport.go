package copilot

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"golang.org/x/net/http/httpproxy"

	"parley/internal/crash"
)

const (
	// maxErrorBody bounds the body of an error answer, in bytes.
	maxErrorBody = 1 << 20
	// maxListBody bounds the account and the model list, in bytes.
	maxListBody = 16 << 20
	// maxAnswerBody bounds a whole answer, in bytes.
	maxAnswerBody = 64 << 20
)

// NewHTTP returns an HTTP client with the transport that HTTP, Getenv and RootCAs describe. It never follows redirects.
// The caller closes its idle connections. An unusable certificate file is a [*CertificateError].
func NewHTTP(o Options) (*http.Client, error) {
	client, _, err := newHTTP(o)
	return client, err
}

// newHTTP returns the HTTP client and whether its transport is ours. It never follows redirects: the token must only go
// to the requested host.
func newHTTP(o Options) (client *http.Client, own bool, err error) {
	out := http.Client{}
	if o.HTTP != nil {
		out = *o.HTTP
	} else {
		roots, err := certificates(o.RootCAs)
		if err != nil {
			return nil, false, err
		}
		t := newTransport(o.Getenv)
		if roots != nil {
			t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
		}
		out.Transport = t
	}
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &out, o.HTTP == nil, nil
}

// newTransport returns a transport for few hosts, long streams and large requests. It closes connections with
// unanswered HTTP/2 pings, so that none that broke while the machine slept stays in use.
func newTransport(getenv func(string) string) *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 proxyFrom(getenv),
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true,
		TLSHandshakeTimeout:   15 * time.Second,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   32,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
		WriteBufferSize:       64 << 10,
		ReadBufferSize:        32 << 10,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
	}
}

// proxyFrom returns the function that chooses a request's proxy by an environment, as curl and net/http do: upper case
// comes before lower case, and HTTP_PROXY is ignored if a web server may have set it (REQUEST_METHOD). The environment may change.
func proxyFrom(getenv func(string) string) func(*http.Request) (*url.URL, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	either := func(upper, lower string) string { return orElse(getenv(upper), getenv(lower)) }
	var mu sync.Mutex
	var last httpproxy.Config
	decide := last.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) {
		now := httpproxy.Config{
			HTTPProxy:  either("HTTP_PROXY", "http_proxy"),
			HTTPSProxy: either("HTTPS_PROXY", "https_proxy"),
			NoProxy:    either("NO_PROXY", "no_proxy"),
			CGI:        getenv("REQUEST_METHOD") != "",
		}
		mu.Lock()
		if now != last {
			last, decide = now, now.ProxyFunc()
		}
		d := decide
		mu.Unlock()
		return d(r.URL)
	}
}

// CertificateError reports an unusable file with certificates.
type CertificateError struct {
	// Path is the file.
	Path string
	// Err is the reason.
	Err error
}

// Error returns the file, the reason, and what the file must contain.
func (e *CertificateError) Error() string {
	return fmt.Sprintf("the certificate file %s cannot be used: %v; it must hold certificates in PEM form", e.Path, e.Err)
}

// Unwrap returns the reason.
func (e *CertificateError) Unwrap() error { return e.Err }

// certificates returns a pool of the system's authorities and those in the files, or nil without files.
func certificates(paths []string) (*x509.CertPool, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // the system has none
	}
	for _, path := range paths {
		pem, err := os.ReadFile(path)
		if err != nil {
			if pe, ok := errors.AsType[*os.PathError](err); ok {
				err = pe.Err
			}
			return nil, &CertificateError{Path: path, Err: err}
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, &CertificateError{Path: path, Err: errors.New("there is no certificate in it")}
		}
	}
	return pool, nil
}

// exchange is a running request: its answer, and its context, which must be cancelled at the end.
type exchange struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	resp   *http.Response
	// detach separates the exchange from the caller's context, and reports whether that had not ended before.
	detach func() bool
}

// do sends one request and returns once its header has arrived, or fails with an [*Error] whose resources are released.
// An answer other than 2xx is such an error. limit bounds the time until the header, or until an error's body is read.
func (c *Client) do(
	ctx context.Context, op string, limit time.Duration, build func(context.Context) (*http.Request, error),
) (*exchange, *Error) {
	if ctx.Err() != nil {
		return nil, c.transportError(ctx, op, ctx.Err())
	}
	caller := ctx
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(caller))
	detach := context.AfterFunc(caller, crash.Guarded(func() { cancel(context.Cause(caller)) }))
	if limit > 0 {
		timer := time.AfterFunc(limit, crash.Guarded(func() { cancel(errNoHeader) }))
		defer timer.Stop()
	}
	req, err := build(ctx)
	if err != nil {
		detach()
		cancel(nil)
		return nil, &Error{Op: op, Kind: KindProtocol, Err: c.clean(err)}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		e := c.transportError(ctx, op, err)
		detach()
		cancel(nil)
		return nil, e
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return &exchange{ctx: ctx, cancel: cancel, resp: resp, detach: detach}, nil
	}
	defer cancel(nil)
	defer detach()
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && context.Cause(ctx) != nil {
		return nil, c.transportError(ctx, op, err)
	}
	return nil, answerError(c, op, resp.StatusCode, resp.Header, body)
}

// end releases the connection of an exchange.
func (x *exchange) end(cause error) {
	x.detach()
	x.cancel(cause)
	_ = x.resp.Body.Close()
}

// readAll reads a whole answer and releases the connection. More than limit bytes are an error.
func (c *Client) readAll(x *exchange, op string, limit int64) ([]byte, *Error) {
	defer x.end(nil)
	body, err := io.ReadAll(io.LimitReader(newWatched(x, c.stallAfter), limit+1))
	if err != nil {
		return nil, c.transportError(x.ctx, op, err)
	}
	if int64(len(body)) > limit {
		return nil, protocolError(op, x.resp.StatusCode, c.maskHeader(x.resp.Header),
			"the answer is longer than %d MiB", limit>>20)
	}
	return body, nil
}
