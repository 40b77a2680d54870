package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parley/session"
	"parley/session/builtin/role"
	"parley/session/builtin/tool"
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

// ResumeChild continues an ended child in the background, with those of its tools that the conversation's own agent has now.
func (c *conversation) ResumeChild(ctx context.Context, id session.ChildID, p session.Prompt) error {
	const op = "continue agent"
	ch := c.children.find(func(ch *child) bool { return ch.id == id })
	if ch == nil {
		return notFound(op, fmt.Errorf("there is no agent %q", id))
	}
	if !ch.ended() {
		return notFound(op, fmt.Errorf("agent %q is still at work", id))
	}
	now, err := c.has.under(ctx, c.current().Custom)
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindOf(err), Err: err}
	}
	ch.loop.play(ch.role, slices.DeleteFunc(slices.Clone(ch.given), func(t *tool.Tool) bool { return !slices.Contains(now, t) }))
	c.top.spent.Begin(c.open.Limits, c.o.Now())
	if c.start(ch, ch.loop.parent, p, true, true) == nil {
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: errors.New("the limit of running agents is reached")}
	}
	return nil
}

// Stop stops a running call.
func (c *conversation) Stop(ctx context.Context, call session.CallID) error {
	if c.children.stop(call) {
		return nil
	}
	return c.jobs.Stop(ctx, call)
}

// ToBackground lets the call of a running child or command end while that goes on.
func (c *conversation) ToBackground(ctx context.Context, call session.CallID) error {
	if c.children.toBackground(call, c.out.emit) {
		return nil
	}
	return c.jobs.ToBackground(ctx, call)
}

// stop stops the running child of a call and reports whether there is one.
func (cs *children) stop(call session.CallID) bool {
	ch := cs.running(call)
	if ch == nil {
		return false
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	ch.now.cancel(errStopped)
	return true
}

// toBackground lets the call of a running child end while the child goes on. It reports whether there is such a child.
func (cs *children) toBackground(call session.CallID, emit func(session.Event)) bool {
	ch := cs.running(call)
	if ch == nil {
		return false
	}
	ch.mu.Lock()
	s := ch.now
	goes := !s.back && !s.over
	s.back = s.back || goes
	ch.mu.Unlock()
	if !goes {
		return true
	}
	head := ch.loop.head()
	head.Child = ch.loop.parent.child
	emit(session.ChildStarted{Head: head, ID: ch.id, Call: ch.call, Name: ch.role.Name, Description: ch.title, Background: true})
	close(s.toBack)
	return true
}

// restore makes the children of an earlier conversation known to c, so that they can be continued. Each has at most the tools of the
// custom agent that held the conversation in its turn.
func (cs *children) restore(ctx context.Context, c *conversation, t *session.Transcript) {
	held, known := t.Settings.Custom, true
	for _, turn := range t.Turns {
		if _, changed := customAfter(turn); changed { // what it was before the first change is not in the transcript
			held, known = "", false
			break
		}
	}
	for _, turn := range t.Turns {
		if slices.ContainsFunc(turn.Entries, isChild) {
			given, err := c.has.under(ctx, held)
			if err != nil || !known { // a custom agent that may have had no tools to change anything
				given = role.Explore.Offered(c.has.own, 0)
			}
			cs.restoreIn(turn.Entries, c.top, given)
		}
		if custom, changed := customAfter(turn); changed {
			held, known = custom, true
		}
	}
}

// customAfter returns the custom agent that was chosen last in a turn, and whether one was.
func customAfter(turn *session.Turn) (custom string, changed bool) {
	for _, e := range turn.Entries {
		if m, ok := e.(*session.Mark); ok {
			if e, ok := m.Event.(session.CustomChanged); ok {
				custom, changed = e.Custom, true
			}
		}
	}
	return custom, changed
}

func isChild(e session.Entry) bool { _, is := e.(*session.Child); return is }

func (cs *children) restoreIn(entries []session.Entry, parent *loop, given []*tool.Tool) {
	c := parent.c
	for _, e := range entries {
		was, ok := e.(*session.Child)
		if !ok {
			continue
		}
		r := c.kinds.Named(was.Name)
		if r == nil { // a custom agent that is gone, which may have had no tools to change anything
			r = role.Explore
		}
		ch := &child{id: was.ID, call: was.Call, role: r, title: was.Description, given: given}
		ch.loop = newLoop(c, r, newWorkspace(c.o, c.open, c))
		ch.loop.attach(ch, parent)
		ch.loop.past = wire.ChildPieces(was)
		cs.all[ch.id] = ch
		cs.restoreIn(was.Entries, ch.loop, ch.loop.tools())
	}
}

func notFound(op string, err error) error {
	return &session.Error{Op: op, Kind: session.KindNotFound, Err: err}
}
