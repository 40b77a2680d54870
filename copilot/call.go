package copilot

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/copilot/login"
)

// Call is a request to an API of the Copilot service other than those for models.
type Call struct {
	// Op names the operation in errors, such as "start task".
	Op string
	// Method and Path are of the request; Path begins with a slash, and may have a query.
	Method, Path string
	// Header is added to that of every request, and replaces it. Body is JSON, nil for none.
	Header http.Header
	Body   []byte
	// Limit bounds the answer, in bytes; 0 means 16 MiB.
	Limit int64
}

// Answer is the answer to a [Call].
type Answer struct {
	// Status is 200 to 299, or 304 for a conditional request.
	Status int
	Header http.Header
	Body   []byte
}

// maxHops bounds the redirects of one call.
const maxHops = 3

// Call sends a request and returns the answer. Unlike other requests it follows redirects of GET requests, to another host
// without the token. Errors are [*Error], also for a status other than 2xx and 304.
func (c *Client) Call(ctx context.Context, r Call) (*Answer, error) {
	return withAccount(ctx, c, func(a *account) (*Answer, error) {
		var used grant
		at := "" // the address after a redirect
		x, err := a.send(ctx, r.Op, func(g grant) (*exchange, *Error) {
			used = g
			return c.do(ctx, r.Op, c.headerTimeout, func(ctx context.Context) (*http.Request, error) {
				return callRequest(ctx, c, r, g.base+r.Path, &g)
			})
		})
		for hops := 0; err != nil; hops++ {
			e, ok := err.(*Error)
			switch {
			case ok && e.Status == http.StatusNotModified:
				return &Answer{Status: e.Status, Header: e.Header}, nil
			case !ok || !redirects(e.Status) || r.Method != http.MethodGet || hops == maxHops:
				return nil, err
			}
			if at == "" {
				at = used.base + r.Path
			}
			if at, x, err = follow(ctx, c, r, used, at, e); err == nil {
				break
			}
		}
		return answerCall(c, x, r)
	})
}

// redirects reports whether a status sends a GET request elsewhere.
func redirects(status int) bool {
	return slices.Contains([]int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect}, status)
}

// callRequest makes the request of a call. Only a grant identifies this program and the user.
func callRequest(ctx context.Context, c *Client, r Call, address string, g *grant) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, address, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.userAgent)
	if r.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	} else {
		req.Body, req.ContentLength, req.GetBody = http.NoBody, 0, nil
	}
	if g != nil {
		c.identify(req.Header, *g)
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
	return req, nil
}

// follow sends a redirected request. The token goes only to the address that the grant is for, which must be the same in
// scheme, host and port. from is the address that redirects, to the new one.
func follow(ctx context.Context, c *Client, r Call, g grant, from string, e *Error) (to string, x *exchange, err error) {
	base, err := url.Parse(g.base)
	if err != nil {
		return from, nil, e
	}
	last, err := url.Parse(from)
	if err != nil {
		return from, nil, e
	}
	target, err := last.Parse(e.Header.Get("Location"))
	if err != nil || target.Scheme != "https" && !(target.Scheme == "http" && base.Scheme == "http") || target.User != nil {
		return from, nil, e
	}
	with := &g
	if target.Scheme != base.Scheme || !strings.EqualFold(target.Host, base.Host) {
		with = nil
	}
	x, fail := c.do(ctx, r.Op, c.headerTimeout, func(ctx context.Context) (*http.Request, error) {
		return callRequest(ctx, c, r, target.String(), with)
	})
	if fail != nil {
		return target.String(), nil, fail
	}
	return target.String(), x, nil
}

// answerCall reads the answer to a call.
func answerCall(c *Client, x *exchange, r Call) (*Answer, error) {
	a := &Answer{Status: x.resp.StatusCode, Header: c.maskHeader(x.resp.Header)}
	body, fail := c.readAll(x, r.Op, orElse(r.Limit, maxListBody))
	if fail != nil {
		return nil, fail
	}
	a.Body = body
	return a, nil
}

// GitHub is access to GitHub's own APIs with the current credential.
type GitHub struct {
	// Host is the GitHub host, such as "github.com". Server means GitHub Enterprise Server.
	Host   string
	Server bool
	// Token goes only to the APIs of Host.
	Token login.Secret
	// Override is the loopback address in place of the host's REST API, "" for none.
	Override  string
	UserAgent string
	// Transport sends requests as the client does. It bounds answers, and adds no headers.
	Transport http.RoundTripper
}

// OnGitHub calls do with access to GitHub, and again with a renewed credential if it fails with an [*Error] of kind
// [KindAuth].
func (c *Client) OnGitHub(ctx context.Context, do func(GitHub) error) error {
	_, err := withAccount(ctx, c, func(a *account) (struct{}, error) {
		return struct{}{}, do(GitHub{Host: a.host.name, Server: a.host.server, Token: a.cred.Token, Override: c.githubReplace,
			UserAgent: c.userAgent, Transport: boundedTransport{c.http}})
	})
	return err
}

// GitHubError returns the error for a failed request to GitHub: status and message are those of its answer, or 0 and "" if
// err, the reason, came before one.
func (c *Client) GitHubError(ctx context.Context, op string, status int, message string, header http.Header, err error) *Error {
	if status == 0 {
		return c.transportError(ctx, op, err)
	}
	body := synthesise(status, message, "")
	e := answerError(c, op, status, header, body)
	e.Message, e.Code = c.secrets.Text(message), ""
	if status == http.StatusNotFound {
		e.Kind = KindForbidden // GitHub hides what the token may not see
	}
	return e
}

// boundedTransport sends requests with the transport of a client, and bounds answers.
type boundedTransport struct{ http *http.Client }

// RoundTrip sends one request.
func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	transport := t.http.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	resp, err := transport.RoundTrip(r)
	if err == nil {
		resp.Body = &boundedBody{Reader: io.LimitReader(resp.Body, maxListBody), Closer: resp.Body}
	}
	return resp, err
}

// boundedBody is the beginning of a body.
type boundedBody struct {
	io.Reader
	io.Closer
}
