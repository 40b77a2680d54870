package proxy

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"parley/copilot"
	"parley/proxy/search"
)

// messages handles POST /v1/messages.
func (c *call) messages() *failure {
	body, f := c.readBody()
	if f != nil {
		return f
	}
	m, err := readMessageBody(body)
	if errors.Is(err, errThread) {
		return refuseThread()
	}
	if err != nil {
		return refuse(http.StatusBadRequest, typeInvalid, err.Error())
	}
	c.x.Stream = m.stream
	if c.s.admit != nil {
		if err := c.s.admit(c.x.Session); err != nil {
			return refuse(http.StatusForbidden, typePermission, err.Error())
		}
	}
	if q := search.Parse(body); q != nil {
		return c.searchMessage(m, q)
	}
	if len(c.s.fallback) > 0 {
		return c.askInTurn(m, body)
	}
	return c.ask(m, body)
}

// ask sends a request to the model that its body names, and passes the answer on.
func (c *call) ask(m messageBody, body []byte) *failure {
	id, other, f := c.endpointModel(m.model)
	if f != nil {
		return f
	}
	c.x.Model, c.x.Upstream = cmp.Or(c.instead.wanted, m.model), id
	if c.x.Initiator == "" {
		c.x.Initiator = c.chooseInitiator(m, body)
	}
	back, req := c.s.back, copilot.Request{}
	if other != nil {
		back, req, f = c.translate(*other, body, m.stream)
	} else {
		req, f = c.prepare(m, body, id)
		req.Done = func() { keepBody(body) }
	}
	m.req.Release()
	if f != nil {
		return f
	}
	req.Header.Set("X-Initiator", c.x.Initiator)
	req.Header.Set("X-Interaction-Id", interactionID(c.session.id, c.r.Header))
	return c.answerFrom(back, req)
}

// answerFrom sends the answer of a backend as the client wants it.
func (c *call) answerFrom(back backend, req copilot.Request) *failure {
	if c.x.Stream {
		return c.streamMessage(back, req)
	}
	return c.wholeMessage(back, req)
}

// searchMessage answers a question whose only tool is the hosted web search.
func (c *call) searchMessage(m messageBody, q *search.Request) *failure {
	c.x.Model = m.model
	m.req.Release()
	back, req, f := c.search(q, m.model)
	if f != nil {
		return f
	}
	req.Header.Set("X-Initiator", c.x.Initiator)
	req.Header.Set("X-Interaction-Id", interactionID(c.session.id, c.r.Header))
	return c.answerFrom(back, req)
}

// readBody reads the whole body. The service needs all of it anyway, and a client that has left is noticed only when
// nothing is left to read.
func (c *call) readBody() ([]byte, *failure) {
	tooLarge := refuse(http.StatusRequestEntityTooLarge, typeTooLarge,
		"the request body is larger than "+strconv.FormatInt(c.s.maxBody, 10)+" bytes")
	if c.r.ContentLength > c.s.maxBody {
		return nil, tooLarge
	}
	_ = c.rc.SetReadDeadline(time.Now().Add(c.s.clock.body))
	if c.ctx.Err() != nil { // the read deadline set at its end may have been replaced just before
		return nil, errGone
	}
	buf := bytes.NewBuffer(spareBody())
	if c.r.ContentLength > 0 {
		buf.Grow(int(c.r.ContentLength) + bytes.MinRead) // ReadFrom wants room to find the end
	}
	n, err := buf.ReadFrom(http.MaxBytesReader(c.w, c.r.Body, c.s.maxBody))
	c.x.BytesIn = n
	if c.ctx.Err() != nil { // net/http ends the context when a read fails, also at the deadline
		return nil, errGone
	}
	if err == nil {
		_ = c.rc.SetReadDeadline(time.Time{})
		return buf.Bytes(), nil
	}
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, tooLarge
	}
	return nil, refuse(http.StatusBadRequest, typeInvalid, "the request body could not be read")
}

