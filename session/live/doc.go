// Package live holds running sessions: drafts, queues, asks, journals and lifetimes.
//
// In come prompts, answers and choices from the callers of [Manager] and [Session], and events from agents. Out go the same
// events, in order, to every attached listener and to the journal. A [Session] serialises what happens to it; no lock is
// held while it calls an agent, a journal or a listener.
//
// On resume session/merge puts the agent's transcript and the journal together.
//
// The package imports session and session/merge, and nothing else of parley: internal/cli wires agents and stores through the
// interfaces of package session.
package live
