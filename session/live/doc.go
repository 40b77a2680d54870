// Package live holds running sessions: drafts, queues, asks, journals and lifetimes.
//
// In come prompts, answers and choices from the callers of [Manager] and [Session], and events from agents. Out go the same
// events, in order, to every attached listener and to the journal. A [Session] serialises what happens to it; no lock is
// held while it calls an agent, a journal or a listener.
//
// The agent's own transcript decides what exists: on resume it replaces what the journal recorded, which adds the parts in
// flight, open asks and the queue.
//
// The package imports the vocabulary in session and nothing else of parley. It may not import
// an agent, a store, ui, proxy or copilot: internal/cli wires those through the interfaces of package session.
package live
