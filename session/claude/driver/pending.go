package driver

import (
	"fmt"
	"strconv"
	"sync"
)

// ownRequests holds our control requests without an answer. It is safe for concurrent use.
type ownRequests struct {
	mu          sync.Mutex
	count       int
	waiting     map[string]chan controlResponse // by id
	unsupported map[string]bool                 // subtypes that the runtime does not know
}

func newOwnRequests() *ownRequests {
	return &ownRequests{waiting: map[string]chan controlResponse{}, unsupported: map[string]bool{}}
}

// add registers a request and returns its id and the channel of its answer. The error is [ErrUnsupported] for a subtype
// that was refused before.
func (r *ownRequests) add(subtype string) (id string, answer <-chan controlResponse, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unsupported[subtype] {
		return "", nil, fmt.Errorf("%w: %s", ErrUnsupported, subtype)
	}
	r.count++
	id = "parley-" + strconv.Itoa(r.count)
	ch := make(chan controlResponse, 1)
	r.waiting[id] = ch
	return id, ch, nil
}

// remove forgets a request.
func (r *ownRequests) remove(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, id)
}

// answer passes an answer to its request. A late one, or an echo, is dropped.
func (r *ownRequests) answer(response controlResponse) {
	r.mu.Lock()
	ch, ok := r.waiting[response.RequestID]
	delete(r.waiting, response.RequestID)
	r.mu.Unlock()
	if ok {
		ch <- response
	}
}

// refuse records a subtype that the runtime does not know.
func (r *ownRequests) refuse(subtype string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unsupported[subtype] = true
}

// openRequests holds the ids of the runtime's control requests without an answer. It is safe for concurrent use.
type openRequests struct {
	mu  sync.Mutex
	ids map[string]bool
}

// add adds a request and reports whether its id is new.
func (r *openRequests) add(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ids[id] {
		return false
	}
	if r.ids == nil {
		r.ids = map[string]bool{}
	}
	r.ids[id] = true
	return true
}

// remove removes a request and reports whether it was open.
func (r *openRequests) remove(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	open := r.ids[id]
	delete(r.ids, id)
	return open
}

// removeAll removes all requests and returns their ids.
func (r *openRequests) removeAll() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]string, 0, len(r.ids))
	for id := range r.ids {
		ids = append(ids, id)
	}
	clear(r.ids)
	return ids
}

// any reports whether a request is open.
func (r *openRequests) any() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ids) > 0
}
