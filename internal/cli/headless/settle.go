package headless

import (
	"context"
	"time"

	"parley/internal/human"
	"parley/session"
)

// maxWait bounds the wait for agents in the background where the run has no limit of time.
const maxWait = 10 * time.Minute

// settle waits, after a turn that ended by itself, for agents in the background and for the turns that their ends begin. It
// returns the newest end of a turn: an interrupt of the wait counts as one of the run, and its limit of time as reached.
func (p *Printer) settle(ctx context.Context, ended session.TurnEnded) session.TurnEnded {
	if ended.Outcome != session.TurnCompleted {
		return ended
	}
	most, limited := p.left()
	wait, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	p.locked(func() { p.giveUp = cancel })
	if p.session.Settle(wait) == nil {
		return p.Ended()
	}
	// What the run still does is a turn, which keeps to the limits itself, or work that ends with the run.
	if p.session.Wait(ctx) != nil {
		p.session.Abort()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		_ = p.session.Wait(end)
	}
	switch ended = p.Ended(); {
	case ctx.Err() != nil:
		ended.Outcome, ended.Problem = session.TurnCancelled, nil
	case p.tripped() != nil && ended.Outcome == session.TurnCompleted:
		ended.Outcome, ended.Problem = session.TurnLimit, p.tripped()
	case limited && ended.Outcome == session.TurnCompleted:
		ended.Outcome, ended.Problem = session.TurnLimit, limitProblem(human.Seconds(p.o.Limits.Time))
	}
	return ended
}

// tripped returns the problem of the limit that the watch has found used up, nil for none.
func (p *Printer) tripped() *session.Problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watch.tripped
}

// abort ends the turn, and the wait for agents in the background.
func (p *Printer) abort() {
	p.session.Abort()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.giveUp != nil {
		p.giveUp()
	}
}

// left returns how long the run may still wait, and whether a limit of the run says so.
func (p *Printer) left() (most time.Duration, limited bool) {
	if p.o.Limits.Time <= 0 {
		return maxWait, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.o.Limits.Time - time.Since(p.began), true
}
