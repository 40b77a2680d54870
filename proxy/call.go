package proxy

import (
	"context"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"parley/internal/crash"
)

// call is one request with a valid bearer. Only one goroutine uses it.
type call struct {
	s   *Server
	w   *answer
	r   *http.Request
	rc  *http.ResponseController
	ctx context.Context // ends with the client, the session's bearer or the server
	x   Exchange

	session *opened
	instead substitute // the model that answers for another
	turn    turn       // what the user asked; zero if the body shows a request of the agent
}

// answer counts the bytes written.
type answer struct {
	http.ResponseWriter
	status int
	n      int64
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(p)
	a.n += int64(n)
	return n, err
}

func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// errGone is the failure of a call whose client has left: nothing more is written.
var errGone = &failure{status: statusGone, kind: "cancelled"}

// handle checks requests in the order that keeps strangers out: the host it was meant for, then the public route, then
// the bearer, and only then the request itself.
func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
		// The request may also have had a Content-Length, which net/http drops silently. Two programs could disagree
		// about where it ends, so nothing may follow it on the connection.
		w.Header().Set("Connection", "close")
	}
	if s.guard.foreign(r) {
		s.turnAway(w, r, "origin", refuse(http.StatusForbidden, typePermission, "this server answers programs of this machine only"))
		return
	}
	if r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Length", "2")
		_, _ = w.Write([]byte("ok")) // net/http omits it for HEAD
		return
	}
	session, ok := s.sessions.check(r.Header)
	if !ok {
		s.turnAway(w, r, "bearer", refuse(http.StatusUnauthorized, typeAuth,
			"invalid bearer: send the one that parley printed, as Authorization: Bearer or as x-api-key"))
		return
	}
	s.serve(w, r, session)
}

// turnAway refuses a request of an unknown session.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, why string, f *failure) {
	f.write(w)
	s.metrics.refuse(why)
	s.access.refused(r, f.status, why)
}

// serve runs a call and reports its outcome. If the call's context ends early, it destroys the socket: a client that is
// still connected must not take a partial answer for a complete one.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, session *opened) {
	c := &call{s: s, w: &answer{ResponseWriter: w}, r: r, rc: http.NewResponseController(w), session: session}
	c.x = Exchange{Session: session.id, Method: r.Method, Path: r.URL.Path, Began: s.clock.now()}
	s.sessions.enter(session.id)
	defer s.sessions.leave(session.id)

	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	c.ctx = ctx
	unlink := context.AfterFunc(session.ctx, crash.Guarded(func() { cancel(context.Cause(session.ctx)) }))
	defer unlink()
	unarm := context.AfterFunc(ctx, crash.Guarded(c.unblock))

	f := c.run()
	if ctx.Err() != nil && (f != nil || c.w.status == 0) {
		f = errGone
	}
	if f != nil && f != errGone && c.w.status == 0 {
		f.write(c.w)
	}
	c.finish(f)
	if !unarm() || f == errGone {
		panic(http.ErrAbortHandler)
	}
}

// unblock ends a running read or write on the socket.
func (c *call) unblock() {
	past := time.Unix(1, 0)
	_ = c.rc.SetReadDeadline(past)
	_ = c.rc.SetWriteDeadline(past)
}

// run handles the request. A panic becomes an error response if none was written, so that a bad message does not look
// like a network problem.
func (c *call) run() (f *failure) {
	defer func() {
		if p := recover(); p != nil {
			c.s.log.Error("proxy request panicked", "session", c.x.Session, "panic", p, "stack", string(debug.Stack()))
			f = refuse(http.StatusInternalServerError, typeAPI, "internal error of the proxy")
			if c.w.status != 0 {
				f = errGone
			}
		}
	}()
	return c.route()
}

// route calls the handler of the path.
func (c *call) route() *failure {
	path := c.r.URL.Path
	switch path {
	case "/v1/messages":
		return c.allow(http.MethodPost, c.messages)
	case "/v1/messages/count_tokens":
		return c.allow(http.MethodPost, func() *failure {
			return refuse(http.StatusNotImplemented, typeAPI, "the Copilot API cannot count tokens")
		})
	case "/v1/models":
		return c.allow(http.MethodGet, c.listModels)
	case "/metrics":
		return c.allow(http.MethodGet, c.showMetrics)
	}
	if id, ok := strings.CutPrefix(path, "/v1/models/"); ok && id != "" && !strings.Contains(id, "/") {
		return c.allow(http.MethodGet, func() *failure { return c.getModel(id) })
	}
	return refuse(http.StatusNotFound, typeNotFound, "no route for "+c.r.Method+" "+path)
}

func (c *call) allow(method string, do func() *failure) *failure {
	if c.r.Method == method {
		return do()
	}
	c.w.Header().Set("Allow", method)
	return refuse(http.StatusMethodNotAllowed, typeInvalid, c.r.Method+" is not allowed here, only "+method)
}

// failed returns the failure for an error of the service; errGone if the client has left.
func (c *call) failed(err error) *failure {
	if c.ctx.Err() != nil {
		return errGone
	}
	f := fromUpstream(err)
	if c.session.marker {
		f.envelope = mark(f.envelope, detailOf(err))
	}
	c.noteHeader(f.header)
	c.s.log.Debug("proxy upstream failed", "session", c.x.Session, "status", f.status, "kind", f.kind)
	return f
}

// noteHeader records the service's response header, and passes its quota to the observer.
func (c *call) noteHeader(h http.Header) {
	c.x.accountHeader(h)
	if c.s.quota != nil && c.x.Quota != nil {
		c.s.quota(c.x.Quota)
	}
}

// finish reports the finished call to the observer and the log.
func (c *call) finish(f *failure) {
	c.x.Duration = c.s.clock.now().Sub(c.x.Began)
	c.x.Status, c.x.BytesOut = c.w.status, c.w.n
	if c.x.Status == 0 {
		c.x.Status = statusGone
	}
	if f != nil {
		c.x.Err = f.kind
	}
	c.s.sessions.spend(&c.x)
	c.s.metrics.finish(&c.x)
	c.s.access.finished(&c.x)
	if c.s.observe != nil {
		c.s.observe(c.x)
	}
	c.s.log.Debug("proxy request", "session", c.x.Session, "method", c.x.Method, "path", c.x.Path, "model", c.x.Upstream,
		"status", c.x.Status, "error", c.x.Err, "duration", c.x.Duration, "in", c.x.BytesIn, "out", c.x.BytesOut)
}
