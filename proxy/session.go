package proxy

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// errRevoked is why the requests of a session end when its bearer does.
var errRevoked = errors.New("the session's bearer was revoked")

// secretLen is the length of a secret as text: 256 bits in hex.
const secretLen = 64

// opened is a session with a bearer that works.
type opened struct {
	id     string
	secret string
	ctx    context.Context // ends with the bearer
	cancel context.CancelCauseFunc
}

// flights counts the requests of one session id, also beyond its bearer.
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
	nothing string // a secret nobody has, to compare with where there is none
}

func newSessions() *sessions {
	return &sessions{open: map[string]*opened{}, flying: map[string]*flights{}, nothing: newSecret()}
}

func newSecret() string {
	var b [secretLen / 2]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// add makes a bearer for id. A bearer the id had before is revoked.
func (t *sessions) add(id string) (string, error) {
	if id == "" {
		return "", errors.New("open proxy session: empty id")
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return "", fmt.Errorf("open proxy session: the id has the character %q, which no header can carry", id[i])
		}
	}
	s := &opened{id: id, secret: newSecret()}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		s.cancel(errClosed)
		return "", fmt.Errorf("open proxy session: %w", errClosed)
	}
	old := t.open[id]
	t.open[id] = s
	t.mu.Unlock()
	if old != nil {
		old.cancel(errRevoked)
	}
	return s.secret + "." + id, nil
}

// remove revokes the bearer of id, if it has one.
func (t *sessions) remove(id string) {
	t.mu.Lock()
	s := t.open[id]
	delete(t.open, id)
	t.mu.Unlock()
	if s != nil {
		s.cancel(errRevoked)
	}
}

// close revokes all bearers, for good.
func (t *sessions) close() {
	t.mu.Lock()
	all := t.open
	t.open, t.closed = map[string]*opened{}, true
	t.mu.Unlock()
	for _, s := range all {
		s.cancel(errClosed)
	}
}

// check finds the session a request belongs to. The time it takes does not depend on how much of a secret is right.
func (t *sessions) check(h http.Header) (*opened, bool) {
	values := h["Authorization"]
	if len(values) != 1 {
		return nil, false
	}
	token, ok := strings.CutPrefix(values[0], "Bearer ")
	if !ok {
		return nil, false
	}
	secret, id, ok := strings.Cut(token, ".")
	if !ok || id == "" {
		return nil, false
	}
	t.mu.Lock()
	s := t.open[id]
	t.mu.Unlock()
	want := t.nothing
	if s != nil {
		want = s.secret
	}
	same := subtle.ConstantTimeCompare([]byte(secret), []byte(want)) == 1
	return s, same && s != nil
}

// enter counts a request of id in; leave counts it out.
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

// settled waits until no request of id is running.
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
