package claude

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
)

var (
	_ session.Stopper        = (*conversation)(nil)
	_ session.Backgrounder   = (*conversation)(nil)
	_ session.WorkController = (*conversation)(nil)
	_ session.OutputFollower = (*conversation)(nil)
)

// lastWithoutBackground is the newest version known to lack the request that sends what runs to the background. No version takes
// words for a running child agent, or resumes one, on request.
const lastWithoutBackground = "2.1.112"

// WorkControls returns what the runtime's version can do.
func (c *conversation) WorkControls() session.WorkControls {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil {
		return session.WorkControls{}
	}
	return session.WorkControls{Stop: true, Background: !notNewer(c.Link.launch.Version, lastWithoutBackground)}
}

// taskOf returns the process and the task that runs a call.
func (c *conversation) taskOf(op string, call session.CallID) (*engine, string, error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	notFound := &session.Error{Op: op, Kind: session.KindNotFound, Err: errors.New("it has ended")}
	if c.Link == nil || c.Closed {
		return nil, "", notFound
	}
	task, runs := c.Link.m.Task(call)
	if !runs {
		return nil, "", notFound
	}
	return c.Link, task, nil
}

// Stop stops the task that runs a call. A command of the running turn becomes a task after some seconds; in 2.1.112 only in
// the background.
func (c *conversation) Stop(ctx context.Context, call session.CallID) error {
	const op = "stop"
	e, task, err := c.taskOf(op, call)
	if err != nil {
		return err
	}
	if task == "" {
		return &session.Error{Op: op, Kind: session.KindUnsupported,
			Err: errors.New("the agent cannot stop this call alone yet; interrupt the turn instead")}
	}
	return refused(op, e.p.StopTask(ctx, task))
}

// ToBackground sends a command or a child agent of the running turn to the background.
func (c *conversation) ToBackground(ctx context.Context, call session.CallID) error {
	const op = "send to the background"
	e, _, err := c.taskOf(op, call)
	if err != nil {
		return err
	}
	if version := e.launch.Version; notNewer(version, lastWithoutBackground) {
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("version %s of Claude Code cannot do this", version)}
	}
	sent, err := e.p.BackgroundTask(ctx, string(call))
	if err == nil && !sent {
		return &session.Error{Op: op, Kind: session.KindNotFound,
			Err: errors.New("the agent cannot send it there now: it has just begun, or has ended; try again")}
	}
	return refused(op, err)
}

// refused returns the error of a request about a task with its kind.
func refused(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, driver.ErrUnsupported):
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: err}
	case strings.Contains(err.Error(), "not running"), strings.Contains(err.Error(), "No task found"), strings.Contains(err.Error(), "not found"):
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: err}
	}
	return err
}
