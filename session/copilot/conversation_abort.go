package copilot

import (
	"context"
	"maps"
	"slices"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/process"
)

// interruptAgain is the time after which an interrupt is repeated: the first may have come before the prompt.
const interruptAgain = 300 * time.Millisecond

// Abort interrupts the running turn, settles its asks and returns at once. Repeated calls interrupt once. A turn that does not
// end within the grace period is given up with its link; the next prompt resumes the session.
func (c *conversation) Abort() {
	c.Mu.Lock()
	l := c.Link
	if l == nil || l.stopping || l.over() || c.Closed {
		c.Mu.Unlock()
		return
	}
	l.stopping, l.interrupted = true, true
	turn := l.m.Turn()
	c.Work.Add(1)
	c.Mu.Unlock()
	c.asks.withdraw(session.WhyInterrupted)
	crash.Go(func() {
		defer c.Work.Done()
		interrupt(c, l, turn)
	})
}

// gentleTries is the number of times that only the turn is interrupted, before everything in the session is.
const gentleTries = 3

// interruptOnce interrupts the turn, and leaves alone what works in the background; all interrupts that too. A turn that waits
// for a child needs that: otherwise 1.0.85 takes no further prompt.
func interruptOnce(ctx context.Context, c *conversation, l *link, all bool) error {
	if !all {
		err := l.call(ctx, "session.interruptMainTurn", nil, nil)
		if !isUnknownMethod(err) {
			return err
		}
	}
	return l.call(ctx, "session.abort", map[string]any{"reason": "user_initiated"}, nil)
}

// interrupt interrupts until the turn is over, and gives the link up after the grace period: with the process, if that does
// not answer either. 1.0.85 can lose the end of a turn whose child begins a command: it fails then, and a second try comes to nothing.
func interrupt(c *conversation, l *link, turn session.TurnID) {
	ctx, cancel := context.WithTimeout(context.Background(), c.a.o.Grace)
	defer cancel()
	answered := false
	stopped := func() bool { return c.Link != l || l.m.Turn() != turn || turn == "" }
	waits := c.Mu.Check(func() bool { return slices.Contains(slices.Collect(maps.Values(l.children)), true) })
	for tries := 0; ctx.Err() == nil; tries++ {
		err := interruptOnce(ctx, c, l, tries >= gentleTries || waits)
		answered = answered || err == nil
		wait, stop := context.WithTimeout(ctx, interruptAgain)
		_ = c.Mu.Wait(wait, stopped)
		stop()
		if c.Mu.Check(func() bool { return stopped() || l.lost && tries > 0 }) {
			break
		}
	}
	c.Mu.Lock()
	given, lost := !stopped(), l.lost
	clear(l.steered) // an interrupt discards what waits in the runtime
	l.stopping, l.lost = false, false
	c.Mu.Notify()
	c.Mu.Unlock()
	if !given {
		return
	}
	if !answered {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		_ = l.client.Close(now)
	}
	if lost { // the process takes no further prompt of the session
		c.a.runs.leave(l.client)
	}
	detach(c, l)
}

// stopSilent stops the timer of a silent turn. The lock is held.
func (l *link) stopSilent() {
	if l.silent != nil {
		l.silent.Stop()
		l.silent = nil
	}
}

// spoke restarts the timer of a silent turn, at each event. The lock is held.
func (c *conversation) spoke(l *link) {
	l.quiet = false
	switch {
	case l.m.Turn() == "" || c.Closed:
		l.stopSilent()
	case c.a.o.Quiet < 0:
	case l.silent == nil:
		l.silent = time.AfterFunc(c.a.o.Quiet, crash.Guarded(func() { c.wasSilent(l) }))
	default:
		l.silent.Reset(c.a.o.Quiet)
	}
}

// wasSilent reports, once, that a turn has said nothing for long. Later it gives up a model request, for which the runtime
// itself waits forever; a tool may take its time.
func (c *conversation) wasSilent(l *link) {
	c.Mu.Lock()
	asking := c.asks.book.Any()
	if c.Link != l || l.m.Turn() == "" || c.Closed || l.stopping {
		c.Mu.Unlock()
		return
	}
	again, stall := c.a.o.Quiet, false
	switch {
	case asking:
	case !l.quiet:
		l.quiet = true
		c.Out.Put(process.Silence(l.m.Head(c.a.o.Now()), "Copilot", c.a.o.Quiet))
		again = c.a.o.Stalled - c.a.o.Quiet
	case len(l.calls) == 0 && c.a.o.Stalled > 0:
		l.stalled, stall = true, true
	}
	if again > 0 && !stall {
		l.silent.Reset(again)
	}
	c.Mu.Unlock()
	c.Out.Deliver()
	if stall {
		c.Abort()
	}
}
