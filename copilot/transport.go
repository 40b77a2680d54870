package copilot

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// maxErrorBody bounds what is read of an error answer.
	maxErrorBody = 1 << 20
	// maxListBody bounds the account and the model list.
	maxListBody = 16 << 20
	// maxAnswerBody bounds a whole answer.
	maxAnswerBody = 64 << 20
)

// newHTTP returns the client to send with and whether its transport is ours. Redirects are never followed: the token
// must not go to a host that was not asked for.
func newHTTP(given *http.Client) (client *http.Client, own bool) {
	out := http.Client{}
	if given != nil {
		out = *given
	} else {
		out.Transport = newTransport()
	}
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &out, given == nil
}

// newTransport makes a transport for few hosts, long streams and large requests. A connection on which HTTP/2 pings go
// unanswered is given up, so that a sleep of the machine does not leave a dead one in use.
func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true,
		TLSHandshakeTimeout:   15 * time.Second,
		MaxIdleConns:          16,
		MaxIdleConnsPerHost:   8,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
		WriteBufferSize:       64 << 10,
		ReadBufferSize:        32 << 10,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
	}
}

// exchange is one request on its way: the context it runs under, which its end must cancel, and its answer.
type exchange struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	resp   *http.Response
}

// do sends one request and returns once its header is there, or fails with an [*Error] whose resources are released. An
// answer other than 2xx is such an error. limit bounds the time until the header, or until an error's body is read.
func (c *Client) do(
	ctx context.Context, op string, limit time.Duration, build func(context.Context) (*http.Request, error),
) (*exchange, *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { cancel(errNoHeader) })
		defer timer.Stop()
	}
	req, err := build(ctx)
	if err != nil {
		cancel(nil)
		return nil, &Error{Op: op, Kind: KindProtocol, Err: c.clean(err)}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		e := c.transportError(ctx, op, err)
		cancel(nil)
		return nil, e
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return &exchange{ctx: ctx, cancel: cancel, resp: resp}, nil
	}
	defer cancel(nil)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && context.Cause(ctx) != nil {
		return nil, c.transportError(ctx, op, err)
	}
	return nil, c.answerError(op, resp.StatusCode, resp.Header, body)
}

// end releases the connection of an exchange.
func (x *exchange) end(cause error) {
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
