package sim

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"parley/copilot/sim/script"
)

// maxBody is the largest request the service reads.
const maxBody = 32 << 20

// exchange is one request being answered.
type exchange struct {
	s        *Server
	w        http.ResponseWriter
	r        *http.Request
	data     []byte    // the request's body
	body     *Body     // decoded, nil if it could not be
	protocol *protocol // of an inference API, else nil
	record   *Request  // belongs to the log: changed through note only
	faults   []script.Fault
	drip     time.Duration
}

// ServeHTTP answers one request of either service or of the control endpoints.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/_sim/") {
		s.serveControl(w, r)
		return
	}
	r = s.account.enter(r)
	data, readErr := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	x := &exchange{s: s, w: w, r: r, data: data, record: &Request{Time: s.clock.Now(), Method: r.Method, Path: r.URL.Path,
		Query: r.URL.RawQuery, Header: r.Header.Clone(), Size: len(data), Body: data}}
	var decodeErr error
	if p := protocolOf(r.URL.Path); p != nil && r.Method == http.MethodPost && readErr == nil {
		var b *Body
		x.protocol = p
		if b, decodeErr = p.decode(data); decodeErr == nil {
			x.body, x.record.Messages, x.record.Model = b, b, b.Model
		}
	}
	s.log.add(x.record)

	err := x.answer(readErr, decodeErr)
	ended := x.howEnded(err)
	s.log.finish(x.record, ended, s.clock.Now())
	if ended != EndedComplete {
		panic(http.ErrAbortHandler) // closes the connection without ending the answer
	}
}

// howEnded sorts the error of an answer.
func (x *exchange) howEnded(err error) Ended {
	switch {
	case errors.Is(err, errCut):
		return EndedCut
	case err == nil, errors.Is(err, errEnd):
		return EndedComplete
	case x.s.closed():
		return EndedServerClosed
	}
	return EndedClientClosed
}

// answer routes the request. Faults come before everything else, as a broken network would.
func (x *exchange) answer(readErr, decodeErr error) error {
	model, prompt := "", ""
	if b := x.body; b != nil {
		model, prompt = b.Model, b.situation().Prompt
	}
	x.faults = x.s.faults.take(x.r.URL.Path, model, prompt)
	x.note(func(r *Request) {
		for _, f := range x.faults {
			r.Faults = append(r.Faults, string(f.Kind))
		}
	})
	if done, err := x.faultsBefore(); done || err != nil {
		return err
	}
	if tooLong := (*http.MaxBytesError)(nil); errors.As(readErr, &tooLong) {
		return x.refuse(&problem{check: "size", status: 413, shape: script.ShapeText, message: "Request Entity Too Large"})
	} else if readErr != nil {
		return readErr // the client left while sending
	}
	rt, p := x.s.route(x.r)
	if p == nil {
		p = rt.guard(x.s, x.r)
	}
	if p == nil {
		p = x.s.checkPlan(x.r, x.data)
	}
	if p != nil {
		return x.refuse(p)
	}
	if rt.messages {
		return x.serveMessages(decodeErr)
	}
	return x.whole(rt.serve(x.s, x.r, x.data))
}

// faultsBefore performs the faults that come before the response header. What remains is for the answer.
func (x *exchange) faultsBefore() (done bool, err error) {
	var rest []script.Fault
	for _, f := range x.faults {
		switch {
		case f.Kind == script.FaultStatus:
			return true, x.send(problemOf(&f).answer())
		case f.After != 0:
			rest = append(rest, f)
		case f.Kind == script.FaultCut, f.Kind == script.FaultEnd:
			return true, errCut
		case f.Kind == script.FaultStall:
			if err := x.stall(f.For); err != nil {
				return true, err
			}
		case f.Kind == script.FaultDrip:
			x.drip = max(f.For, bytePause)
		default:
			rest = append(rest, f)
		}
	}
	x.faults = rest
	return false, nil
}

// stall is silent for a while, or until the client leaves.
func (x *exchange) stall(d time.Duration) error {
	if d > 0 {
		return x.s.clock.Sleep(x.r.Context(), d)
	}
	<-x.r.Context().Done()
	return x.r.Context().Err()
}

func (x *exchange) refuse(p *problem) error {
	x.note(func(r *Request) { r.Refused = p.check })
	return x.send(p.answer())
}

// whole sends an answer of a route that never streams, damaged by the faults that remain.
func (x *exchange) whole(a answer) error {
	broken := (*script.Fault)(nil)
	for i, f := range x.faults {
		a.body = flawed(a.body, f.Kind)
		switch f.Kind {
		case script.FaultContentType:
			a.contentType = claimedType(&f)
		case script.FaultCut, script.FaultEnd, script.FaultStall:
			broken = &x.faults[i]
		}
	}
	if broken == nil {
		return x.send(a)
	}
	rest := a.body[len(a.body)/2:]
	a.body = a.body[:len(a.body)/2]
	if err := x.send(a); err != nil {
		return err
	}
	if broken.Kind != script.FaultStall {
		return errCut
	}
	if err := x.stall(broken.For); err != nil {
		return err
	}
	return x.wire().write(rest)
}

// send writes a whole answer.
func (x *exchange) send(a answer) error {
	x.head(a.status, a.contentType, a.header)
	if x.r.Method == http.MethodHead {
		return nil
	}
	return x.wire().write(a.body)
}

// head writes the response header.
func (x *exchange) head(status int, contentType string, extra map[string]string) {
	h := x.w.Header()
	h.Set("X-Request-Id", x.requestID())
	h.Set("X-Github-Request-Id", strings.ToUpper(randomID(4)+":"+randomID(6)+":"+randomID(8)))
	if contentType == "" {
		h["Content-Type"] = nil // or net/http would guess one
	} else {
		h.Set("Content-Type", contentType)
	}
	for k, v := range extra {
		h.Set(k, v)
	}
	x.w.WriteHeader(status)
	x.note(func(r *Request) { r.Status = status })
}

// requestID is the client's own id, which the service repeats, or a new one.
func (x *exchange) requestID() string {
	if id := x.r.Header.Get("X-Request-Id"); id != "" {
		return id
	}
	return newUUID()
}

func (x *exchange) wire() *wire {
	return &wire{ctx: x.r.Context(), clock: x.s.clock, w: x.w, rc: http.NewResponseController(x.w), every: x.drip,
		sent: func(n int) { x.note(func(r *Request) { r.Sent += int64(n) }) }}
}

func (x *exchange) note(change func(*Request)) { x.s.log.update(x.record, change) }

// closed reports whether Close has begun.
func (s *Server) closed() bool { return s.base.Err() != nil }
