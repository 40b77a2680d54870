package builtin

import (
	"sync"

	"parley/session"
)

// callIDs are the ids of the calls of a session. It is safe for concurrent use.
type callIDs struct {
	mu    sync.Mutex
	taken map[session.CallID]bool
}

// take reports whether no call of the session has the id, and takes it.
func (c *callIDs) take(id session.CallID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken[id] {
		return false
	}
	c.taken[id] = true
	return true
}

// addAll takes the ids of all calls of a transcript.
func (c *callIDs) addAll(t *session.Transcript) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, turn := range t.Turns {
		c.add(turn.Entries)
	}
}

// add takes the ids of entries. The lock is held.
func (c *callIDs) add(entries []session.Entry) {
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Tool:
			c.taken[e.Call] = true
		case *session.Child:
			c.add(e.Entries)
		}
	}
}
