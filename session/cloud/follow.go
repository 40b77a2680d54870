package cloud

import (
	"context"
	"errors"
	"time"

	"parley/copilot/cloud"
	"parley/session"
	"parley/session/cloud/mapper"
)

const (
	// spacing is the least time between two requests of a session that is followed.
	spacing = time.Second
	// slowestLog and slowestState are the longest times between two looks at a log and at the state of a session, pullEvery the
	// time between two looks at its pull request.
	slowestLog   = 10 * time.Second
	slowestState = 15 * time.Second
	pullEvery    = 20 * time.Second
	// maxPause is the longest pause after failures; noticeAfter is how many in a row the user learns of.
	maxPause    = time.Minute
	noticeAfter = 3
)

// follower follows one session of the service: its log, its state and its pull request, one request at a time.
type follower struct {
	c    *conversation
	turn session.TurnID
	id   string

	m    *mapper.Mapper
	tag  string
	s    cloud.Session
	pull *cloud.Pull

	log, state, checks due
	failures           int
	told               bool // of failures
}

// due is the time at which something is asked for again.
type due struct {
	at    time.Time
	every time.Duration
}

// in sets the next time.
func (d *due) in(now time.Time, every time.Duration) { d.at, d.every = now.Add(every), every }

// slower makes the pauses longer, up to a limit.
func (d *due) slower(now time.Time, limit time.Duration) {
	d.in(now, min(max(d.every, spacing)*3/2, limit))
}

// follow follows a session until it is over, or until ctx ends, and ends the turn.
func (c *conversation) follow(ctx context.Context, turn session.TurnID, id string) {
	dir := c.o.Dir
	f := &follower{c: c, turn: turn, id: id, m: mapper.New(mapper.Options{Head: c.head(turn), Session: id, Dir: dir})}
	f.s = cloud.Session{ID: id, State: cloud.Queued}
	if err := f.run(ctx); err != nil {
		c.leave(turn, "This turn is no longer followed here.", err)
	}
}

// run asks until the session is over. The error is why it cannot go on.
func (f *follower) run(ctx context.Context) error {
	for {
		now := f.c.a.o.Now()
		what, at := f.next()
		if wait := at.Sub(now); wait > 0 {
			if err := sleep(ctx, wait); err != nil {
				return err
			}
		}
		err := what(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			if err := f.failed(ctx, err); err != nil {
				return err
			}
			continue
		}
		f.failures = 0
		if f.s.State.Over() {
			return f.finish(ctx)
		}
	}
}

// next returns the request that is due first, and when. After the first round they are a second apart.
func (f *follower) next() (func(context.Context) error, time.Time) {
	what, at := f.readState, f.state.at
	if f.log.at.Before(at) {
		what, at = f.readLog, f.log.at
	}
	if f.s.Node != "" && f.checks.at.Before(at) {
		what, at = f.readPull, f.checks.at
	}
	return what, at
}

// readLog gets the log and emits what is new in it.
func (f *follower) readLog(ctx context.Context) error {
	began := f.c.a.o.Now()
	l, err := f.c.a.o.Service.Log(ctx, f.id, f.tag)
	now := f.c.a.o.Now()
	if err != nil {
		f.log.slower(now, slowestLog)
		return err
	}
	f.tag = l.Tag
	read := f.m.Read()
	if l.Unchanged || len(l.Text) <= read {
		f.log.slower(now, slowestLog)
		return nil
	}
	f.c.emit(f.m.Feed(l.Text[read:])...)
	// A long log is asked for less often: it comes whole each time.
	f.log.in(now, min(max(spacing, 10*now.Sub(began)), slowestLog))
	return nil
}

// readState gets the session and reports its state.
func (f *follower) readState(ctx context.Context) error {
	s, err := f.c.a.o.Service.Session(ctx, f.id)
	now := f.c.a.o.Now()
	if err != nil {
		f.state.slower(now, slowestState)
		return err
	}
	changed := s.State != f.s.State || s.Node != f.s.Node
	f.s = s
	if changed {
		f.state.in(now, 2*spacing)
		f.checks.at = now // also the pull request may be new
	} else {
		f.state.slower(now, slowestState)
	}
	f.report()
	return nil
}

// readPull gets the pull request and reports it.
func (f *follower) readPull(ctx context.Context) error {
	p, err := f.c.a.pull(ctx, f.s)
	f.checks.in(f.c.a.o.Now(), pullEvery)
	if err != nil {
		return err
	}
	if p != nil {
		f.pull = p
		f.c.keepPull(p)
		f.report()
	}
	return nil
}

// keepPull records the pull request.
func (c *conversation) keepPull(p *cloud.Pull) {
	c.mu.Lock()
	rec := c.rec
	changed := rec != nil && rec.setPull(p)
	c.mu.Unlock()
	if changed {
		c.change(rec, func() {})
	}
}

// report reports state and pull request.
func (f *follower) report() {
	repository, base, _ := f.c.known()
	r := mapper.Remote(f.s, f.pull, repository, base)
	if f.pull == nil { // what an earlier turn knew of it still holds
		f.c.mu.Lock()
		old := f.c.remote
		f.c.mu.Unlock()
		r.Branch, r.Pull, r.Checks = old.Branch, old.Pull, old.Checks
		if old.Pull != nil {
			r.URL = mapper.Page(cloud.Pull{URL: old.Pull.URL}, f.id)
		}
	}
	f.c.report(f.turn, r)
}

// failed pauses after a failure. It returns an error if going on is useless.
func (f *follower) failed(ctx context.Context, err error) error {
	e := f.c.a.fail(err)
	switch session.KindOf(e) {
	case session.KindAuth, session.KindForbidden, session.KindNotFound:
		return err
	}
	f.failures++
	pause := min(spacing<<min(f.failures, 6), maxPause)
	if problem := session.ProblemOf(e, f.c.a.o.Now()); problem != nil {
		if wait := problem.RetryAt.Sub(f.c.a.o.Now()); !problem.RetryAt.IsZero() && wait > pause {
			pause = wait
		}
		if f.failures == noticeAfter && !f.told {
			f.told = true
			f.c.emit(session.Notice{Head: f.c.head(f.turn), Severity: session.Warning,
				Text: "The task cannot be followed at the moment. " + problem.What + " parley keeps trying; the task goes on."})
		}
	}
	return sleep(ctx, pause)
}

// finish gets the rest of the log and the newest state of the pull request, and ends the turn.
func (f *follower) finish(ctx context.Context) error {
	read := -1
	for tries := 0; f.m.Read() != read && tries < 3; tries++ {
		if wait := f.log.at.Sub(f.c.a.o.Now()); wait > 0 {
			if err := sleep(ctx, min(wait, spacing)); err != nil {
				return err
			}
		}
		read = f.m.Read()
		if err := f.readLog(ctx); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.Is(f.failed(ctx, err), err) {
				return err
			}
			read = -1
		}
	}
	if err := f.readPull(ctx); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.report()
	page := ""
	if f.pull != nil {
		page = mapper.Page(*f.pull, f.id)
	}
	events := append(f.m.End(), mapper.Ended(f.c.head(f.turn), f.s, page)...)
	f.c.emit(events...)
	return nil
}
