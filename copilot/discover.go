package copilot

import (
	"context"
	"errors"
	"net/http"

	"parley/copilot/login"
)

// User returns the signed-in account with plan, endpoint and quotas. The answer is shared and up to half an hour old;
// see [Client.Forget]. With CopilotAPIURL only Endpoint is known, and nothing is sent. Endpoint is for the GitHub token; a
// minted one may have another. Errors are [*Error].
func (c *Client) User(ctx context.Context) (User, error) {
	if !c.discovers() {
		return User{Endpoint: c.fixedBase}, nil
	}
	return c.AskUser(ctx)
}

// AskUser is [Client.User] for a caller that the user has asked for the account: with CopilotAPIURL it asks GitHub too, if
// GitHubAPIURL is set.
func (c *Client) AskUser(ctx context.Context) (User, error) {
	if !c.discovers() && c.githubReplace == "" {
		return User{Endpoint: c.fixedBase}, nil
	}
	u, err := withAccount(ctx, c, func(a *account) (User, error) {
		u, _, err := a.user.get(ctx)
		if err != nil {
			return User{}, c.waitError(opDiscover, err)
		}
		return u, nil
	})
	if err != nil {
		return User{}, err
	}
	if c.fixedBase != "" {
		u.Endpoint = c.fixedBase
	}
	return u.clone(), nil
}

// discovers reports whether a request needs discovery first. With CopilotAPIURL it does not: the endpoint is known, and
// only [Client.AskUser] needs the rest of the account.
func (c *Client) discovers() bool { return c.fixedBase == "" }

// waitError converts an error of shared.get to an [*Error]: that of the fetch, or the end of the caller's context.
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

// fetchUser gets the account from GitHub, once for all waiting callers.
func (a *account) fetchUser(ctx context.Context) (User, error) {
	c := a.client
	o, header, fail := c.getObject(ctx, opDiscover, a.host.rest+"/copilot_internal/user", func(h http.Header) {
		h.Set("Authorization", schemeBearer+" "+a.cred.Token.Reveal())
		h.Set("X-GitHub-Api-Version", discoveryAPIVersion)
		h.Set("User-Agent", c.userAgent)
	})
	if fail != nil {
		if fail.Status == http.StatusNotFound {
			if a.host.server && c.githubReplace == "" {
				return User{Endpoint: a.host.endpoint}, nil // a server without the route
			}
			fail.Kind = KindForbidden // GitHub hides what the token may not see
		}
		return User{}, a.explain(fail)
	}
	u := decodeUser(o)
	base, err := a.safeEndpoint(u.Endpoint)
	if err != nil {
		return User{}, protocolError(opDiscover, http.StatusOK, header, "refused: %s", c.clean(err))
	}
	u.Endpoint = base
	return u, nil
}

// safeEndpoint checks the endpoint that GitHub names, and returns the default if it names none.
func (a *account) safeEndpoint(named string) (string, error) {
	if named == "" {
		return a.host.endpoint, nil
	}
	return login.CheckEndpoint(named, a.client.githubReplace != "")
}

// getObject gets a JSON object from GitHub's REST API. set sets the headers.
func (c *Client) getObject(
	ctx context.Context, op, url string, set func(http.Header),
) (fields, http.Header, *Error) {
	x, fail := c.do(ctx, op, c.headerTimeout, func(ctx context.Context) (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Accept", "application/json")
		set(req.Header)
		return req, nil
	})
	if fail != nil {
		return nil, nil, fail
	}
	header, status := c.maskHeader(x.resp.Header), x.resp.StatusCode
	body, fail := c.readAll(x, op, maxListBody)
	if fail != nil {
		return nil, nil, fail
	}
	o := object(body)
	if o == nil {
		return nil, nil, protocolError(op, status, header, "GitHub did not answer with a JSON object")
	}
	return o, header, nil
}
