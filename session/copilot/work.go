package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"parley/session"
)

var (
	_ session.Stopper        = (*conversation)(nil)
	_ session.Backgrounder   = (*conversation)(nil)
	_ session.ChildSteerer   = (*conversation)(nil)
	_ session.ChildResumer   = (*conversation)(nil)
	_ session.WorkController = (*conversation)(nil)
)

// task is something that runs in a session: a child agent, whose id is that of the child, or a command.
type task struct {
	Type    string `json:"type"` // "agent" or "shell"
	ID      string `json:"id"`
	Call    string `json:"toolCallId"` // of an agent
	Status  string `json:"status"`
	Command string `json:"command"`
}

// WorkControls returns what the runtime can do: all of it in protocol version 3, unless it refuses.
func (c *conversation) WorkControls() session.WorkControls {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil || c.Link.client.Protocol() < 3 {
		return session.WorkControls{}
	}
	can := !c.Link.noTasks
	return session.WorkControls{Stop: can, Background: can, SteerChild: can, ResumeChild: can}
}

// errEnded is the cause of an error about work that does not run any more.
var errEnded = errors.New("it has ended")

// openLink returns the link of an open session.
func openLink(c *conversation, op string) (*link, error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Link == nil || c.Closed {
		return nil, &session.Error{Op: op, Kind: session.KindNotFound, Err: errEnded}
	}
	return c.Link, nil
}

// taskOf returns the task that runs a call.
func taskOf(ctx context.Context, c *conversation, op string, call session.CallID) (*link, string, error) {
	l, err := openLink(c, op)
	if err != nil {
		return nil, "", err
	}
	c.Mu.Lock()
	id := string(l.m.Child(call))
	if id != "" && !l.m.Running(session.ChildID(id)) {
		id = ""
	}
	if id == "" {
		id = l.m.Shell(call)
	}
	command, running := l.calls[call]
	c.Mu.Unlock()
	if id == "" && !running {
		return nil, "", &session.Error{Op: op, Kind: session.KindNotFound, Err: errEnded}
	}
	var list struct {
		Tasks []task `json:"tasks"`
	}
	if err := l.call(ctx, "session.tasks.list", nil, &list); err != nil {
		return nil, "", taskError(c, l, op, err)
	}
	found := ""
	for _, t := range list.Tasks {
		switch {
		case t.Call == string(call), id != "" && t.ID == id:
			return l, t.ID, nil
		case id == "" && t.Status == "running" && t.Type == "shell" && t.Command == command:
			if found != "" {
				return nil, "", &session.Error{Op: op, Kind: session.KindUnsupported,
					Err: errors.New("two calls run the same command; interrupt the turn instead")}
			}
			found = t.ID
		}
	}
	if found == "" {
		return nil, "", &session.Error{Op: op, Kind: session.KindUnsupported,
			Err: errors.New("the agent cannot do this with this call alone; interrupt the turn instead")}
	}
	return l, found, nil
}

// Stop stops the command or the child agent of a call.
func (c *conversation) Stop(ctx context.Context, call session.CallID) error {
	const op = "stop"
	l, id, err := taskOf(ctx, c, op, call)
	if err != nil {
		return err
	}
	var answer struct {
		Cancelled bool `json:"cancelled"`
	}
	if err := l.call(ctx, "session.tasks.cancel", map[string]any{"id": id}, &answer); err != nil {
		return taskError(c, l, op, err)
	}
	if !answer.Cancelled {
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: errEnded}
	}
	c.Mu.Lock()
	if c.Link == l { // of a command in the background no event reports the end
		c.Out.Put(c.adjust(l, l.m.Stopped(call, c.a.o.Now()))...)
		c.Mu.Notify()
	}
	c.Mu.Unlock()
	c.Out.Deliver()
	return nil
}

// ToBackground sends a command or a child agent of the running turn to the background.
func (c *conversation) ToBackground(ctx context.Context, call session.CallID) error {
	const op = "send to the background"
	l, id, err := taskOf(ctx, c, op, call)
	if err != nil {
		return err
	}
	var answer struct {
		Promoted bool `json:"promoted"`
	}
	if err := l.call(ctx, "session.tasks.promoteToBackground", map[string]any{"id": id}, &answer); err != nil {
		return taskError(c, l, op, err)
	}
	if !answer.Promoted {
		return &session.Error{Op: op, Kind: session.KindNotFound,
			Err: errors.New("the agent cannot send it there now: it is there, has just begun, or has ended")}
	}
	return nil
}

// SteerChild sends a prompt to a running child agent, which takes it with its next request.
func (c *conversation) SteerChild(ctx context.Context, child session.ChildID, p session.Prompt) error {
	return messageChild(ctx, c, "steer the subagent", child, p, true)
}

// ResumeChild continues a child agent that has ended in this process of the runtime.
func (c *conversation) ResumeChild(ctx context.Context, child session.ChildID, p session.Prompt) error {
	return messageChild(ctx, c, "resume the subagent", child, p, false)
}

func messageChild(ctx context.Context, c *conversation, op string, child session.ChildID, p session.Prompt, running bool) error {
	l, err := openLink(c, op)
	if err != nil {
		return err
	}
	c.Mu.Lock()
	runs := l.m.Running(child)
	c.Mu.Unlock()
	if runs != running {
		why := errEnded
		if runs {
			why = errors.New("it is running")
		}
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: why}
	}
	text, reminder := p.Words()
	if reminder != "" {
		text += "\n\n" + reminder
	}
	var answer struct {
		Sent  bool   `json:"sent"`
		Error string `json:"error"`
	}
	if err := l.call(ctx, "session.tasks.sendMessage", map[string]any{"id": string(child), "message": text}, &answer); err != nil {
		return taskError(c, l, op, err)
	}
	if !answer.Sent {
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: fmt.Errorf("the runtime does not know it any more: %s", answer.Error)}
	}
	return nil
}

// taskError returns the error of a request about a task with its kind.
func taskError(c *conversation, l *link, op string, err error) error {
	if !isUnknownMethod(err) {
		return &session.Error{Op: op, Kind: session.KindRuntime, Err: err}
	}
	c.Mu.Lock()
	l.noTasks = true
	c.Mu.Unlock()
	return &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("version %s of Copilot cannot do this", l.client.Version())}
}

// commandOf returns the command line in the input of a call, empty if it has none.
func commandOf(input json.RawMessage) string {
	var in struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	return in.Command
}
