package live

import (
	"context"

	"parley/internal/crash"
	"parley/session"
)

// isRemote reports whether the turns of an agent go on without parley.
func isRemote(a session.Agent) bool {
	_, ok := a.(session.RemoteAgent)
	return ok
}

// follow continues the newest turn of a resumed session that still runs at a service: the turn is delivered again, which only
// follows it. Prompts that are sent meanwhile wait. It takes the lock.
func (w *worker) follow(t *session.Transcript) {
	if !isRemote(w.runtime.agent) || w.storage.elsewhere || len(t.Turns) == 0 {
		return
	}
	turn := t.Turns[len(t.Turns)-1]
	if turn.ID == "" || turn.Outcome != "" && turn.Outcome != session.TurnElsewhere {
		return
	}
	w.state.Lock()
	defer w.state.Unlock()
	q := &w.state.queue
	if q.working || w.state.closed {
		return
	}
	it := &item{prompt: turn.Prompt, turn: turn.ID, origin: turn.Origin, done: make(chan struct{})}
	it.ctx, it.cancel = context.WithCancel(context.Background())
	q.current, q.working, w.state.turns[turn.ID] = it, true, true
	crash.Go(func() { w.work(it) })
}
