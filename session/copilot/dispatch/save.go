package dispatch

import (
	"parley/internal/crash"
	"parley/session/copilot/protocol"
)

// mustSave reports whether an event has to reach the disk at once. The runtime writes its events half a second late: killed
// before that, it would resume the session without the prompt that parley shows.
func mustSave(e protocol.Event) bool {
	return e.Type == "user.message" && e.Agent == "" && !e.Ephemeral
}

// saver returns a function that has the runtime write the events of a session, nil if the session has ended. A runtime that
// does not know the method writes them when it does. The caller holds the lock, and calls the function without it.
func (r *Router) saver(e *entry) func() {
	if r.closed || r.sessions[e.id] != e {
		return nil
	}
	r.work.Add(1)
	return func() {
		crash.Go(func() {
			defer r.work.Done()
			err := r.o.Call(e.ctx, "sessions.save", struct {
				Session string `json:"sessionId"`
			}{e.id}, nil)
			if err != nil && e.ctx.Err() == nil {
				r.o.Log.Debug("the runtime did not save a session", "session", e.id, "error", err)
			}
		})
	}
}
