package session

// index holds the reducer's lookup tables.
type index struct{}

// Change says what an applied event touched, so that a view derives anew only that.
type Change struct {
	// Turn is the position in Transcript.Turns of the first turn touched, -1 for none.
	Turn int
	// Entry is the position in that turn's Entries of the top-level entry touched (for something inside a child, the
	// child's), -1 if the turn itself changed or none.
	Entry int
	// Meta says that something outside the turns changed: title, settings, queue, asks, usage, quotas, todos, runtime.
	Meta bool
	// Dropped says that the event was ignored: an old generation, a duplicate, or an id never announced.
	Dropped bool
}

// Apply folds one event into the transcript and says what it touched. It is the only thing that changes a transcript,
// never fails, and depends on nothing but the transcript and the event.
func (t *Transcript) Apply(e Event) Change { panic("being written") }
