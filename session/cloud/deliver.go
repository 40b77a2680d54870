package cloud

import (
	"context"
	"errors"
	"slices"
	"time"

	"parley/copilot/cloud"
	"parley/session"
)

const (
	// sessionWait bounds the wait for the session that a comment begins, jobWait that for the session of a job.
	sessionWait = 3 * time.Minute
	jobWait     = 30 * time.Second
	// firstWait is the first pause of a wait, maxWait the longest.
	firstWait = time.Second
	maxWait   = 10 * time.Second
)

// errLate means that the service has begun no session in time.
var errLate = errors.New("no session began in time")

// deliver starts the task, or comments on its pull request, and returns the session if there is one yet. An error means that
// nothing was delivered.
func (c *conversation) deliver(ctx context.Context, rec *record, turn session.TurnID, p session.Prompt) (string, error) {
	if err := c.a.usable(); err != nil {
		return "", err
	}
	t := turnRecord{Turn: turn, Prompt: p.Text, Sent: c.a.o.Now()}
	c.mu.Lock()
	first := len(rec.Turns) == 0
	c.sending++ // a session that begins now belongs to this delivery
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.sending--
		c.mu.Unlock()
	}()
	var err error
	if first {
		err = c.start(ctx, rec, &t, p)
	} else {
		err = c.comment(ctx, rec, p)
	}
	if err != nil {
		return "", err
	}
	c.change(rec, func() { rec.Turns = append(rec.Turns, t) })
	if first {
		repository, base, _ := c.known()
		c.report(turn, session.Remote{State: session.RemoteQueued, Repository: repository, Base: base})
	}
	return t.Session, nil
}

// certain returns a context that an interrupt does not end: a request that changes something is not left without its answer.
func certain(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
}

// start starts the job.
func (c *conversation) start(ctx context.Context, rec *record, t *turnRecord, p session.Prompt) error {
	to, err := c.target(ctx, p)
	if err != nil {
		return err
	}
	owner, name, err := split(to.Repository)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	sure, cancel := certain(ctx)
	defer cancel()
	job, err := c.a.o.Service.Start(sure, cloud.NewJob{Owner: owner, Repo: name, Problem: words(p), Base: to.Base, Agent: to.Agent})
	if err != nil {
		return c.a.fail(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	rec.Repository, rec.Base = to.Repository, to.Base
	t.Job, t.Session = job.ID, job.Session
	return nil
}

// comment comments on the pull request of the task. The sessions that it has so far are recorded before, so that the new one
// is known as such.
func (c *conversation) comment(ctx context.Context, rec *record, p session.Prompt) error {
	_, _, pull := c.known()
	if pull == nil {
		var err error
		if pull, err = c.findPull(ctx, rec); err != nil {
			return err
		}
	}
	before, err := c.a.o.Service.SessionsOf(ctx, pull.ID)
	if err != nil {
		return c.a.fail(err)
	}
	c.change(rec, func() {
		for _, s := range slices.Backward(before) {
			if !rec.has(s.ID) {
				rec.Turns = append(rec.Turns, turnRecord{Turn: session.TurnID(s.ID), Session: s.ID, Prompt: s.Name, Sent: s.Updated})
			}
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	sure, cancel := certain(ctx)
	defer cancel()
	if _, err := c.a.o.Service.Comment(sure, *pull, c.a.Message(p)); err != nil {
		return c.a.fail(err)
	}
	return nil
}

// findPull finds the pull request of a task that has begun.
func (c *conversation) findPull(ctx context.Context, rec *record) (*cloud.Pull, error) {
	c.mu.Lock()
	last := rec.Turns[len(rec.Turns)-1].Session
	c.mu.Unlock()
	if last == "" {
		return nil, &session.Error{Op: opSend, Kind: session.KindInvalid, Err: errors.New("GitHub has not begun to work on the last prompt yet; wait a little")}
	}
	s, err := c.a.o.Service.Session(ctx, last)
	if err != nil {
		return nil, c.a.fail(err)
	}
	pull, err := c.a.pull(ctx, s)
	if err != nil {
		return nil, c.a.fail(err)
	}
	if pull == nil {
		return nil, &session.Error{Op: opSend, Kind: session.KindInvalid, Err: errors.New("this task has no pull request to comment on; start a new session")}
	}
	c.change(rec, func() { rec.setPull(pull) })
	return pull, nil
}

// await waits for the session of a turn that was delivered, and records it.
func (c *conversation) await(ctx context.Context, rec *record, turn session.TurnID) (string, error) {
	c.mu.Lock()
	c.sending++
	t := *rec.turn(turn)
	limit := sessionWait
	if t.Job != "" {
		limit = jobWait
	}
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.sending--
		c.mu.Unlock()
	}()
	deadline := c.a.o.Now().Add(limit)
	for pause := firstWait; ; pause = min(pause*3/2, maxWait) {
		id, err := c.began(ctx, rec, t)
		if err != nil && ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if id != "" {
			c.change(rec, func() { rec.turn(turn).Session = id })
			return id, nil
		}
		if !c.a.o.Now().Before(deadline) {
			return "", errors.Join(errLate, err)
		}
		if err := sleep(ctx, pause); err != nil {
			return "", err
		}
	}
}

// began returns the session of a delivered turn, "" if there is none yet.
func (c *conversation) began(ctx context.Context, rec *record, t turnRecord) (string, error) {
	repository, _, pull := c.known()
	if t.Job != "" {
		owner, name, err := split(repository)
		if err != nil {
			return "", err
		}
		job, err := c.a.o.Service.Job(ctx, owner, name, t.Job)
		return job.Session, err
	}
	if pull == nil {
		return "", errLate
	}
	all, err := c.a.o.Service.SessionsOf(ctx, pull.ID)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range slices.Backward(all) { // the oldest of the new ones
		if !rec.has(s.ID) {
			return s.ID, nil
		}
	}
	return "", nil
}

// sleep returns after d, or with the cause of the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
