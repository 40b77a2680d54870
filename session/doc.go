// Package session is the domain of parley: what a conversation with a coding agent is, whoever the agent may be.
//
// In come prompts, answers and choices from whoever faces the user (ui, the headless printer), and events from agents.
// Out go the same events, in order, to whoever attached, and to the journal. Between them stand the reducer, which folds
// events into a [Transcript], and the [Manager], which owns drafts, queues, asks and lifetimes.
//
// Three rules keep the seam narrow. An agent turns its own stream into [Event] values with a pure mapper and emits them
// through [OpenOptions.Emit]. Everyone who wants to see a conversation folds those events with [Transcript.Apply]; live,
// journaled and replayed events go through that one function, so history looks exactly as it did. Whoever asks the user
// something emits [Asked] with an id; the answer comes back as a method call with that id and is followed by [Settled].
//
// This package may not import ui, proxy, copilot, any agent or any store. What it needs of them it declares as small
// interfaces ([Agent], [Conversation], [Journals], [Endpoints], [Catalog]); main wires the implementations.
package session
