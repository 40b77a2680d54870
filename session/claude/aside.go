package claude

import (
	"context"
	"errors"
	"fmt"

	"parley/internal/crash"
	"parley/session"
	"parley/session/claude/driver"
)

var _ session.SideAsker = (*conversation)(nil)

// AskAside asks the runtime's model a question beside the conversation. The runtime gives the answer as a whole, so emit is
// called once. Versions 2.1.112 to 2.1.330 can do it.
func (c *conversation) AskAside(ctx context.Context, question string, emit func(text string)) error {
	const op = "ask beside the conversation"
	if !c.begin() {
		return &session.Error{Op: op, Kind: session.KindCancelled, Err: errors.New("the conversation is closed")}
	}
	defer c.Work.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.Life, crash.Guarded(cancel))()
	e, err := c.awake(ctx)
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindOf(err), Err: err}
	}
	defer func() {
		c.Mu.Lock()
		e.asides--
		c.Mu.Unlock()
		c.ChargeLate()
	}()
	answer, err := e.p.AskAside(ctx, question)
	if errors.Is(err, driver.ErrUnsupported) {
		err = &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("version %s of Claude Code cannot do this", e.launch.Version)}
	}
	if err != nil {
		return err
	}
	emit(answer)
	return nil
}

// begin registers work of the conversation and reports false once it is closed. The work ends with c.Work.Done.
func (c *conversation) begin() bool {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Closed {
		return false
	}
	c.Work.Add(1)
	return true
}

// awake returns the running process, or starts one, and keeps it from being released while a question is open.
func (c *conversation) awake(ctx context.Context) (*engine, error) {
	if err := c.Wake(ctx); err != nil {
		return nil, err
	}
	// A prompt that is being sent starts the process itself.
	if err := c.Mu.Wait(ctx, func() bool { return c.Closed || c.Link != nil || !c.Sending }); err != nil {
		return nil, err
	}
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil {
		return nil, errors.New("the agent is not running. Ask again")
	}
	c.Link.asides++
	return c.Link, nil
}
