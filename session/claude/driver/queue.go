package driver

import "sync"

// item is something to be told to the consumer.
type item struct {
	from, to int      // the line, in the batch's bytes
	request  *Request // a control request
	cancel   string   // the id of a request that was taken back
}

// batch is what has been queued since the last one was taken.
type batch struct {
	bytes []byte
	items []item
}

// queue carries lines from the goroutine that reads to the one that calls back, so that a slow consumer does not keep the
// runtime's output from being read. What waits is bounded: above the bound, reading waits, too. Two batches take turns, so
// that in the long run nothing is allocated.
type queue struct {
	bound int

	mu     sync.Mutex
	ready  sync.Cond // something was queued or the queue has ended
	room   sync.Cond // a batch was taken
	filled batch
	spare  batch
	ended  bool
}

func newQueue(bound int) *queue {
	q := &queue{bound: bound}
	q.ready.L, q.room.L = &q.mu, &q.mu
	return q
}

// put queues a line and, with it, what it stands for. It waits while there is too much already; a line that alone is too
// much passes when nothing else waits.
func (q *queue) put(line []byte, request *Request, cancel string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.filled.bytes) > 0 && len(q.filled.bytes)+len(line) > q.bound && !q.ended {
		q.room.Wait()
	}
	from := len(q.filled.bytes)
	q.filled.bytes = append(q.filled.bytes, line...)
	q.filled.items = append(q.filled.items, item{from: from, to: len(q.filled.bytes), request: request, cancel: cancel})
	q.ready.Signal()
}

// end says that nothing more comes.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.ready.Signal()
	q.room.Broadcast()
}

// kept is the size above which the memory of a batch is not kept for the next one.
const largestSpare = 1 << 20

// take gives back the batch that was taken before and returns the next, false after the end.
func (q *queue) take(done batch) (batch, bool) {
	if cap(done.bytes) > largestSpare {
		done.bytes = nil
	}
	clear(done.items)
	done.bytes, done.items = done.bytes[:0], done.items[:0]
	q.mu.Lock()
	defer q.mu.Unlock()
	q.spare = done
	for len(q.filled.items) == 0 && !q.ended {
		q.ready.Wait()
	}
	next := q.filled
	q.filled, q.spare = q.spare, batch{}
	q.room.Broadcast()
	return next, len(next.items) > 0
}
