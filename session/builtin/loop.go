package builtin

import (
	"context"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// loop is the run of one agent: it asks the model, runs the tools that it calls, and repeats. The conversation has one at the
// top, and each child another. Policy, asks, events and connection are the conversation's.
type loop struct {
	c *conversation
	// child is the agent in the heads of events, empty at the top.
	child session.ChildID
	// tools are what the model is offered, in its order. They stay the same.
	tools []*tool.Tool
	ws    *tool.Workspace
	// modes decides what the model reads about the permission mode. Only the running turn uses it.
	modes modeNotes
	inbox inbox
}

// newLoop returns the loop of an agent that works at ws.
func newLoop(c *conversation, child session.ChildID, tools []*tool.Tool, ws *tool.Workspace) *loop {
	l := &loop{c: c, child: child, tools: tools, ws: ws}
	ws.Hidden, ws.Ended = c.hidden, l.endedLater
	return l
}

// head returns the head of an event of the loop, in the running turn.
func (l *loop) head() session.Head {
	h := l.c.head()
	h.Child = l.child
	return h
}

// toolNamed returns a tool of the loop, nil for any other name.
func (l *loop) toolNamed(name string) *tool.Tool {
	for _, t := range l.tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// onlyReads reports whether a call may run beside others.
func (l *loop) onlyReads(c call) bool {
	t := l.toolNamed(c.name)
	return t != nil && (t.Kind == toolview.Read || t.Kind == toolview.Search)
}

// boundary runs before each request, after the calls of the answer before. What arrived meanwhile becomes events, from which
// the request is built.
func (l *loop) boundary(context.Context) {
	for _, n := range l.inbox.take() {
		l.c.out.emit(session.Reminded{Head: l.head(), Text: n.text})
	}
}

// finish completes the outcome of a call that ran, before the model reads it.
func (l *loop) finish(_ context.Context, _ *tool.Tool, out tool.Outcome) tool.Outcome { return out }
