package copilot

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// EnableModel accepts the terms of a model (see [Policy]) for the account, which makes it usable. The next call that
// needs the model list fetches it again. Failures, such as a model that an organisation has disabled, are [*Error].
func (c *Client) EnableModel(ctx context.Context, id string) error {
	_, err := withAccount(ctx, c, func(a *account) (struct{}, error) { return struct{}{}, a.enableModel(ctx, id) })
	return err
}

func (a *account) enableModel(ctx context.Context, id string) error {
	c := a.client
	x, err := a.send(ctx, opPolicy, func(g grant) (*exchange, *Error) {
		return c.do(ctx, opPolicy, c.headerTimeout, func(ctx context.Context) (*http.Request, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.base+"/models/"+url.PathEscape(id)+"/policy",
				strings.NewReader(`{"state":"`+policyEnabled+`"}`))
			if err != nil {
				return nil, err
			}
			c.identify(req.Header, g)
			req.Header.Set("Accept", "application/json")
			req.Header.Set("Content-Type", "application/json")
			return req, nil
		})
	})
	if err != nil {
		if e, ok := err.(*Error); ok && e.Status == http.StatusNotFound && e.Err == nil {
			e.Kind = KindModel
			e.because(&ModelError{ID: id, Reason: "has no terms to accept", Nearest: a.nearest(id, nil)})
		}
		return err
	}
	if _, fail := c.readAll(x, opPolicy, maxErrorBody); fail != nil {
		return fail
	}
	a.models.forget()
	return nil
}
