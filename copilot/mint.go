package copilot

import (
	"context"
	"net/http"
	"strings"
	"time"

	"parley/copilot/login"
)

// mintedToken is the result of the older exchange for a GitHub token, with the endpoint that accepts it.
type mintedToken struct {
	token     login.Secret
	base      string
	refreshIn time.Duration
}

const (
	// minMinted and maxMinted bound the use of a minted token, whatever the service reports.
	minMinted = 30 * time.Second
	maxMinted = 24 * time.Hour
	// usualMinted is used if the service reports nothing; minted tokens live half an hour.
	usualMinted = 10 * time.Minute
)

// keep returns how long a minted token is used: the service's refresh time, counted by the local clock. The reported
// time of expiry would be wrong if the two clocks differ.
func (m mintedToken) keep() time.Duration { return m.refreshIn }

// usesMinted reports whether calls use a minted token.
func (a *account) usesMinted() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.minting
}

// exchangeHelps reports whether the older exchange can help with a refusal of the GitHub token; the package comment has
// the conditions.
func (a *account) exchangeHelps(g grant, e *Error) bool {
	if g.minted != nil || g.user == nil || e.Status != http.StatusUnauthorized && !badlyFormatted(e) {
		return false
	}
	switch a.cred.Kind() {
	case login.TokenOAuth, login.TokenUserToApp, login.TokenUnknown:
	default:
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.client.now().Before(a.noMint)
}

// sendMinted sends a call with a minted token after direct use was refused, and makes that the way for later calls if
// it works. If the exchange refuses without a reason, it returns the refusal of the direct call.
func (a *account) sendMinted(
	ctx context.Context, direct *Error, call func(grant) (*exchange, *Error),
) (*exchange, error) {
	g, err := a.mintedGrant(ctx)
	if err != nil {
		if e, ok := err.(*Error); ok && saysWhy(e) {
			return nil, e
		}
		if KindOf(err) == KindCancelled {
			return nil, err
		}
		a.explain(direct)
		if direct.Err == nil {
			direct.Err = err
		}
		return nil, direct
	}
	x, fail := a.try(g, call)
	if fail != nil && refused(fail) {
		a.renounce(g)
		a.giveUpMinting()
		return nil, a.explain(fail)
	}
	a.mu.Lock()
	a.minting = true
	a.mu.Unlock()
	if fail != nil {
		return nil, a.explain(fail)
	}
	return x, nil
}

// mintedGrant mints a token, or returns the cached one. After a permanent refusal by the exchange, the next call tries
// direct use again.
func (a *account) mintedGrant(ctx context.Context) (grant, error) {
	m, from, err := a.minted.get(ctx)
	if err == nil {
		return grant{base: m.base, scheme: schemeBearer, token: m.token, minted: from}, nil
	}
	err = a.client.waitError(opMint, err)
	if e, ok := err.(*Error); ok && (refused(e) || e.Status == http.StatusNotFound) {
		a.giveUpMinting()
	}
	return grant{}, err
}

// giveUpMinting disables the exchange for a while.
func (a *account) giveUpMinting() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.minting, a.noMint = false, a.client.now().Add(keepFor)
}

// mint exchanges the GitHub token for one of the Copilot API, once for all waiting callers. The integration id decides
// which models the minted token may use.
func (a *account) mint(ctx context.Context) (mintedToken, error) {
	c := a.client
	o, header, fail := c.getObject(ctx, opMint, a.host.rest+"/copilot_internal/v2/token", func(h http.Header) {
		h.Set("Authorization", schemeToken+" "+a.cred.Token.Reveal())
		h.Set("X-GitHub-Api-Version", discoveryAPIVersion)
		h.Set("User-Agent", c.userAgent)
		c.introduce(h)
	})
	if fail != nil {
		return mintedToken{}, fail
	}
	token := o.str("token")
	m := mintedToken{token: login.NewSecret(token), base: o.object("endpoints").str("api"), refreshIn: usualMinted}
	c.secrets.Add(m.token)
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return mintedToken{}, protocolError(opMint, http.StatusOK, header, "GitHub gave no token that could be sent")
	}
	if s, ok := o.number("refresh_in"); ok && s > 0 {
		m.refreshIn = min(max(clampWait(s), minMinted), maxMinted)
	}
	var err error
	if m.base, err = a.safeEndpoint(m.base); err != nil {
		return mintedToken{}, protocolError(opMint, http.StatusOK, header, "refused: %s", c.clean(err))
	}
	return m, nil
}
