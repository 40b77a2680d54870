// Package mapper turns the events and the stored sessions of the Copilot runtime into session events.
//
// In come events of the runtimes 0.0.420 to 1.0.102, one session at a time, as [protocol.Event] values. Out go
// [session.Event] values. [Replay] maps stored events with the same functions as live ones, so a session looks the same
// after a restart.
//
// The runtime streams an answer and then sends it whole as assistant.message, which commits what was streamed. An attempt
// that failed is streamed again from the beginning under another message id; what it had streamed is retracted.
//
// A prompt is sent with [Source] as its source. The runtime copies that into its user.message event and into its file, so
// live and replayed turns have the same id, and the mapper knows which idle event ends which turn. Turns that the runtime
// begins by itself are named after the event that began them.
//
// A [Mapper] distributes each event over values with their own state: the recorder of events, answers being streamed, tool
// calls, children, commands in the background, todos, usage.
//
// The mapping is pure: a Mapper has no process, clock or file, so recorded events always map to the same session events. The
// package may import session, session/copilot/protocol, session/process/record, internal/human and internal/linediff, and
// nothing else of parley.
package mapper
