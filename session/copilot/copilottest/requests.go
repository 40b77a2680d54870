package copilottest

import (
	"encoding/json"
	"sync"
)

// requests are the requests of a session that wait for an answer by a call of the driver. The zero value has none.
type requests struct {
	mu   sync.Mutex
	open map[string]chan json.RawMessage // by id
}

// add registers a request.
func (r *requests) add(id string) (string, <-chan json.RawMessage) {
	answer := make(chan json.RawMessage, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[string]chan json.RawMessage{}
	}
	r.open[id] = answer
	return id, answer
}

// drop forgets a request whose turn ended before its answer.
func (r *requests) drop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, id)
}

// answer passes an answer to a request that waits for it, and reports false if none does.
func (r *requests) answer(id string, answer json.RawMessage) bool {
	r.mu.Lock()
	waits := r.open[id]
	delete(r.open, id)
	r.mu.Unlock()
	if waits == nil {
		return false
	}
	waits <- answer
	return true
}
