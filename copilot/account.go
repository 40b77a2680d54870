package copilot

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/copilot/login"
)

// account is everything a client knows because of one credential: where its host is, what the service said of it, and
// what was minted for it. Nothing of it outlives a change of the credential, because all of it goes with the account.
// Safe for concurrent use.
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
	schemes map[string]string // by endpoint, where it is not Bearer
	minting bool              // direct use was refused and a minted token was accepted
	noMint  time.Time         // the exchange is of no use before this
}

// newAccount makes the account of a credential. A missing token is [ErrNoToken], one that cannot work a [*TokenError].
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

// forget drops what the service said.
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

// errReplaced ends the shared work of an account that another took the place of.
var errReplaced = errors.New("another account was signed in")

// current is the account calls are made for.
func (c *Client) current() *account { return c.account.Load() }

// SignIn replaces the credential, once GitHub has described the new account: everything known of the old one (endpoint,
// models, minted tokens, model sessions) goes with it, and who waits for a part of it gets that of the new one.
// Answers that are already coming are not touched. If the credential cannot be used, the old one stays. The credential
// that is already in use changes nothing. Of several calls at once the last one to begin wins; the others fail with an
// error of [KindCancelled].
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

// replace puts an account in the place of the one in use, which it returns; nil if a later sign-in or the end of the
// client came first.
func (c *Client) replace(a *account, mine int64) *account {
	c.swap.Lock()
	defer c.swap.Unlock()
	if c.signIns.Load() != mine || c.closed {
		return nil
	}
	return c.account.Swap(a)
}
