package builtin

import (
	"fmt"
	"sync"

	"parley/session"
)

// pending counts the asks of each call from before they are reported until their ends are, so that no call ends before its asks and
// none that was given up asks. It is safe for concurrent use.
type pending struct {
	mu    sync.Mutex
	asks  map[session.CallID]int
	gone  map[session.CallID]bool // given up
	fewer chan struct{}           // closed when there are fewer; nil if nobody waits
	named map[session.AskID]int   // how often an id was taken
}

// numbered returns an id that no ask had before: a call may ask several times.
func (p *pending) numbered(id session.AskID) session.AskID {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.named == nil {
		p.named = map[session.AskID]int{}
	}
	if p.named[id]++; p.named[id] > 1 {
		id += session.AskID(fmt.Sprintf(".%d", p.named[id]))
	}
	return id
}

// begin counts an ask, and reports false if the call was given up.
func (p *pending) begin(call session.CallID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone[call] {
		return false
	}
	if p.asks == nil {
		p.asks = map[session.CallID]int{}
	}
	p.asks[call]++
	return true
}

func (p *pending) end(call session.CallID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asks[call]--; p.asks[call] == 0 {
		delete(p.asks, call)
	}
	if p.fewer != nil {
		close(p.fewer)
		p.fewer = nil
	}
}

// settled waits for the ends of a call's asks. With giveUp no other follows, until [pending.forget].
func (p *pending) settled(call session.CallID, giveUp bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if giveUp {
		if p.gone == nil {
			p.gone = map[session.CallID]bool{}
		}
		p.gone[call] = true
	}
	for p.asks[call] > 0 {
		if p.fewer == nil {
			p.fewer = make(chan struct{})
		}
		fewer := p.fewer
		p.mu.Unlock()
		<-fewer
		p.mu.Lock()
	}
}

// forget forgets a call that was given up and has ended.
func (p *pending) forget(call session.CallID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.gone, call)
}