// endpointModel returns the service's spelling of an id. It recognizes Claude ids by their form, without the service.
// Any other id must be in the service's list, for this API or for one that requests can be translated to; in that case
// it also returns the model.
func (c *call) endpointModel(id string) (string, *copilot.Model, *failure) {
	parsed, ok := parseModelID(id)
	if ok && parsed.major != "" {
		return parsed.endpoint(), nil, nil
	}
	models, err := c.s.back.models(c.ctx)
	if err != nil && !ok {
		return "", nil, c.failed(err)
	}
	for _, m := range models {
		switch {
		case m.ID != id:
		case m.Serves(copilot.EndpointMessages):
			return id, nil, nil
		case c.s.openAI() != nil && foreignEndpoint(m) != "":
			return id, &m, nil
		}
	}
	if ok { // the service knows single words such as "auto"
		return parsed.endpoint(), nil, nil
	}
	return "", nil, refuse(http.StatusNotFound, typeNotFound, "model: "+id)
}

// wholeMessage handles a request with stream false.
func (c *call) wholeMessage(back backend, req copilot.Request) *failure {
	resp, err := back.message(c.ctx, req)
	if err != nil {
		return c.failed(err)
	}
	c.answerBegins()
	c.answered()
	c.noteHeader(resp.Header)
	c.x.accountBody(resp.Body)
	if c.ctx.Err() != nil {
		return errGone
	}
	passHeader(c.w.Header(), resp.Header)
	writeJSON(c.w, http.StatusOK, c.named(resp.Body, "model"))
	return nil
}

// streamMessage handles a request with stream true. It writes nothing before the service's first event, so that an
// early failure has its real status. Then it writes every event before it takes the next: a slow client slows the
// service down.
func (c *call) streamMessage(back backend, req copilot.Request) *failure {
	up, header, err := back.stream(c.ctx, req)
	if err != nil {
		return c.failed(err)
	}
	release := func() { _ = up.Close() }
	defer release()
	defer afterDone(c.ctx, release)()
	c.noteHeader(header)

	f, err := nextFrame(up)
	if errors.Is(err, io.EOF) {
		err = &copilot.Error{Op: "stream messages", Kind: copilot.KindProtocol, Err: errEmptyStream}
	}
	if err != nil {
		return c.failed(err)
	}
	c.answerBegins()
	c.x.FirstEvent = c.s.clock.now().Sub(c.x.Began)
	h := c.w.Header()
	passHeader(h, header)
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	c.w.WriteHeader(http.StatusOK)

	out := newEventWriter(c.ctx, c.w, c.rc.Flush)
	defer func() { c.x.Joined = out.saved }()
	defer out.keepGoing(c.s.clock.joining(c.session.within))()
	err = c.passOn(out, up, f)
	if errors.Is(err, io.EOF) {
		c.answered()
		if err = out.finish(); err == nil {
			return nil
		}
		err = errWrite
	}
	if err == errWrite {
		return errGone
	}
	fail := c.failed(err)
	if fail != errGone {
		c.brokeOff()
	}
	if fail != errGone && out.last("error", fail.envelope) != nil {
		return errGone
	}
	return fail
}

// passOn writes a frame and all that follow it, and returns why it ended: io.EOF, an error of the service, or errWrite.
// The caller writes the held rest with finish.
func (c *call) passOn(out *eventWriter, up frames, f copilot.Frame) (err error) {
	ready := func() bool { return false }
	if h, ok := up.(hurried); ok {
		ready = h.Ready
	}
	for ; err == nil; f, err = up.Next() {
		more := ready()
		if f.Event == "ping" { // the client gets our pings during silence
			if !more && out.writeHeld() != nil {
				return errWrite
			}
		} else {
			if f.Event == "message_start" {
				f.Data = c.named(f.Data, "message", "model")
			}
			c.x.accountEvent(f.Event, f.Data)
			if out.frame(f.Event, f.Data, more) != nil {
				return errWrite
			}
			c.x.Events++
		}
		if !more && out.pause() != nil {
			return errWrite
		}
	}
	return err
}

// errWrite is the failure of writing to the client.
var errWrite = errors.New("the client is gone")

var errEmptyStream = errors.New("the stream ended before its first event")

// nextFrame returns the next frame that is not a ping.
func nextFrame(up frames) (copilot.Frame, error) {
	for {
		f, err := up.Next()
		if err != nil || f.Event != "ping" {
			return f, err
		}
	}
}
