// Package session is the domain of parley: what a conversation with any coding agent consists of.
//
// In come events from agents. Out comes the [Transcript] that [Transcript.Apply] folds them into, and the bytes that
// the codec writes and reads. Running sessions are in session/live, which owns drafts, queues, asks and lifetimes.
//
// Three rules keep the interface narrow. An agent turns its stream into [Event] values with a pure mapper and emits
// them through [OpenOptions.Emit]. Every reader of a conversation folds those events with [Transcript.Apply]; live,
// journaled and replayed events go through that one function, so that history looks exactly as it did live. To ask the
// user something, an agent emits [Asked] with an id; the answer comes back as a method call with that id and is
// followed by [Settled].
//
// Every agent emits events in this order: a part starts before its deltas; a tool is started, then ready, then ended;
// usage comes before the end of its turn; a turn ends once; a child is announced before its first event and ends once.
//
// An encoded event ([EncodeEvent]) is one line of JSON, in journals and in the stream-json output: an object that
// begins with "type", the name of the event's type in snake case, followed by the head (session, turn, child, gen, at)
// and the event's fields. Most zero fields are left out; durations are in nanoseconds, times in RFC 3339. Bytes that
// are not UTF-8 become U+FFFD. Opaque values are preserved byte for byte, except for line breaks between tokens, which
// are removed. Malformed JSON in a tool input is encoded as a JSON string.
//
// This package may not import ui, proxy, copilot, any agent, any store or session/live. It declares what it needs of
// them as small interfaces ([Agent], [Conversation], [Journals], [Endpoints], [Catalog]); internal/cli wires the
// implementations.
package session
