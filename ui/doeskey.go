package ui

import (
	"parley/session"
	"parley/ui/keymap"
)

// waysIn says what the keys do that send while a turn runs, "" where there is no room or it does not matter.
func (m *Model) waysIn(w int, t *session.Turn) string {
	if w < 60 || len(m.conv.Transcript().Asks) > 0 || t.Retry != nil {
		return ""
	}
	send, steer := m.keys.Key(keymap.Send), m.keys.Key(keymap.Steer)
	switch {
	case !m.steers():
		return send + " queues"
	case m.opts.EnterSteers:
		return send + " steers · " + steer + " queues"
	}
	return send + " queues · " + steer + " steers"
}

// does returns what a key does in the chat now.
func (m *Model) does(key string) keymap.Bound { return m.input.Bound(key) }
