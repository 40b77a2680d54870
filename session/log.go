package session

import (
	"slices"
	"sync"
)

// Log is the events of a session in their order, for readers at any distance from its end. A reader has a place in it and
// no queue of its own: what a slow one has not read is in the log anyway, with fragments joined as in a [Record]. It is safe
// for concurrent use and must not be copied.
type Log struct {
	mu      sync.Mutex
	record  Record
	readers []*Reader
	// passing logs have one reader, and forget what it has taken; gone counts that.
	passing bool
	gone    uint64
	ended   bool
}

// Reader is a place in a [Log]: the number of the first event that it may not have whole, and how much of the text of those
// from there on it has. It is safe for concurrent use.
type Reader struct {
	log  *Log
	wake func(text bool)
	next uint64
	had  []int
	anew bool // the log was replaced since the last call of Next
}

// Add appends events, wakes the readers, and reports whether it did, which it does not after the end of an [Outbox]. It may
// be called under the lock that decides the order of events.
func (l *Log) Add(events ...Event) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	text := true
	for _, e := range events {
		l.record.Add(e)
		_, isFragment := Fragment(e)
		text = text && isFragment
	}
	for _, r := range l.readers {
		if r.wake != nil {
			r.wake(text)
		}
	}
	return true
}

// All returns all events. The slice is the caller's.
func (l *Log) All() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record.All()
}

// Read returns all events so far and a reader of the later ones. wake, which may be nil, is called with each of them, under
// the log's lock and maybe the caller's of Add: it must not block or use the log. text reports that only fragments came.
func (l *Log) Read(wake func(text bool)) (past []Event, r *Reader) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r = &Reader{log: l, wake: wake}
	r.goToEnd()
	l.readers = append(l.readers, r)
	return l.record.All(), r
}

// goToEnd moves the reader's place behind everything. The log's lock is held.
func (r *Reader) goToEnd() {
	record := &r.log.record
	r.next, r.had = r.log.gone+uint64(record.first()), r.had[:0]
	for at := record.first(); at < len(record.events); at++ {
		text, _ := record.text(at)
		r.had = append(r.had, len(text))
	}
}

// Replace replaces all events, as when a session goes on in another process, and wakes the readers: the next events of each are
// all of them.
func (l *Log) Replace(events []Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record = Record{}
	for _, e := range events {
		l.record.Add(e)
	}
	for _, r := range l.readers {
		r.next, r.had, r.anew = l.gone, nil, true
		if r.wake != nil {
			r.wake(false)
		}
	}
}

// Next returns what Take does, and whether these events are all and replace what the reader had.
func (r *Reader) Next() (events []Event, anew bool) {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	anew, r.anew = r.anew, false
	return r.take(), anew
}

// Take returns everything since the last call, in order, and moves the reader behind it.
func (r *Reader) Take() []Event {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	return r.take()
}

// take is Take with the log's lock held.
func (r *Reader) take() []Event {
	l := r.log
	if l.passing {
		out := l.record.Take()
		l.gone += uint64(len(out))
		r.next = l.gone
		return out
	}
	var out []Event
	first := int(r.next - l.gone)
	for at := first; at < len(l.record.events); at++ {
		if i := at - first; i >= len(r.had) {
			out = append(out, l.record.at(at))
		} else if e := l.record.rest(at, r.had[i]); e != nil {
			out = append(out, e)
		}
	}
	r.goToEnd()
	return out
}

// Close makes the log forget the reader, which is woken no more.
func (r *Reader) Close() {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	r.log.readers = slices.DeleteFunc(r.log.readers, func(o *Reader) bool { return o == r })
}
