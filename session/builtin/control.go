package builtin

import (
	"context"
	"errors"
	"fmt"

	"parley/session"
	"parley/session/builtin/wire"
)

var (
	_ session.Stopper      = (*conversation)(nil)
	_ session.Backgrounder = (*conversation)(nil)
	_ session.ChildSteerer = (*conversation)(nil)
	_ session.ChildResumer = (*conversation)(nil)
)

// SteerChild gives a prompt to a running child, which takes it at its next boundary.
func (c *conversation) SteerChild(_ context.Context, id session.ChildID, p session.Prompt) error {
	ch := c.children.find(func(ch *child) bool { return ch.id == id })
	if ch == nil || !ch.loop.inbox.steer(p) {
		return notFound("send prompt to agent", fmt.Errorf("no agent %q is at work", id))
	}
	return nil
}

// ResumeChild continues an ended child in the background.
func (c *conversation) ResumeChild(_ context.Context, id session.ChildID, p session.Prompt) error {
	const op = "continue agent"
	ch := c.children.find(func(ch *child) bool { return ch.id == id })
	if ch == nil {
		return notFound(op, fmt.Errorf("there is no agent %q", id))
	}
	if !ch.ended() {
		return notFound(op, fmt.Errorf("agent %q is still at work", id))
	}
	ch.loop.spent = &spending{}
	ch.loop.spent.begin(c.open.Limits, c.o.Now())
	if !c.start(ch, ch.loop.parent, p, true, true) {
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New("too many agents are at work")}
	}
	return nil
}

// Stop stops a running call.
func (c *conversation) Stop(ctx context.Context, call session.CallID) error {
	if c.stopChild(call) {
		return nil
	}
	return c.jobs.Stop(ctx, call)
}

// ToBackground lets the call of a running child or command end while that goes on.
func (c *conversation) ToBackground(ctx context.Context, call session.CallID) error {
	if c.childToBackground(call) {
		return nil
	}
	return c.jobs.ToBackground(ctx, call)
}

// stopChild stops the running child of a call and reports whether there is one.
func (c *conversation) stopChild(call session.CallID) bool {
	ch := c.children.running(call)
	if ch != nil {
		ch.cancel(errStopped)
	}
	return ch != nil
}

// childToBackground lets the call of a running child end while the child goes on. It reports whether there is such a child.
func (c *conversation) childToBackground(call session.CallID) bool {
	ch := c.children.running(call)
	if ch == nil {
		return false
	}
	ch.mu.Lock()
	goes := !ch.back && !ch.over
	ch.back = ch.back || goes
	ch.mu.Unlock()
	if !goes {
		return true
	}
	head := ch.loop.head()
	head.Child = ch.loop.parent.child
	c.out.emit(session.ChildStarted{Head: head, ID: ch.id, Call: ch.call, Name: ch.role.name, Description: ch.title, Background: true})
	close(ch.toBack)
	return true
}

// rememberChildren makes the children of an earlier conversation known, so that they can be continued.
func (c *conversation) rememberChildren(t *session.Transcript) {
	for _, turn := range t.Turns {
		c.rememberIn(turn.Entries, c.top)
	}
}

func (c *conversation) rememberIn(entries []session.Entry, parent *loop) {
	for _, e := range entries {
		was, ok := e.(*session.Child)
		if !ok {
			continue
		}
		r := c.kinds.named(was.Name)
		if r == nil { // a custom agent that is gone, which may have had no tools to change anything
			r = exploreRole
		}
		ch := &child{id: was.ID, call: was.Call, role: r, title: was.Description, over: true}
		ch.loop = newLoop(c, r, newWorkspace(c.o, c.open))
		ch.loop.attach(ch, parent)
		ch.loop.past = wire.ChildPieces(was)
		c.children.all[ch.id] = ch
		c.rememberIn(was.Entries, ch.loop)
	}
}

func notFound(op string, err error) error {
	return &session.Error{Op: op, Kind: session.KindNotFound, Err: err}
}
