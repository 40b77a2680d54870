package live

import (
	"parley/internal/crash"
	"parley/session"
	"parley/session/live/queue"
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
	if q.Working || w.state.closed {
		return
	}
	it := queue.New(turn.Prompt, turn.Origin)
	it.Turn = turn.ID
	q.Start(it)
	q.Working, w.state.turns[turn.ID] = true, true
	crash.Go(func() { w.work(it) })
}
