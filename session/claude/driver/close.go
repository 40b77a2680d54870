package driver

import (
	"context"

	"parley/internal/crash"
	"parley/session/proc"
)

// Close ends the process and returns when it and all it has started are gone. It interrupts a running turn and waits for the
// result, so that the transcript is complete; closes the input, at which an idle runtime writes its transcript and ends;
// asks the process to terminate; and kills it. When ctx ends, it kills at once. Concurrent calls wait for the same end.
func (p *Process) Close(ctx context.Context) Exit {
	p.ending.Begin(func() {
		p.ending.Ask()
		crash.Go(p.end)
	})
	return p.await(ctx)
}

// await waits for the end of the process, and has it killed when ctx ends. It gives up on one that cannot be killed.
func (p *Process) await(ctx context.Context) Exit {
	if p.ending.Await(ctx, p.done) {
		return p.exit
	}
	p.log.Warn("the runtime does not end although it was killed", "pid", p.child.Pid())
	return Exit{Exit: proc.Exit{Code: -1}, Asked: true}
}

// end tries the stages of Close until the process ends.
func (p *Process) end() {
	p.interruptTurn()
	p.input.close()
	if p.ending.Within(p.ended, p.o.Limits.Drain) {
		return
	}
	p.log.Info("the runtime does not end by itself", "pid", p.child.Pid())
	_ = p.child.Terminate()
	if p.ending.Within(p.ended, p.o.Limits.Terminate) {
		return
	}
	p.log.Warn("the runtime must be killed", "pid", p.child.Pid())
	_ = p.child.Kill()
}

// interruptTurn interrupts a running turn and waits for its result.
func (p *Process) interruptTurn() {
	if !p.Busy() {
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
	case <-p.ending.Kill():
		stop()
		<-interrupted
		return
	}
	select {
	case <-p.activity.wait():
	case <-ctx.Done():
	case <-p.ended:
	case <-p.ending.Kill():
	}
}
