package driver

import (
	"bytes"
	"encoding/json"
	"time"
)

// read takes every line from the process as soon as it comes. Answers to our own requests go straight to who waits for
// them, everything else into the queue.
func (p *Process) read() {
	err := readLines(p.child.Stdout(), longestLine, p.heardLine, func(size int) {
		p.log.Warn("a line of the runtime is too long and is left out", "bytes", size)
	})
	if err != nil && p.Alive() {
		p.log.Warn("reading from the runtime", "error", err)
	}
}

func (p *Process) heardLine(line []byte) {
	p.heard.Store(int64(time.Since(p.epoch)))
	switch kind := typeOf(line); kind {
	case typeRequest, typeResponse, typeCancel:
		p.heardControl(line)
	case typeAlive:
	case "":
		p.log.Debug("not a message of the runtime", "line", mask(cut(line), p.o.Bearer))
		p.stderr.add(append(bytes.Clone(line[:min(len(line), 1<<10)]), '\n')) // it may say why the runtime ends
	default:
		p.mark(kind, line)
		p.queue.put(line, nil, "")
	}
}

// cut makes a line short enough for a log.
func cut(line []byte) string { return string(line[:min(len(line), 200)]) }

func (p *Process) heardControl(line []byte) {
	c, subtype, err := parseControl(line)
	if err != nil {
		p.log.Warn("a control message that makes no sense", "error", err)
		return
	}
	switch c.Type {
	case typeResponse:
		p.mu.Lock()
		answer, known := p.waiting[c.Response.RequestID]
		delete(p.waiting, c.Response.RequestID)
		p.mu.Unlock()
		if known { // else it is late, or an echo of ours
			answer <- c.Response
		}
	case typeRequest:
		p.mu.Lock()
		again := p.open[c.RequestID]
		p.open[c.RequestID] = true
		p.mu.Unlock()
		if again {
			p.log.Warn("the runtime asks twice under one id", "subtype", subtype)
			return
		}
		p.queue.put(line, &Request{ID: c.RequestID, Subtype: subtype, Raw: c.Request}, "")
	case typeCancel:
		p.mu.Lock()
		open := p.open[c.RequestID]
		delete(p.open, c.RequestID)
		p.mu.Unlock()
		if open {
			p.queue.put(nil, nil, c.RequestID)
		}
	}
}

// mark keeps what tells whether a turn runs, and why the runtime does not want to start.
func (p *Process) mark(kind string, line []byte) {
	switch kind {
	case "result":
		p.setIdle(true)
		p.keepFailure(line)
	case "stream_event": // not "assistant": a subagent in the background has such messages while no turn runs
		p.setIdle(false)
	case "system":
		if !bytes.Contains(line, []byte("session_state_changed")) {
			return
		}
		var m struct{ Subtype, State string }
		if json.Unmarshal(line, &m) != nil || m.Subtype != "session_state_changed" {
			return
		}
		p.setIdle(m.State == "idle")
	}
}

// keepFailure keeps what a result says that comes before the handshake is over.
func (p *Process) keepFailure(line []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shaken {
		return
	}
	var m struct {
		IsError bool     `json:"is_error"`
		Errors  []string `json:"errors"`
	}
	if json.Unmarshal(line, &m) == nil && m.IsError {
		p.failures = append(p.failures, m.Errors...)
	}
}

// setIdle says whether a turn runs, and returns what was so before. None runs in a process that has ended.
func (p *Process) setIdle(idle bool) (was bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.idle:
		if !idle && p.Alive() {
			p.idle = make(chan struct{})
		}
		return true
	default:
		if idle {
			close(p.idle)
		}
		return false
	}
}

// idling is closed while no turn runs.
func (p *Process) idling() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.idle
}

// Busy reports whether a turn runs, as far as what was sent and heard tells.
func (p *Process) Busy() bool {
	select {
	case <-p.idling():
		return false
	default:
		return true
	}
}

// tell calls the consumer back, one item after the other.
func (p *Process) tell() {
	me := goroutine()
	var b batch
	for {
		var more bool
		if b, more = p.queue.take(b); !more {
			return
		}
		for _, it := range b.items {
			switch {
			case it.request != nil:
				p.ask(me, it.request, b.bytes[it.from:it.to])
			case it.cancel != "":
				if p.o.Cancel != nil {
					p.o.Cancel(it.cancel)
				}
			default:
				p.o.Line(b.bytes[it.from:it.to:it.to])
			}
		}
	}
}

// ask gives a request to the consumer, or refuses it.
func (p *Process) ask(me int64, r *Request, line []byte) {
	r.Line = line
	taken := false
	if p.o.Ask != nil {
		p.asking.Store(me)
		taken = p.o.Ask(*r)
		p.asking.Store(0)
	}
	if taken {
		return
	}
	// Not from this goroutine: the runtime may be slow to read, and lines must go on.
	go func() {
		if err := p.ReplyError(r.ID, "Unsupported control request subtype: "+r.Subtype); err != nil {
			p.log.Debug("nobody to refuse a request to", "subtype", r.Subtype, "error", err)
		}
	}()
}

// watch reports silences within a turn.
func (p *Process) watch() {
	limit := p.o.Limits.Quiet
	timer := time.NewTimer(limit)
	defer timer.Stop()
	reported := int64(-1) // what heard was at the last report
	for {
		select {
		case <-p.ended:
			return
		case <-timer.C:
		}
		heard := p.heard.Load()
		silent := time.Since(p.epoch) - time.Duration(heard)
		next := limit
		switch {
		case silent < limit:
			next = limit - silent
		case heard != reported && p.Busy() && !p.unanswered():
			reported = heard
			p.o.Quiet(silent)
		}
		timer.Reset(next)
	}
}

// unanswered reports whether the runtime waits for an answer of ours.
func (p *Process) unanswered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open) > 0
}
