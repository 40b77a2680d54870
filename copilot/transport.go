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
	"time"

	"golang.org/x/net/http/httpproxy"
)

const (
	// maxErrorBody bounds what is read of an error answer.
	maxErrorBody = 1 << 20
	// maxListBody bounds the account and the model list.
	maxListBody = 16 << 20
	// maxAnswerBody bounds a whole answer.
	maxAnswerBody = 64 << 20
)

// NewHTTP returns an HTTP client with the transport that HTTP, Getenv and RootCAs describe. It never follows redirects. The
// caller closes its idle connections. A certificate file that cannot be used is a [*CertificateError].
func NewHTTP(o Options) (*http.Client, error) {
	client, _, err := newHTTP(o)
	return client, err
}

// newHTTP returns the client to send with and whether its transport is ours. Redirects are never followed: the token
// must not go to a host that was not asked for.
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

// newTransport makes a transport for few hosts, long streams and large requests. A connection on which HTTP/2 pings go
// unanswered is given up, so that a sleep of the machine does not leave a dead one in use.
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

// proxyFrom decides from an environment by which proxy a request goes, as curl and net/http do: upper case goes before
// lower case, and HTTP_PROXY does not count where a web server may have set it (REQUEST_METHOD).
func proxyFrom(getenv func(string) string) func(*http.Request) (*url.URL, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	either := func(upper, lower string) string { return orElse(getenv(upper), getenv(lower)) }
	config := httpproxy.Config{
		HTTPProxy:  either("HTTP_PROXY", "http_proxy"),
		HTTPSProxy: either("HTTPS_PROXY", "https_proxy"),
		NoProxy:    either("NO_PROXY", "no_proxy"),
		CGI:        getenv("REQUEST_METHOD") != "",
	}
	decide := config.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return decide(r.URL) }
}

// CertificateError says that a file with certificates cannot be used.
type CertificateError struct {
	// Path is the file.
	Path string
	// Err is what is wrong with it.
	Err error
}

// Error says which file cannot be used, why, and what it must be.
func (e *CertificateError) Error() string {
	return fmt.Sprintf("the certificate file %s cannot be used: %v; it must hold certificates in PEM form", e.Path, e.Err)
}

// Unwrap returns what is wrong.
func (e *CertificateError) Unwrap() error { return e.Err }

// certificates are the authorities of the system and those in the files; nil if there are no files.
func certificates(paths []string) (*x509.CertPool, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
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

// exchange is one request on its way: the context it runs under, which its end must cancel, and its answer.
type exchange struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	resp   *http.Response
	// detach lets the end of the caller's context no longer count, and reports whether it had not come before.
	detach func() bool
}

// do sends one request and returns once its header is there, or fails with an [*Error] whose resources are released. An
// answer other than 2xx is such an error. limit bounds the time until the header, or until an error's body is read.
func (c *Client) do(
	ctx context.Context, op string, limit time.Duration, build func(context.Context) (*http.Request, error),
) (*exchange, *Error) {
	if ctx.Err() != nil {
		return nil, c.transportError(ctx, op, ctx.Err())
	}
	caller := ctx
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(caller))
	detach := context.AfterFunc(caller, func() { cancel(context.Cause(caller)) })
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { cancel(errNoHeader) })
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
	return nil, c.answerError(op, resp.StatusCode, resp.Header, body)
}

// end releases the connection of an exchange.
func (x *exchange) end(cause error) {
	x.detach()
	x.cancel(cause)
	_ = x.resp.Body.Close()
}

// readAll reads a whole answer and releases the connection. More than limit bytes is an error.
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
