// Package pace keeps long work in the background out of the way of what a person waits for, a key above all.
//
// In comes a context, out goes one with which the same work pauses every few milliseconds for as long as it took, on one processor. It
// knows nothing of the work. While somebody types it waits for longer.
package pace
