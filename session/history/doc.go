// Package history combines the events of a session in the agent's transcript with those in parley's journal.
//
// In come the events of both, or of the ends of both ([session.Tail]). Out go the events of the session ([Merge]), or
// of its last turns ([LastTurns]), which fold to the same turns.
//
// The transcript decides what happened. The journal adds what a transcript lacks: turns that never arrived, text that
// was streaming at a crash, asks and answers, the user's choices, costs, the ends of turns, and waiting prompts.
//
// A [ReadMark] finds what another process adds to a journal after it was read.
//
// The package is pure and may import session and nothing else of parley.
package history
