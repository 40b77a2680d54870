// Package mapper turns the stream of one answer into session events, for the agent that runs in this process.
//
// In come the pieces of a stream as the official Anthropic SDK reads them. Out go [session.Event] values, and what the
// answer has come to ([Answer]): its calls, why it stopped, what it cost. An answer that was cut off in a text can go on in
// the next one, and one that broke off can be withdrawn.
//
// It is pure: the same stream and head give the same events. It follows version 2023-06-01 of the Messages API; unknown
// blocks and deltas are left out. It may import session and session/builtin/wire, and nothing else of parley.
package mapper
