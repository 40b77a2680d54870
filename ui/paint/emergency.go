package paint

import (
	"time"

	"parley/internal/crash"
)

// How long Emergency waits for a write that is under way, and then for its own.
const emergencyPatience = 150 * time.Millisecond

// Emergency gives the terminal back after a panic or on a signal, from any goroutine, and then calls Options.Restore. It
// does not need the writer: if a write is stuck, it writes beside it after a short wait. It returns within half a second
// even if the terminal takes nothing. Nothing is written afterwards, and every call waits for the first.
func (p *Painter) Emergency() {
	p.emergency.Do(func() {
		give := p.held.Swap(nil)
		if give != nil {
			done := make(chan struct{})
			crash.Go(func() {
				defer close(done)
				p.writeLast(*give)
			})
			patience(done, 2*emergencyPatience)
		}
		p.dead.Store(true)
		if p.opts.Restore != nil {
			p.opts.Restore()
		}
	})
}

// writeLast writes once the writer has finished its write, or after a wait.
func (p *Painter) writeLast(s string) {
	turn := time.NewTimer(emergencyPatience)
	defer turn.Stop()
	select {
	case p.tty <- struct{}{}:
		defer func() { <-p.tty }()
	case <-turn.C:
	}
	p.dead.Store(true)
	_, _ = p.opts.Out.Write([]byte(s)) // an error can no longer be reported
}

func patience(done <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}
