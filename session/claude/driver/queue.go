package driver

import "sync"

// item is one call to the consumer.
type item struct {
	from, to int      // the line, in the batch's bytes
	request  *Request // a control request
	cancel   string   // the id of a withdrawn request
}

// batch holds the lines that were queued since the last batch was taken.
type batch struct {
	bytes []byte
	items []item
}

// queue passes lines from the reading goroutine to the delivering one, so that a slow consumer does not stop the reading. A
// queue above its bound does. Two batches alternate, so that a steady stream allocates nothing.
type queue struct {
	bound int

	mu     sync.Mutex
	ready  sync.Cond // the queue has an item or has ended
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

// put queues a line with its request or the id of a withdrawn one. It waits while the queue is full; a line above the bound
// passes alone.
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

// end closes the queue after its last item.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.ready.Signal()
	q.room.Broadcast()
}

// maxSpare bounds the memory that is reused for the next batch, in bytes.
const maxSpare = 1 << 20

// take returns the next batch, false after the end. It reuses the memory of the batch before, done.
func (q *queue) take(done batch) (batch, bool) {
	if cap(done.bytes) > maxSpare {
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
