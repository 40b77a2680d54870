package copilot

import (
	"context"
	"errors"
	"net/http"
)

// User returns who is signed in, with plan, endpoint and quotas, from discovery. The answer is shared by callers and up
// to half an hour old; see [Client.Forget]. With CopilotAPIURL set GitHub is not asked, unless GitHubAPIURL is set as
// well, and only Endpoint is known. Errors are [*Error].
func (c *Client) User(ctx context.Context) (User, error) {
	if c.fixedBase != "" && !c.githubReplace {
		return User{Endpoint: c.fixedBase}, nil
	}
	u, _, err := c.user.get(ctx)
	if err != nil {
		return User{}, c.waitError(opDiscover, err)
	}
	if c.fixedBase != "" {
		u.Endpoint = c.fixedBase
	}
	return u.clone(), nil
}

// endpoint returns the base URL to send to, and the discovery it is from: nil if it is fixed.
func (c *Client) endpoint(ctx context.Context) (string, *attempt[User], error) {
	if c.fixedBase != "" {
		return c.fixedBase, nil, nil
	}
	u, a, err := c.user.get(ctx)
	if err != nil {
		return "", nil, c.waitError(opDiscover, err)
	}
	return u.Endpoint, a, nil
}

// waitError turns what shared.get fails with into an [*Error]: the fetch's own, or the end of the caller's context.
func (c *Client) waitError(op string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	kind := KindCancelled
	if errors.Is(err, errNoHeader) { // the budget of one shared fetch, while it waited for another
		kind = KindStalled
	}
	return &Error{Op: op, Kind: kind, Err: c.clean(err)}
}

// fetchUser asks GitHub for the account. It runs once for all who wait.
func (c *Client) fetchUser(ctx context.Context) (User, error) {
	x, fail := c.do(ctx, opDiscover, c.headerTimeout, func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.githubBase+"/copilot_internal/user", nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+c.cred.Token.Reveal())
		req.Header.Set("Accept", "application/json")
		req.Header.Set("X-GitHub-Api-Version", discoveryAPIVersion)
		req.Header.Set("User-Agent", c.userAgent)
		return req, nil
	})
	if fail != nil {
		if fail.Status == http.StatusNotFound {
			fail.Kind = KindForbidden // GitHub hides what the token may not see
		}
		return User{}, fail
	}
	header, status := c.maskHeader(x.resp.Header), x.resp.StatusCode
	body, fail := c.readAll(x, opDiscover, maxListBody)
	if fail != nil {
		return User{}, fail
	}
	o := object(body)
	if o == nil {
		return User{}, protocolError(opDiscover, status, header, "GitHub answered something that is no JSON object")
	}
	u := decodeUser(o)
	if u.Endpoint == "" {
		u.Endpoint = c.fallbackBase
		return u, nil
	}
	base, err := checkEndpoint(u.Endpoint, c.githubReplace)
	if err != nil {
		return User{}, protocolError(opDiscover, status, header, "refused: %s", c.clean(err))
	}
	u.Endpoint = base
	return u, nil
}

// send runs one call against the endpoint. After 401, 403 or 421 the endpoint is discovered anew and the call sent once
// more: the account may have moved, or the entitlement changed. Whatever comes then is the answer.
func (c *Client) send(ctx context.Context, op string, call func(base string) (*exchange, *Error)) (*exchange, error) {
	base, from, err := c.endpoint(ctx)
	if err != nil {
		return nil, err
	}
	x, fail := call(base)
	if fail == nil {
		return x, nil
	}
	if from == nil || !refused(fail) {
		return nil, fail
	}
	c.user.invalidate(from)
	base, from, err = c.endpoint(ctx)
	if err != nil {
		if KindOf(err) == KindCancelled {
			return nil, err
		}
		fail.Err = err // the service's own answer stays in front, the failed rediscovery is its cause
		return nil, fail
	}
	if x, fail = call(base); fail != nil {
		if refused(fail) {
			c.user.invalidate(from)
		}
		return nil, fail
	}
	return x, nil
}

// refused reports whether an answer may mean that the endpoint is not the account's. A limit is no such answer.
func refused(e *Error) bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest:
		return e.Kind != KindRateLimit && e.Kind != KindQuota
	}
	return false
}
