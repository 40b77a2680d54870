// Package session is the domain of parley: what a conversation with a coding agent is, whoever the agent may be.
//
// In come events from agents. Out comes the [Transcript] that [Transcript.Apply] folds them into, and the bytes that the
// codec writes and reads. Running sessions are in session/live, which owns drafts, queues, asks and lifetimes.
//
// Three rules keep the seam narrow. An agent turns its own stream into [Event] values with a pure mapper and emits them
// through [OpenOptions.Emit]. Everyone who wants to see a conversation folds those events with [Transcript.Apply]; live,
// journaled and replayed events go through that one function, so history looks exactly as it did. Whoever asks the user
// something emits [Asked] with an id; the answer comes back as a method call with that id and is followed by [Settled].
//
// This package may not import ui, proxy, copilot, any agent, any store or session/live. What it needs of them it declares as small
// interfaces ([Agent], [Conversation], [Journals], [Endpoints], [Catalog]); internal/cli wires the implementations.
package session
