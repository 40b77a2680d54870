package cloud

import (
	"context"
	"slices"
	"time"

	"parley/copilot/cloud"
	"parley/internal/crash"
	"parley/session"
	"parley/session/cloud/mapper"
)

const (
	// watchFirst is the first pause between two looks at a pull request after a turn, watchLast the longest, and watchFor is
	// how long it is looked at without a change.
	watchFirst = 5 * time.Second
	watchLast  = 2 * time.Minute
	watchFor   = 30 * time.Minute
)

// watch looks at the pull request while no turn runs: at its checks, and for sessions that were begun elsewhere, which it
// follows. It returns at once, and does nothing if that happens already.
func (c *conversation) watch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.stop != nil || c.rec == nil || c.rec.Pull.ID == 0 {
		return
	}
	ctx, cancel := context.WithCancel(c.life)
	c.stop = cancel
	c.running.Add(1)
	crash.Go(func() {
		defer c.running.Done()
		defer cancel()
		c.look(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.stop = nil
	})
}

// look looks until nothing has changed for a while.
func (c *conversation) look(ctx context.Context) {
	quiet := c.a.o.Now().Add(watchFor)
	for pause := watchFirst; ; pause = min(pause*3/2, watchLast) {
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-c.woken:
			timer.Stop()
			pause, quiet = watchFirst, c.a.o.Now().Add(watchFor)
		case <-timer.C:
		}
		changed, err := c.lookOnce(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			c.a.o.Log.Info("look at a pull request", "error", err)
		case changed:
			pause, quiet = watchFirst, c.a.o.Now().Add(watchFor)
		}
		if c.a.o.Now().After(quiet) {
			return
		}
	}
}

// lookOnce looks at the pull request once, unless a turn runs, and reports whether anything was new.
func (c *conversation) lookOnce(ctx context.Context) (changed bool, err error) {
	repository, base, known := c.known()
	c.mu.Lock()
	rec := c.rec
	busy, before := len(c.turns) > 0 || c.sending > 0, c.remote
	c.mu.Unlock()
	if busy || known == nil {
		return true, nil
	}
	all, err := c.a.o.Service.SessionsOf(ctx, known.ID)
	if err != nil || len(all) == 0 {
		return false, err
	}
	if s := c.unknown(rec, all); s != nil {
		c.followOther(ctx, rec, s)
		return true, nil
	}
	pulls, err := c.a.o.Service.Pulls(ctx, []string{known.Node})
	if err != nil || len(pulls) == 0 {
		return false, err
	}
	c.mu.Lock()
	busy = len(c.turns) > 0
	c.mu.Unlock()
	if busy {
		return true, nil
	}
	now := mapper.Remote(all[0], &pulls[0], repository, base)
	now.Problem, now.URL = before.Problem, mapper.Page(pulls[0], all[0].ID)
	c.report("", now)
	return !equal(before, now), nil
}

// unknown returns the oldest session that no turn here began, nil if there is none.
func (c *conversation) unknown(rec *record, all []cloud.Session) *cloud.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sending > 0 || len(c.turns) > 0 {
		return nil
	}
	for i := range slices.Backward(all) {
		if !rec.has(all[i].ID) {
			return &all[i]
		}
	}
	return nil
}

// followOther follows a session that a comment at GitHub began.
func (c *conversation) followOther(ctx context.Context, rec *record, s *cloud.Session) {
	turn := session.TurnID(s.ID)
	ctx, done, err := c.begin(ctx, turn)
	if err != nil {
		return
	}
	defer done()
	c.change(rec, func() {
		rec.Turns = append(rec.Turns, turnRecord{Turn: turn, Session: s.ID, Prompt: s.Name, Sent: s.Updated})
	})
	c.emit(session.TurnStarted{Head: c.head(turn), Origin: session.OriginAutonomous, Because: "a comment at GitHub: " + s.Name})
	c.follow(ctx, turn, s.ID)
}
