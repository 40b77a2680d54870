package driver

import (
	"context"
	"time"

	"parley/internal/crash"
)

// Close ends the process and returns when it and all it has started are gone. It interrupts a running turn and waits for the
// result, so that the transcript is complete; closes the input, at which an idle runtime writes its transcript and ends;
// asks the process to terminate; and kills it. When ctx ends, it kills at once. Concurrent calls wait for the same end.
func (p *Process) Close(ctx context.Context) Exit {
	p.closing.begin.Do(func() {
		p.closing.asked.Store(true)
		crash.Go(p.end)
	})
	select {
	case <-p.done:
		return p.exit
	case <-ctx.Done():
		p.closing.killNow()
		return p.awaitDone()
	}
}

// killTimeout bounds the wait for the end of a killed process.
const killTimeout = 10 * time.Second

// awaitDone waits for the end of a killed process. It gives up on one that cannot be killed.
func (p *Process) awaitDone() Exit {
	timer := time.NewTimer(killTimeout)
	defer timer.Stop()
	select {
	case <-p.done:
		return p.exit
	case <-timer.C:
		p.log.Warn("the runtime does not end although it was killed", "pid", p.child.Pid())
		return Exit{Code: -1, Asked: true}
	}
}

// end tries the stages of Close until the process ends.
func (p *Process) end() {
	p.interruptTurn()
	p.input.close()
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

// interruptTurn interrupts a running turn and waits for its result.
func (p *Process) interruptTurn() {
	if !p.Busy() || p.closing.killing() {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), p.o.Limits.Interrupt)
	defer stop()
	interrupted := make(chan error, 1)
	crash.Go(func() { interrupted <- p.Interrupt(ctx, true) })
	select {
	case err := <-interrupted:
		if err != nil {
			return
		}
	case <-p.closing.kill:
		stop()
		<-interrupted
		return
	}
	select {
	case <-p.activity.wait():
	case <-ctx.Done():
	case <-p.ended:
	case <-p.closing.kill:
	}
}

// gone waits for the end of the process and reports whether it came within the limit.
func (p *Process) gone(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-timer.C:
		return false
	case <-p.closing.kill:
		return false
	}
}
