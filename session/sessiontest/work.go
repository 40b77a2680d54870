package sessiontest

import (
	"context"

	"parley/session"
)

// WorkRequest is a request of the user about something that runs: "stop", "background", "steer" or "resume".
type WorkRequest struct {
	What   string
	Call   session.CallID
	Child  session.ChildID
	Prompt session.Prompt
}

// OnWork makes conversations opened from now on take requests about what runs, and f answer them.
func (a *Agent) OnWork(f func(c *Conversation, r WorkRequest) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.onWork = f
}

// works takes the requests of a conversation.
type works struct {
	c *Conversation
	f func(c *Conversation, r WorkRequest) error
}

// workable is a conversation that takes requests about what runs.
type workable struct {
	*Conversation
	works
}

// steerWorkable is one that also takes prompts into its running turn.
type steerWorkable struct {
	*Conversation
	steers
	works
}

func (w works) take(r WorkRequest) error {
	w.c.agent.log.Add("conversation " + r.What)
	return w.f(w.c, r)
}

// Stop passes the request on.
func (w works) Stop(_ context.Context, call session.CallID) error {
	return w.take(WorkRequest{What: "stop", Call: call})
}

// ToBackground passes the request on.
func (w works) ToBackground(_ context.Context, call session.CallID) error {
	return w.take(WorkRequest{What: "background", Call: call})
}

// SteerChild passes the request on.
func (w works) SteerChild(_ context.Context, child session.ChildID, p session.Prompt) error {
	return w.take(WorkRequest{What: "steer", Child: child, Prompt: p})
}

// ResumeChild passes the request on.
func (w works) ResumeChild(_ context.Context, child session.ChildID, p session.Prompt) error {
	return w.take(WorkRequest{What: "resume", Child: child, Prompt: p})
}

// ToBackground plays that a call goes to the background.
func (t *Turn) ToBackground(call session.CallID) {
	t.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Summary: "in the background", Background: true}})
}
