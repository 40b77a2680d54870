package copilot

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"parley/copilot/login"
)

// The authentication schemes of the Copilot API. Bearer is right nearly everywhere; some endpoints of business and
// enterprise plans were seen to want the older one for OAuth tokens.
const (
	schemeBearer = "Bearer"
	schemeToken  = "token"
)

// grant is what one attempt is made with: where to, and as whom. A minted token and the GitHub token each have an
// endpoint of their own, which may differ, and a grant never mixes them.
type grant struct {
	base    string
	scheme  string
	token   login.Secret
	session login.Secret // of a model session, for plans that need one

	user   *attempt[User]        // the discovery it rests on, if any
	minted *attempt[mintedToken] // the exchange it rests on, if any
}

// grant returns what to send with now.
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

// directGrant sends the GitHub token itself.
func (a *account) directGrant(base string, from *attempt[User]) grant {
	a.mu.Lock()
	defer a.mu.Unlock()
	return grant{base: base, scheme: orElse(a.schemes[base], schemeBearer), token: a.cred.Token, user: from}
}

// renounce drops what a refused grant rests on, unless it has been replaced meanwhile.
func (a *account) renounce(g grant) {
	a.user.invalidate(g.user)
	a.minted.invalidate(g.minted)
}

// send runs one call against the endpoint. After 401, 403 or 421 the endpoint is asked for anew and the call sent once
// more: the account may have moved, or the entitlement changed. If the GitHub token is refused even then in the way
// that the older token exchange can mend (see [account.exchangeHelps]), the call is sent with a minted token. Whatever
// comes then is the answer.
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
			fail.Err = err // the service's own answer stays in front, the failed rediscovery is its cause
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

// try sends a call, and once more with the other scheme if the endpoint could not read the header. Which scheme an
// endpoint reads is remembered. Minted tokens know one scheme only.
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
		return nil, fail // it is not the scheme
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.schemes == nil {
		a.schemes = map[string]string{}
	}
	a.schemes[g.base] = g.scheme
	return x, again
}

// scheme is what an endpoint accepts, if known.
func (a *account) scheme(base string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return orElse(a.schemes[base], schemeBearer)
}

// badlyFormatted recognises the one refusal that another scheme may mend.
func badlyFormatted(e *Error) bool {
	return e.Status == http.StatusBadRequest && strings.Contains(strings.ToLower(e.Message), textBadlyFormatted)
}

// textBadlyFormatted is what the service says of a scheme it does not read, in lower case.
const textBadlyFormatted = "authorization header is badly formatted"

// refused reports whether an answer may mean that the endpoint is not the account's. A limit does not.
func refused(e *Error) bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest:
		return e.Kind != KindRateLimit && e.Kind != KindQuota
	}
	return false
}
