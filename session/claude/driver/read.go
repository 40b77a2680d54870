package driver

import (
	"bytes"
	"encoding/json"

	"parley/internal/crash"
)

// read reads every line at once. Answers to our requests go to their callers, everything else into the queue.
func (p *Process) read() {
	err := readLines(p.child.Stdout(), maxLine, p.readLine, func(size int) {
		p.log.Warn("a line of the runtime is too long and is left out", "bytes", size)
	})
	if err != nil && p.Alive() {
		p.log.Warn("reading from the runtime", "error", err)
	}
}

func (p *Process) readLine(line []byte) {
	p.activity.touch()
	kind := typeOf(line)
	if kind != "" {
		p.sane.make()
	}
	switch kind {
	case typeRequest, typeResponse, typeCancel:
		p.readControl(line)
	case typeAlive:
	case "":
		p.odd.make()
		p.log.Debug("not a message of the runtime", "line", p.secrets.Mask(cut(line)))
		p.stderr.Add(append(bytes.Clone(line[:min(len(line), 1<<10)]), '\n')) // it may say why the runtime ends
	default:
		p.track(kind, line)
		p.queue.put(line, nil, "")
	}
}

// cut shortens a line for the log.
func cut(line []byte) string { return string(line[:min(len(line), 200)]) }

func (p *Process) readControl(line []byte) {
	c, subtype, err := parseControl(line)
	if err != nil {
		p.log.Warn("a control message cannot be read", "error", err)
		return
	}
	switch c.Type {
	case typeResponse:
		p.requests.answer(c.Response)
	case typeRequest:
		if !p.open.add(c.RequestID) {
			p.log.Warn("the runtime asks twice under one id", "subtype", subtype)
			return
		}
		p.queue.put(line, &Request{ID: c.RequestID, Subtype: subtype, Raw: c.Request}, "")
	case typeCancel:
		if p.open.remove(c.RequestID) {
			p.queue.put(nil, nil, c.RequestID)
		}
	}
}

// track records whether a turn runs, and why the runtime does not start.
func (p *Process) track(kind string, line []byte) {
	switch kind {
	case "result":
		p.activity.setIdle(true)
		p.start.add(line)
	case "stream_event": // not "assistant": a child in the background prints those while no turn runs
		p.activity.setIdle(false)
	case "system":
		if !bytes.Contains(line, []byte("session_state_changed")) {
			return
		}
		var m struct{ Subtype, State string }
		if json.Unmarshal(line, &m) != nil || m.Subtype != "session_state_changed" {
			return
		}
		p.activity.setIdle(m.State == "idle")
	}
}

// Busy reports whether a turn runs, by what was sent and read so far.
func (p *Process) Busy() bool { return p.activity.busy() }

// deliver calls the consumer with one item after the other.
func (p *Process) deliver() {
	self := goroutine()
	var b batch
	for {
		var more bool
		if b, more = p.queue.take(b); !more {
			return
		}
		for _, it := range b.items {
			switch {
			case it.request != nil:
				p.ask(self, it.request, b.bytes[it.from:it.to])
			case it.cancel != "":
				p.messages.end(it.cancel)
				if p.o.Cancel != nil {
					p.o.Cancel(it.cancel)
				}
			default:
				p.o.Line(b.bytes[it.from:it.to:it.to])
			}
		}
	}
}

// ask passes a request to the consumer, or refuses it.
func (p *Process) ask(self int64, r *Request, line []byte) {
	r.Line = line
	if r.Subtype == toolMessage && p.message(r) {
		return
	}
	taken := false
	if p.o.Ask != nil {
		p.asking.Store(self)
		taken = p.o.Ask(*r)
		p.asking.Store(0)
	}
	if taken {
		return
	}
	// In another goroutine, because a runtime that is slow to read must not hold up its lines.
	crash.Go(func() {
		if err := p.ReplyError(r.ID, "Unsupported control request subtype: "+r.Subtype); err != nil {
			p.log.Debug("the refusal of a request was not written", "subtype", r.Subtype, "error", err)
		}
	})
}
