package proxy

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// errRevoked is the cause of requests that end with their bearer.
var errRevoked = errors.New("the session's bearer was revoked")

// secretLen is the length of a secret as text: 256 bits in hex.
const secretLen = 64

// opened is a session with a valid bearer.
type opened struct {
	id     string
	digest [sha256.Size]byte // of the secret, so that secrets of any length take the same time to compare
	ctx    context.Context   // ends with the bearer
	cancel context.CancelCauseFunc
	marker bool // errors of the service carry a marker
	// initiates reports whether the header X-Initiator holds.
	initiates   bool
	within      time.Duration // the window of its streams; 0: the server's
	turns       turns
	substitutes substitutes
}

// OpenOption is an option of a session.
type OpenOption func(*opened)

// WithMarker appends a marker of package errmark to the message of every error of the service. It is for clients that
// pass on only the message, and whose output is read by a program that removes markers.
func WithMarker() OpenOption { return func(s *opened) { s.marker = true } }

// WithWindow sets how long the deltas of the session's streams wait to be joined, in place of [Options.Coalesce]. It is
// for clients to which an event costs much more than to this server. It has no effect if the server joins nothing.
func WithWindow(d time.Duration) OpenOption { return func(s *opened) { s.within = d } }

// WithInitiator takes the header X-Initiator of the session's requests as it is. It is for an agent of this program: a client of
// others could have its own prompts counted as the agent's.
func WithInitiator() OpenOption { return func(s *opened) { s.initiates = true } }

// Spending is the reported cost of a session's requests. A cancelled request counts with what was reported before.
type Spending struct {
	// Requests counts the message requests that reached the service, Priced those with a reported price.
	Requests, Priced int64
	// NanoAIU is the sum of the prices in billionths of an AI credit.
	NanoAIU int64
	// Usage is the sum of the tokens.
	Usage Usage
}

// flights counts the running requests of a session id, also after its bearer was revoked.
type flights struct {
	n    int
	zero chan struct{} // closed when n falls to 0
}

// sessions is the table of bearers.
type sessions struct {
	mu      sync.Mutex
	closed  bool
	open    map[string]*opened
	flying  map[string]*flights
	spent   map[string]*Spending
	nothing [sha256.Size]byte // the digest of no secret, compared for unknown sessions
}

func newSessions() *sessions {
	return &sessions{
		open: map[string]*opened{}, flying: map[string]*flights{}, spent: map[string]*Spending{},
		nothing: sha256.Sum256([]byte(newSecret())),
	}
}

func newSecret() string {
	var b [secretLen / 2]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// add creates a bearer for id with a new secret, and revokes its previous one.
func (t *sessions) add(id string, options ...OpenOption) (string, error) {
	secret := newSecret()
	if err := t.addSecret(id, secret, options...); err != nil {
		return "", fmt.Errorf("open proxy session: %w", err)
	}
	return secret + "." + id, nil
}

// addSecret makes "secret.id" a valid bearer.
func (t *sessions) addSecret(id, secret string, options ...OpenOption) error {
	if id == "" {
		return errors.New("empty id")
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return fmt.Errorf("the id has the character %q, which no header can carry", id[i])
		}
	}
	s := &opened{id: id, digest: sha256.Sum256([]byte(secret))}
	for _, o := range options {
		o(s)
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		s.cancel(errClosed)
		return errClosed
	}
	old := t.open[id]
	t.open[id] = s
	t.mu.Unlock()
	if old != nil {
		old.cancel(errRevoked)
	}
	return nil
}

// remove revokes the bearer of id, if there is one.
func (t *sessions) remove(id string) {
	t.mu.Lock()
	s := t.open[id]
	delete(t.open, id)
	t.mu.Unlock()
	if s != nil {
		s.cancel(errRevoked)
	}
}

// close revokes all bearers and accepts no more.
func (t *sessions) close() {
	t.mu.Lock()
	all := t.open
	t.open, t.closed = map[string]*opened{}, true
	t.mu.Unlock()
	for _, s := range all {
		s.cancel(errClosed)
	}
}

// token returns what a request was given: its bearer or, without any Authorization, its API key, which many clients know alone.
func token(h http.Header) (string, bool) {
	values, key := h["Authorization"], h["X-Api-Key"]
	switch {
	case len(values) == 1:
		return strings.CutPrefix(values[0], "Bearer ")
	case len(values) == 0 && len(key) == 1:
		return key[0], true
	}
	return "", false
}

// check returns the session of a request. Its time does not depend on how much of a secret is right.
func (t *sessions) check(h http.Header) (*opened, bool) {
	given, ok := token(h)
	if !ok {
		return nil, false
	}
	secret, id, ok := strings.Cut(given, ".")
	if !ok || id == "" {
		return nil, false
	}
	t.mu.Lock()
	s := t.open[id]
	t.mu.Unlock()
	want := t.nothing
	if s != nil {
		want = s.digest
	}
	got := sha256.Sum256([]byte(secret))
	same := subtle.ConstantTimeCompare(got[:], want[:]) == 1
	return s, same && s != nil
}

// enter counts a starting request of id; leave counts its end.
func (t *sessions) enter(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.flying[id]
	if f == nil {
		f = &flights{zero: make(chan struct{})}
		t.flying[id] = f
	}
	f.n++
}

func (t *sessions) leave(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.flying[id]
	if f.n--; f.n == 0 {
		close(f.zero)
		delete(t.flying, id)
	}
}

// settled waits until no request of id runs.
func (t *sessions) settled(ctx context.Context, id string) error {
	for {
		t.mu.Lock()
		f := t.flying[id]
		t.mu.Unlock()
		if f == nil {
			return nil
		}
		select {
		case <-f.zero:
		case <-ctx.Done():
			return fmt.Errorf("wait for the requests of session %s: %w", id, context.Cause(ctx))
		}
	}
}

// idle waits until no request of any session runs.
func (t *sessions) idle() {
	for {
		t.mu.Lock()
		var zero chan struct{}
		for _, f := range t.flying {
			zero = f.zero
			break
		}
		t.mu.Unlock()
		if zero == nil {
			return
		}
		<-zero
	}
}

// spend adds a finished request to the cost of its session.
func (t *sessions) spend(x *Exchange) {
	if x.Upstream == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.spent[x.Session]
	if s == nil {
		s = &Spending{}
		t.spent[x.Session] = s
	}
	s.Requests++
	if x.Priced {
		s.Priced++
		s.NanoAIU += x.NanoAIU
	}
	s.Usage.add(x.Usage)
}

// spending returns the cost of a session so far.
func (t *sessions) spending(id string) Spending {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.spent[id]; s != nil {
		return *s
	}
	return Spending{}
}

// count returns the number of valid bearers and of running requests.
func (t *sessions) count() (open, flying int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.flying {
		flying += f.n
	}
	return len(t.open), flying
}
