package driver

import (
	"context"
	"time"
)

// Close ends the process and returns when it is gone with everything it had started. A running turn is interrupted and its
// result awaited, so that the transcript has an end; then the input is closed, at which an idle runtime ends by itself
// after it has written its transcript; then it is asked to terminate; then it is killed. When ctx ends, the rest is a kill.
// Calling it again, also at the same time, waits for the same end.
func (p *Process) Close(ctx context.Context) Exit {
	p.shutdown.Do(func() {
		p.mu.Lock()
		p.asked = true
		p.mu.Unlock()
		go p.end()
	})
	select {
	case <-p.done:
		return p.exit
	case <-ctx.Done():
		p.hurried.Do(func() { close(p.hurry) })
		return p.awaitDone()
	}
}

// unkillable bounds how long the end of a killed runtime is awaited.
const unkillable = 10 * time.Second

// awaitDone awaits the end of a process that is being killed. One that cannot be killed is left to itself.
func (p *Process) awaitDone() Exit {
	timer := time.NewTimer(unkillable)
	defer timer.Stop()
	select {
	case <-p.done:
		return p.exit
	case <-timer.C:
		p.log.Warn("the runtime does not end although it was killed", "pid", p.child.Pid())
		return Exit{Code: -1, Asked: true}
	}
}

// end goes through the stages of an end until one works.
func (p *Process) end() {
	p.settle()
	p.stopSpeaking()
	if p.gone(p.o.Limits.Drain) {
		return
	}
	p.log.Info("the runtime does not end by itself", "pid", p.child.Pid())
	_ = p.child.Terminate()
	if p.gone(p.o.Limits.Terminate) {
		return
	}
	p.log.Warn("the runtime must be killed", "pid", p.child.Pid())
	_ = p.child.Kill()
}

// settle interrupts a running turn and awaits its result.
func (p *Process) settle() {
	if !p.Busy() || p.isHurried() {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), p.o.Limits.Interrupt)
	defer stop()
	interrupted := make(chan error, 1)
	go func() { interrupted <- p.Interrupt(ctx, true) }()
	select {
	case err := <-interrupted:
		if err != nil {
			return
		}
	case <-p.hurry:
		stop()
		<-interrupted
		return
	}
	select {
	case <-p.idling():
	case <-ctx.Done():
	case <-p.ended:
	case <-p.hurry:
	}
}

// gone waits for the end of the process, at most so long.
func (p *Process) gone(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-timer.C:
		return false
	case <-p.hurry:
		return false
	}
}

func (p *Process) isHurried() bool {
	select {
	case <-p.hurry:
		return true
	default:
		return false
	}
}
