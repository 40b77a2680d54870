package sim

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Ended is the way in which a request ended.
type Ended string

// The ways a request ends. Empty while it is being answered.
const (
	EndedComplete     Ended = "complete"      // the whole answer was handed to the socket
	EndedClientClosed Ended = "client closed" // the client went away first
	EndedCut          Ended = "cut"           // a fault cut the connection
	EndedServerClosed Ended = "server closed" // Close came first
)

// Request is one received request and how it ended.
type Request struct {
	Number int // counts from 1 in order of arrival
	Time   time.Time
	Method string
	Path   string
	Query  string // without the question mark
	// Header is as received, the token included.
	Header http.Header
	Size   int // of the body in bytes
	// Body is the received body, Messages its decoded form for a POST to /v1/messages. Both are nil in requests that
	// are too old to be stored, see [Options.KeepBytes].
	Body     []byte
	Messages *Body

	Model   string   // that was asked for, if the body could be decoded
	Rule    string   // name of the script rule that answered, if one did
	Refused string   // name of the check that refused the request, if one did
	Faults  []string // kinds of the injected faults that applied
	Status  int      // sent, 0 if none was
	Sent    int64    // bytes of the answer's body handed to the socket
	Deltas  int      // content deltas sent
	Ended   Ended
	Took    time.Duration // 0 until it ended
}

// requestLog stores the received requests and wakes their waiters.
type requestLog struct {
	mu      sync.Mutex
	all     []*Request
	changed chan struct{} // closed and replaced at every change
	keep    int           // bytes of bodies to keep
	kept    int           // bytes of bodies that are kept
	oldest  int           // index of the first request that may still have its body

	out   io.Writer
	outMu sync.Mutex
}

// keepBytes is the default bound of the stored bodies, in bytes.
const keepBytes = 4 << 20

func newRequestLog(out io.Writer, keep int) *requestLog {
	if keep <= 0 {
		keep = keepBytes
	}
	return &requestLog{changed: make(chan struct{}), out: out, keep: keep}
}

// add stores and numbers r. From now on its fields change only through update.
func (l *requestLog) add(r *Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r)
	r.Number = len(l.all)
	l.kept += r.Size
	for ; l.kept > l.keep && l.oldest < len(l.all)-1; l.oldest++ {
		l.kept -= l.all[l.oldest].Size
		l.all[l.oldest].Body, l.all[l.oldest].Messages = nil, nil
	}
	l.wake()
}

func (l *requestLog) update(r *Request, change func(*Request)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(r)
	l.wake()
}

func (l *requestLog) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// snapshot returns copies and a channel that is closed at the next change.
func (l *requestLog) snapshot() ([]Request, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Request, len(l.all))
	for i, r := range l.all {
		out[i] = *r
		out[i].Header = r.Header.Clone()
		out[i].Faults = slices.Clone(r.Faults)
	}
	return out, l.changed
}

// finish records the end of r and writes its line.
func (l *requestLog) finish(r *Request, ended Ended, now time.Time) {
	line := ""
	l.update(r, func(r *Request) {
		r.Ended = ended
		r.Took = now.Sub(r.Time)
		line = describe(r)
	})
	if l.out == nil {
		return
	}
	l.outMu.Lock()
	defer l.outMu.Unlock()
	_, _ = io.WriteString(l.out, line) // a log that cannot be written must not disturb the answer
}

// describe is the log line of an ended request. It holds no header, so no token.
func describe(r *Request) string {
	line := fmt.Sprintf("%s %s %s %d in=%d out=%d %s %s", r.Time.Format("15:04:05.000"), r.Method, r.Path, r.Status,
		r.Size, r.Sent, r.Took.Round(time.Millisecond), r.Ended)
	if r.Model != "" {
		line += fmt.Sprintf(" model=%q", r.Model)
	}
	if r.Rule != "" {
		line += fmt.Sprintf(" rule=%q", r.Rule)
	}
	if r.Refused != "" {
		line += " refused=" + r.Refused
	}
	for _, f := range r.Faults {
		line += " fault=" + f
	}
	return line + "\n"
}

// Requests returns everything received so far, in order of arrival. The copies do not change; their Body and Messages
// are shared and must not be written to.
func (s *Server) Requests() []Request {
	all, _ := s.log.snapshot()
	return all
}

// Wait blocks until ok accepts what was received so far, or ctx ends. It is called again after every change, also when
// a request ends, so that tests need no sleeps.
func (s *Server) Wait(ctx context.Context, ok func([]Request) bool) error {
	for {
		all, changed := s.log.snapshot()
		if ok(all) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("simulated Copilot: wait for requests (%d so far): %w", len(all), ctx.Err())
		}
	}
}
