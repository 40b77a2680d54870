package live

import (
	"slices"

	"parley/session"
	"parley/session/live/queue"
)

// Activity is what an open session does.
type Activity struct {
	Turn       bool `json:"turn"`       // a turn runs, or a prompt is being delivered
	Background bool `json:"background"` // commands or child agents run beside it
	Asks       int  `json:"asks"`       // that wait for an answer
	Queued     int  `json:"queued"`     // prompts that wait, also held ones
	Due        bool `json:"due"`        // a prompt is sent by itself at its time
}

// Busy reports whether something goes on by itself, or waits for an answer.
func (a Activity) Busy() bool { return a.Turn || a.Background || a.Asks > 0 }

// ActivityOf returns what a session does, false if it is not open here.
func ActivityOf(m *Manager, id session.ID) (Activity, bool) {
	s := m.find(id)
	if s == nil {
		return Activity{}, false
	}
	st := s.state
	st.Lock()
	defer st.Unlock()
	return Activity{Turn: st.busy(), Background: len(st.work.calls)+len(st.work.children) > 0, Asks: len(st.asks.open), Queued: len(st.queue.Items),
		Due: slices.ContainsFunc(st.queue.Items, func(it *queue.Item) bool { return it.Held && it.Due })}, true
}
