package paint

import "time"

// How long Emergency waits for a write that is under way, and then for its own.
const emergencyPatience = 150 * time.Millisecond

// Emergency gives the terminal back from wherever things went wrong: a panic, a signal, a goroutine that is not the
// owner of anything. It does not need the writer, which may be stuck in a write: after a short wait it writes beside
// it. Then it calls Options.Restore. Nothing is written to the terminal afterwards, and it returns within half a second
// even if the terminal takes nothing any more. Every call returns after the first has done its work.
func (p *Painter) Emergency() {
	p.emergency.Do(func() {
		give := p.held.Swap(nil)
		if give != nil {
			done := make(chan struct{})
			go func() {
				defer close(done)
				p.writeLast(*give)
			}()
			patience(done, 2*emergencyPatience)
		}
		p.dead.Store(true)
		if p.opts.Restore != nil {
			p.opts.Restore()
		}
	})
}

// writeLast writes when the writer is done with its write, or when it has been long enough.
func (p *Painter) writeLast(s string) {
	turn := time.NewTimer(emergencyPatience)
	defer turn.Stop()
	select {
	case p.tty <- struct{}{}:
		defer func() { <-p.tty }()
	case <-turn.C:
	}
	p.dead.Store(true)
	_, _ = p.opts.Out.Write([]byte(s)) // nobody is left to whom an error would matter
}

func patience(done <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}
