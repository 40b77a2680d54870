package live

import (
	"context"
	"errors"

	"parley/session"
)

// work lists the calls and children that run in the background, by the events. The session's lock guards it.
type work struct {
	calls    []session.Head // of the ends that sent calls to the background
	ids      []session.CallID
	children []session.ChildStarted
}

// note follows one event.
func (w *work) note(e session.Event) {
	switch e := e.(type) {
	case session.ToolEnded:
		w.drop(e.Call)
		if e.Result.Background {
			w.calls, w.ids = append(w.calls, e.Head), append(w.ids, e.Call)
		}
	case session.ChildStarted:
		w.dropChild(e.ID)
		if e.Background || e.Resumed {
			w.children = append(w.children, e)
		}
	case session.ChildEnded:
		w.dropChild(e.ID)
	}
}

func (w *work) drop(call session.CallID) {
	for i, id := range w.ids {
		if id == call {
			w.ids, w.calls = append(w.ids[:i:i], w.ids[i+1:]...), append(w.calls[:i:i], w.calls[i+1:]...)
			return
		}
	}
}

func (w *work) dropChild(id session.ChildID) {
	for i, c := range w.children {
		if c.ID == id {
			w.children = append(w.children[:i:i], w.children[i+1:]...)
			return
		}
	}
}

// endWork ends everything in the background as cancelled, for the given reason. The caller holds the lock.
func (st *state) endWork(why string) {
	calls, ids, children := st.work.calls, st.work.ids, st.work.children
	for i := len(children) - 1; i >= 0; i-- { // inner ones first
		h := st.head("")
		h.Child = children[i].Child
		st.publish(session.ChildEnded{Head: h, ID: children[i].ID, Outcome: session.TurnCancelled, Summary: why})
	}
	for i, id := range ids {
		h := st.head("")
		h.Child = calls[i].Child
		st.publish(session.ToolEnded{Head: h, Call: id, Outcome: session.ToolCancelled, Result: session.ToolResult{Summary: why}})
	}
}

// Controls returns what the open conversation can do with what runs. It returns at once.
func (s *local) Controls() session.WorkControls {
	conv := s.conversation()
	if conv == nil {
		return session.WorkControls{}
	}
	return session.ControlsOf(conv)
}

// conversation returns the open conversation, nil if there is none.
func (s *local) conversation() session.Conversation {
	s.state.Lock()
	defer s.state.Unlock()
	return s.runtime.conv
}

// errNothingRuns is the error without a conversation: nothing outlives it.
var errNothingRuns = errors.New("nothing runs: the agent is not running. Send a prompt to start it again")

// withConversation calls f with the open conversation as an I, without a lock and never behind a send.
func withConversation[I any](s *local, op, cannot string, allowed func(session.WorkControls) bool, f func(I) error) error {
	conv := s.conversation()
	if conv == nil {
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: errNothingRuns}
	}
	c, ok := conv.(I)
	if !ok || !allowed(session.ControlsOf(conv)) {
		return fail(op, session.KindUnsupported, "%s cannot %s", s.Meta().Agent, cannot)
	}
	return f(c)
}

// StopCall stops a command or a child agent, in the foreground or in the background, see [session.Stopper]. It may take until
// the agent has taken the request, also while a prompt is being sent. Without a conversation the error is of kind
// [session.KindNotFound].
func (s *local) StopCall(ctx context.Context, call session.CallID) error {
	return withConversation(s, "stop", "stop single calls", func(c session.WorkControls) bool { return c.Stop },
		func(c session.Stopper) error { return c.Stop(ctx, call) })
}

// ToBackground sends a running call to the background, see [session.Backgrounder]. It waits and fails as StopCall does.
func (s *local) ToBackground(ctx context.Context, call session.CallID) error {
	return withConversation(s, "send to the background", "send what runs to the background", func(c session.WorkControls) bool { return c.Background },
		func(c session.Backgrounder) error { return c.ToBackground(ctx, call) })
}

// SteerChild sends a prompt to a running child agent, see [session.ChildSteerer]. It waits and fails as StopCall does.
func (s *local) SteerChild(ctx context.Context, child session.ChildID, p session.Prompt) error {
	if p.ID == "" {
		p.ID = session.PromptID(s.state.newID())
	}
	return withConversation(s, "steer the subagent", "steer subagents", func(c session.WorkControls) bool { return c.SteerChild },
		func(c session.ChildSteerer) error { return c.SteerChild(ctx, child, p) })
}

// ResumeChild continues an ended child agent, see [session.ChildResumer]. It waits and fails as StopCall does.
func (s *local) ResumeChild(ctx context.Context, child session.ChildID, p session.Prompt) error {
	if err := s.state.affordable(ctx); err != nil {
		return err
	}
	if p.ID == "" {
		p.ID = session.PromptID(s.state.newID())
	}
	return withConversation(s, "resume the subagent", "resume subagents", func(c session.WorkControls) bool { return c.ResumeChild },
		func(c session.ChildResumer) error { return c.ResumeChild(ctx, child, p) })
}

// Follow asks for the output of a call in the background as it comes, see [session.OutputFollower], until ctx ends. It returns
// at once, and does nothing where output comes by itself.
func (s *local) Follow(ctx context.Context, call session.CallID) {
	if f, ok := s.conversation().(session.OutputFollower); ok {
		f.Follow(ctx, call)
	}
}
