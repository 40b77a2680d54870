package copilot

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/copilot/login"
)

// account is everything a client knows through one credential: where its host is, what the service reported, and the
// minted tokens. It is replaced as a whole with the credential. It is safe for concurrent use.
type account struct {
	client *Client
	cred   login.Credential
	host   githubHost

	stop   context.CancelCauseFunc
	user   *shared[User]
	models *shared[[]Model]
	minted *shared[mintedToken]
	auto   *shared[autoSession]
	reads  cooldown

	mu      sync.Mutex
	schemes map[string]string // by endpoint, unless Bearer
	minting bool              // direct use was refused and a minted token was accepted
	noMint  time.Time         // until then the exchange is not tried
}

// newAccount returns the account of a credential. The error for a missing token is [ErrNoToken], for an unusable one a
// [*TokenError].
func (c *Client) newAccount(cred login.Credential) (*account, error) {
	if cred.Token.IsZero() {
		return nil, login.ErrNoToken
	}
	if err := login.Check(cred.Source, cred.Token.Reveal()); err != nil {
		return nil, err
	}
	host, err := describeHost(cred.Host)
	if err != nil {
		return nil, err
	}
	if c.githubReplace != "" {
		host.rest = c.githubReplace
	}
	c.secrets.Add(cred.Token)
	life, stop := context.WithCancelCause(context.Background())
	a := &account{client: c, cred: cred, host: host, stop: stop}
	a.user = &shared[User]{life: life, now: c.now, fetch: a.fetchUser}
	a.models = &shared[[]Model]{life: life, now: c.now, fetch: a.fetchModels}
	a.minted = &shared[mintedToken]{life: life, now: c.now, fetch: a.mint, keep: mintedToken.keep}
	a.auto = &shared[autoSession]{life: life, now: c.now, fetch: a.openSession, keep: autoSession.keep}
	return a, nil
}

// close ends the shared work of an account, whose waiters fail with the cause, and returns when none runs.
func (a *account) close(cause error) {
	a.stop(cause)
	a.user.shut()
	a.models.shut()
	a.minted.shut()
	a.auto.shut()
}

// forget drops everything the service reported.
func (a *account) forget() {
	a.user.forget()
	a.models.forget()
	a.minted.forget()
	a.auto.forget()
	a.reads.reset()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.schemes, a.minting, a.noMint = nil, false, time.Time{}
}

// errReplaced is the cause of shared work that ends because another account replaced its own.
var errReplaced = errors.New("another account was signed in")

// current returns the account for new calls.
func (c *Client) current() *account { return c.account.Load() }

// SignIn replaces the credential once GitHub has described the new account, with everything known of the old one;
// waiting calls get the new values, running answers continue. It keeps the old one on failure, and changes nothing for
// the same one. Of concurrent calls the last to begin wins; the others fail with [KindCancelled].
func (c *Client) SignIn(ctx context.Context, cred login.Credential) error {
	mine := c.signIns.Add(1)
	a, err := c.newAccount(cred)
	if err != nil {
		return err
	}
	if old := c.current(); a.host.name == old.host.name && cred.Token.Equal(old.cred.Token) {
		a.close(errReplaced)
		return nil
	}
	if c.discovers() {
		if _, _, err := a.user.get(ctx); err != nil {
			a.close(errReplaced)
			return c.waitError(opDiscover, err)
		}
	}
	if old := c.replace(a, mine); old != nil {
		old.close(errReplaced)
		return nil
	}
	a.close(errReplaced)
	return &Error{Op: opDiscover, Kind: KindCancelled, Err: errReplaced}
}

// replace replaces the current account and returns the old one; nil if a later sign-in or the end of the client came
// first.
func (c *Client) replace(a *account, mine int64) *account {
	c.swap.Lock()
	defer c.swap.Unlock()
	if c.signIns.Load() != mine || c.closed {
		return nil
	}
	return c.account.Swap(a)
}
