package session

import "iter"

// running lists work in the order in which it was added. Work knows its places, so that adding and removing cost the same at any length.
type running struct {
	list  []Work // the zero Work in the place of what was removed
	gaps  int
	moved int // how many places were visited to close gaps
}

// listed names the lists that a transcript has of its work.
type listed int

const (
	open   listed = iota // what has not ended, in its turn
	behind               // what runs in the background
	past                 // what ran there
	lists
)

// place returns the position of the work in one of the lists, from 1 on; 0: it is not listed there.
func (w Work) place(in listed) *int {
	if w.Child != nil {
		return &w.Child.places[in]
	}
	return &w.Tool.places[in]
}

// add appends work, and reports whether it was not listed.
func (r *running) add(in listed, w Work) bool {
	at := w.place(in)
	if *at > 0 {
		return false
	}
	r.list = append(r.list, w)
	*at = len(r.list)
	return true
}

// remove removes work, if it is listed.
func (r *running) remove(in listed, w Work) {
	at := w.place(in)
	if *at == 0 {
		return
	}
	r.list[*at-1], *at = Work{}, 0
	if r.gaps++; r.gaps > len(r.list)/2 {
		r.drop(in, func(Work) bool { return false })
	}
}

// drop removes the work that a function reports, and closes the gaps.
func (r *running) drop(in listed, gone func(Work) bool) {
	n := 0
	for w := range r.all() {
		at := w.place(in)
		if *at = 0; !gone(w) {
			r.list[n] = w
			n++
			*at = n
		}
	}
	clear(r.list[n:])
	r.moved += len(r.list)
	r.list, r.gaps = r.list[:n], 0
}

// all yields the work in order.
func (r *running) all() iter.Seq[Work] {
	return func(yield func(Work) bool) {
		for _, w := range r.list {
			if w != (Work{}) && !yield(w) {
				return
			}
		}
	}
}
