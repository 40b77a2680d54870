package signin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"parley/internal/crash"
)

// maxSaid bounds what a service says of a refusal, in bytes.
const maxSaid = 200

// loopback waits on this machine for the browser to come back.
type loopback struct {
	address string
	server  *http.Server
	served  chan struct{}
	got     chan result
	state   atomic.Value // of the sign-in that is waited for
}

type result struct {
	auth.AuthorizationResult
	err error
}

// listen begins to wait. The caller closes it.
func listen() (*loopback, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &loopback{address: "http://" + l.Addr().String() + "/callback", served: make(chan struct{}), got: make(chan result, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /callback", b.take)
	b.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 32 << 10}
	crash.Go(func() {
		defer close(b.served)
		_ = b.server.Serve(l) // until it is closed
	})
	return b, nil
}

// take takes the answer of this sign-in, the first that has its state.
func (b *loopback) take(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if state, _ := b.state.Load().(string); state == "" || q.Get("state") != state {
		http.Error(w, "This answer belongs to no sign-in that parley waits for.", http.StatusBadRequest)
		return
	}
	one := result{AuthorizationResult: auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}}
	words := "Signed in. You can close this page and go back to parley."
	if one.Code == "" {
		said := q.Get("error")
		if about := q.Get("error_description"); about != "" {
			said += ": " + about
		}
		one.err = fmt.Errorf("the service refused: %s", said[:min(len(said), maxSaid)])
		words = "The sign-in was refused. parley says more; you can close this page."
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = fmt.Fprintln(w, words)
	select {
	case b.got <- one:
	default:
	}
}

// wait returns the answer of the browser to the page of a sign-in.
func (b *loopback) wait(ctx context.Context) (*auth.AuthorizationResult, error) {
	select {
	case one := <-b.got:
		return &one.AuthorizationResult, one.err
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, errors.New("nobody signed in in time")
		}
		return nil, ctx.Err()
	}
}

// close stops waiting, and returns when nothing of it is left.
func (b *loopback) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if b.server.Shutdown(ctx) != nil { // the answer may still be on its way to the browser
		_ = b.server.Close()
	}
	<-b.served
}
