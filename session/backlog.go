package session

// Backlog is a queue of events, each with something of the caller's, that grows no faster than its text while only fragments
// come: a fragment joins the one of its part or call that waits, unless something else was queued since. Fragments of
// different parts change places by that, which no transcript sees. The zero value is empty. It is not safe for concurrent
// use and must not be copied.
type Backlog[T any] struct {
	items []Waiting[T]
	open  map[stream]int // the items that a fragment may join, all of one generation
	gen   Generation
}

// Waiting is one entry of a [Backlog].
type Waiting[T any] struct {
	// Event is nil for an entry that is only the caller's.
	Event Event
	// With is what was queued with the event; for joined fragments that of the first.
	With T

	text *growing // the joined text, nil for a single fragment
}

// stream is what a fragment continues.
type stream struct {
	kind byte
	id   string
}

// streamOf returns the stream of a fragment, and false for another event.
func streamOf(e Event) (stream, bool) {
	switch e := e.(type) {
	case PartDelta:
		return stream{'p', string(e.Part)}, true
	case ToolInput:
		return stream{'i', string(e.Call)}, true
	case ToolOutput:
		return stream{'o', string(e.Call)}, true
	}
	return stream{}, false
}

// Add queues an event, which may be nil, with something of the caller's.
func (b *Backlog[T]) Add(e Event, with T) {
	s, isFragment := streamOf(e)
	if !isFragment || e.Header().Gen != b.gen {
		b.Cut()
	}
	if isFragment {
		if at, ok := b.open[s]; ok && continues(b.items[at].Event, e) {
			b.items[at].join(e)
			return
		}
		if b.open == nil {
			b.open = map[stream]int{}
		}
		b.open[s], b.gen = len(b.items), e.Header().Gen
	}
	b.items = append(b.items, Waiting[T]{Event: e, With: with})
}

// join appends the text of a fragment.
func (w *Waiting[T]) join(e Event) {
	if w.text == nil {
		first, _ := Fragment(w.Event)
		w.text = &growing{piece: first}
	}
	text, _ := Fragment(e)
	w.text.WriteString(text)
}

// Cut keeps later fragments apart from those that wait.
func (b *Backlog[T]) Cut() { clear(b.open) }

// Items returns all entries in order and keeps them. The slice is the caller's.
func (b *Backlog[T]) Items() []Waiting[T] {
	out := make([]Waiting[T], len(b.items))
	for i, w := range b.items {
		out[i] = w.whole()
	}
	return out
}

// Take returns all entries in order and empties the backlog.
func (b *Backlog[T]) Take() []Waiting[T] {
	out := b.items
	for i, w := range out {
		out[i] = w.whole()
	}
	b.items = nil
	b.Cut()
	return out
}

// Len returns the number of entries.
func (b *Backlog[T]) Len() int { return len(b.items) }

// whole returns the entry with all of its text in the event.
func (w Waiting[T]) whole() Waiting[T] {
	if w.text != nil {
		w.Event, w.text = WithFragment(w.Event, w.text.String()), nil
	}
	return w
}
