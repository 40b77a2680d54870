// Package journal writes what is published in a running session to its journal.
//
// In come the events of a [session.Log], read at a place of its own, and events that only the journal gets. Out go the same
// events to a [session.Journal], in order: all but deltas at once, deltas after a short while. What was added while no
// journal is open is written when one is.
package journal
