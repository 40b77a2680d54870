package copilot

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"parley/copilot/login"
)

// The authentication schemes of the Copilot API. Bearer is right almost everywhere; some endpoints of business and
// enterprise plans require the older one for OAuth tokens.
const (
	schemeBearer = "Bearer"
	schemeToken  = "token"
)

// grant is the endpoint and the token of one attempt. Minted tokens and the GitHub token may have different endpoints,
// which a grant never mixes.
type grant struct {
	base    string
	scheme  string
	token   login.Secret
	session login.Secret // of a model session, for plans that need one

	user   *attempt[User]        // the discovery it is based on, if any
	minted *attempt[mintedToken] // the exchange it is based on, if any
}

// grant returns the current grant.
func (a *account) grant(ctx context.Context) (grant, error) {
	if base := a.client.fixedBase; base != "" {
		return a.directGrant(base, nil), nil
	}
	if a.usesMinted() {
		return a.mintedGrant(ctx)
	}
	u, from, err := a.user.get(ctx)
	if err != nil {
		return grant{}, a.client.waitError(opDiscover, err)
	}
	return a.directGrant(u.Endpoint, from), nil
}

// directGrant returns the grant to send the GitHub token itself.
func (a *account) directGrant(base string, from *attempt[User]) grant {
	a.mu.Lock()
	defer a.mu.Unlock()
	return grant{base: base, scheme: orElse(a.schemes[base], schemeBearer), token: a.cred.Token, user: from}
}

// renounce drops the basis of a refused grant, unless it has been replaced meanwhile.
func (a *account) renounce(g grant) {
	a.user.invalidate(g.user)
	a.minted.invalidate(g.minted)
}

// send runs one call. After 401, 403 or 421 it discovers the endpoint again and repeats the call once: the account may
// have moved, or the entitlement changed. If the token exchange can help with a remaining refusal of the GitHub token
// (see [account.exchangeHelps]), it sends the call with a minted token. Any further error is final.
func (a *account) send(ctx context.Context, op string, call func(grant) (*exchange, *Error)) (*exchange, error) {
	g, err := a.grant(ctx)
	if err != nil {
		return nil, err
	}
	x, fail := a.try(g, call)
	if fail == nil {
		return x, nil
	}
	if refused(fail) && (g.user != nil || g.minted != nil) {
		a.renounce(g)
		again, err := a.grant(ctx)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); ok && (e.Kind == KindCancelled || saysWhy(e)) {
				return nil, err
			}
			fail.Err = err // the service's answer stays in front, the failed discovery is its cause
			return nil, fail
		}
		g = again
		if x, fail = a.try(g, call); fail == nil {
			return x, nil
		}
		if refused(fail) {
			a.renounce(g)
			if g.minted != nil {
				a.giveUpMinting() // the next call tries the GitHub token itself again
			}
		}
	}
	if a.exchangeHelps(g, fail) {
		return a.sendMinted(ctx, fail, call)
	}
	return nil, a.explain(fail)
}

// try sends a call, and repeats it with the other scheme if the endpoint could not read the header. It remembers the
// scheme of each endpoint. Minted tokens have only one scheme.
func (a *account) try(g grant, call func(grant) (*exchange, *Error)) (*exchange, *Error) {
	x, fail := call(g)
	if fail == nil || g.minted != nil || !badlyFormatted(fail) {
		return x, fail
	}
	if g.scheme = schemeToken; a.scheme(g.base) == schemeToken {
		g.scheme = schemeBearer
	}
	x, again := call(g)
	if again != nil && badlyFormatted(again) {
		return nil, fail // the scheme is not the reason
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.schemes == nil {
		a.schemes = map[string]string{}
	}
	a.schemes[g.base] = g.scheme
	return x, again
}

// scheme returns the scheme of an endpoint, if known.
func (a *account) scheme(base string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return orElse(a.schemes[base], schemeBearer)
}

// badlyFormatted reports whether another scheme may help against a refusal.
func badlyFormatted(e *Error) bool {
	return e.Status == http.StatusBadRequest && strings.Contains(strings.ToLower(e.Message), textBadlyFormatted)
}

// textBadlyFormatted is the service's error for an unknown scheme, in lower case.
const textBadlyFormatted = "authorization header is badly formatted"

// refused reports whether an error may mean that the endpoint is not the account's. A rate limit does not.
func refused(e *Error) bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest:
		return e.Kind != KindRateLimit && e.Kind != KindQuota
	}
	return false
}
